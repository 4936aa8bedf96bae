import { expect, inject, test } from "vitest";
import { bundledRunOf } from "../scenario/bundled-runs.testing.ts";
import type {} from "./determinism.testing.ts";

test.each(inject("nodeRuns"))(
  "$file comes to the same hashes here as in Node",
  ({ file, text, run }) => {
    expect(run).toBeDefined();
    expect(bundledRunOf(text, file)).toEqual(run);
  },
);
