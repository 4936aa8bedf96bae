import { readFileSync } from "node:fs";
import { Job } from "kubernetes-models/batch/v1";
import { expect, test } from "vitest";
import { MANIFEST_FILE, manifest } from "./kubernetes.ts";

test("the manifest in deploy/ is the one that its objects make", () => {
  expect(readFileSync(MANIFEST_FILE, "utf8"), "run npm run gen").toBe(manifest());
});

test("a field that Kubernetes does not have passes neither the type check nor the schema", () => {
  const wrong = new Job({
    metadata: { name: "wrong" },
    spec: {
      // @ts-expect-error A pod failure policy is what this is called.
      failurePolicy: {},
      template: { spec: { containers: [{ name: "search" }] } },
      completions: "many" as unknown as number,
    },
  });
  expect(() => wrong.validate()).toThrow("completions");
});
