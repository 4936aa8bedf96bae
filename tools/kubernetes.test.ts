import { expect, test } from "vitest";
import { COMMAND, MANIFEST, PARTS } from "./kubernetes.ts";

const { job, volumeClaim } = MANIFEST;

/** The fields of an object in order, those within its lists too. */
function fieldsOf(object: unknown, at = ""): string[] {
  if (Array.isArray(object)) return object.flatMap((one) => fieldsOf(one, `${at}[]`));
  if (typeof object !== "object" || object === null) return [at];
  return Object.entries(object).flatMap(([name, value]) => fieldsOf(value, `${at}.${name}`));
}

// Kubernetes drops fields that it does not know, so that a slip of the pen would go unnoticed.
test("the Job of a search has the fields of batch/v1 alone that drive its parts", () => {
  expect([job.apiVersion, job.kind]).toEqual(["batch/v1", "Job"]);
  const { template: _, ...spec } = job.spec;
  expect([...new Set(fieldsOf(spec))]).toEqual([
    ".completionMode",
    ".completions",
    ".parallelism",
    ".backoffLimitPerIndex",
    ".podFailurePolicy.rules[].action",
    ".podFailurePolicy.rules[].onPodConditions[].type",
    ".podFailurePolicy.rules[].onPodConditions[].status",
    ".podFailurePolicy.rules[].onExitCodes.containerName",
    ".podFailurePolicy.rules[].onExitCodes.operator",
    ".podFailurePolicy.rules[].onExitCodes.values[]",
  ]);
  expect(spec).toMatchObject({ completionMode: "Indexed", parallelism: PARTS });
});

test("every part is a shard of one search and reports into the claim", () => {
  expect(COMMAND).toContain(`--shard $((JOB_COMPLETION_INDEX + 1))/${PARTS} `);
  const { containers, volumes, restartPolicy } = job.spec.template.spec;
  const [{ name, volumeMounts }] = containers;
  for (const { onExitCodes } of job.spec.podFailurePolicy.rules)
    if (onExitCodes !== undefined) expect(onExitCodes.containerName).toBe(name);
  for (const { mountPath } of volumeMounts) expect(COMMAND).toContain(`${mountPath}/`);
  expect(volumeMounts.map((one: { name: string }) => one.name)).toEqual(
    volumes.map((one: { name: string }) => one.name),
  );
  expect(volumes[1].persistentVolumeClaim.claimName).toBe(volumeClaim.metadata.name);
  expect(volumeClaim).toMatchObject({ apiVersion: "v1", kind: "PersistentVolumeClaim" });
  // Kubernetes refuses a pod failure policy with any other.
  expect(restartPolicy).toBe("Never");
});
