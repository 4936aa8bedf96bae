import { join } from "node:path";
import { Job } from "kubernetes-models/batch/v1";
import { PersistentVolumeClaim } from "kubernetes-models/v1";
import { stringify } from "yaml";
import { ROOT } from "./setup.mjs";

export const MANIFEST_FILE = join(ROOT, "deploy", "search.yaml");

const NAME = "chainlab-search";
/** Number of parts that the cases are split into; as many pods run at once as fit the cluster. */
export const PARTS = 8;
const CORES = 2;
const FAMILIES = "/families";
const REPORTS = "/reports";
const labels = { "app.kubernetes.io/name": NAME };

/** The part's number is the pod's index, which Kubernetes counts from 0. */
export const COMMAND = [
  `exec chainlab search ${FAMILIES}/*.yaml --all --runs 100000 --jobs ${CORES}`,
  `--shard $((JOB_COMPLETION_INDEX + 1))/${PARTS} --report ${REPORTS}/$JOB_COMPLETION_INDEX.json`,
].join(" ");

const reports = new PersistentVolumeClaim({
  metadata: { name: `${NAME}-reports`, labels },
  // All pods write their reports into it, each its own.
  spec: { accessModes: ["ReadWriteMany"], resources: { requests: { storage: "1Gi" } } },
});

const job = new Job({
  metadata: { name: NAME, labels },
  spec: {
    completionMode: "Indexed",
    completions: PARTS,
    parallelism: PARTS,
    backoffLimitPerIndex: 3,
    podFailurePolicy: {
      rules: [
        // A pod that the cluster took away is run again, however often.
        { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
        // Something was found: no run of the same cases would find less. The other parts go on.
        {
          action: "FailIndex",
          onExitCodes: { containerName: "search", operator: "In", values: [1] },
        },
        // A file is unsound: it is so for every part.
        {
          action: "FailJob",
          onExitCodes: { containerName: "search", operator: "In", values: [2] },
        },
      ],
    },
    template: {
      metadata: { labels },
      spec: {
        restartPolicy: "Never",
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          fsGroup: 1000,
          seccompProfile: { type: "RuntimeDefault" },
        },
        containers: [
          {
            name: "search",
            image: "chainlab:latest",
            imagePullPolicy: "IfNotPresent",
            command: ["sh", "-c", COMMAND],
            resources: {
              requests: { cpu: String(CORES), memory: "1Gi" },
              limits: { memory: "2Gi" },
            },
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ["ALL"] },
            },
            volumeMounts: [
              { name: "families", mountPath: FAMILIES, readOnly: true },
              { name: "reports", mountPath: REPORTS },
            ],
          },
        ],
        volumes: [
          { name: "families", configMap: { name: "chainlab-families" } },
          { name: "reports", persistentVolumeClaim: { claimName: `${NAME}-reports` } },
        ],
      },
    },
  },
});

/** The manifest as text. Throws where an object does not fit Kubernetes' own schema. */
export function manifest(): string {
  const head =
    "# Written by `npm run gen` from tools/kubernetes.ts. docs/machines.md says how it is used.\n";
  const objects = [reports, job].map((object) => {
    object.validate();
    return stringify(object.toJSON(), { lineWidth: 0 });
  });
  return head + objects.join("---\n");
}
