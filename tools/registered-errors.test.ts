import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCES = new URL("../src/", import.meta.url).pathname;

test("every source that registers errors is loaded where outcomes are listed: src/scenario/search/outcomes/errors.ts", () => {
  const registering = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test|\.testing)\.ts$/.test(file))
    .filter((file) => readFileSync(join(SOURCES, file), "utf8").includes("registerError("));
  expect(registering.sort()).toEqual([
    "engine/app/signed-tx.ts",
    "engine/framework/errors.ts",
    "engine/modules/evidence/errors.ts",
    "engine/modules/gov/errors.ts",
    "engine/modules/slashing/errors.ts",
    "engine/modules/staking/errors.ts",
    "engine/modules/upgrade/errors.ts",
    "view/store-query/store-query.ts",
  ]);
});
