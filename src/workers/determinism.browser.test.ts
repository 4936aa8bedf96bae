import { expect, inject, test } from "vitest";
import type {} from "./determinism.testing.ts";
import { hashesOf } from "./scenario-hashes.testing.ts";

const runs = inject("nodeRuns");

test.each(runs.map((run) => [run.file, run] as const))(
  "%s has the same app hash at every height here as in Node",
  (file, { text, hashes }) => {
    expect(hashes.length).toBeGreaterThan(0);
    expect(hashesOf(text, file)).toEqual(hashes);
  },
);
