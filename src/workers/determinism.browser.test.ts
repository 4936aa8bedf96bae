import { expect, inject, test } from "vitest";
import { endHashesOf } from "../scenario/bundled-hashes.testing.ts";
import type {} from "./determinism.testing.ts";

const runs = inject("nodeRuns");

test.each(runs.map((run) => [run.file, run] as const))(
  "%s ends with the same hashes here as in Node",
  (file, { text, hashes }) => {
    expect(endHashesOf(text, file)).toBe(hashes);
  },
);
