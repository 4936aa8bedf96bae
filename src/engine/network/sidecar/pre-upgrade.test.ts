import { describe, expect, test } from "vitest";
import type { LogLine } from "../../framework/trace.ts";
import { preUpgrade } from "./pre-upgrade.ts";

function run(exits: readonly number[], retries = 0): string[] {
  const log: LogLine[] = [];
  try {
    preUpgrade(exits, retries, log);
  } catch (error) {
    return [...log.map(({ text }) => text), `failed: ${(error as Error).message}`];
  }
  return log.map(({ text }) => text);
}

const SUCCESS = "pre-upgrade successful. continuing the upgrade.";
const RETRY = "pre-upgrade command failed. retrying";

describe("exit codes of pre-upgrade (rules/sidecar 3.8)", () => {
  test.each([
    ["0 is success", [0], 0, [SUCCESS]],
    ["1: no such command", [1], 0, ["pre-upgrade command does not exist. continuing the upgrade."]],
    ["30 fails the upgrade", [30], 5, ["failed: pre-upgrade command failed : exit status 30"]],
    [
      "31 is tried once by default",
      [31],
      0,
      [RETRY, "failed: pre-upgrade command failed. reached max attempt of retries - 0"],
    ],
    ["31 is tried again as often as allowed", [31, 31, 0], 2, [RETRY, RETRY, SUCCESS]],
    [
      "31 once too often fails the upgrade",
      [31],
      2,
      [
        RETRY,
        RETRY,
        RETRY,
        "failed: pre-upgrade command failed. reached max attempt of retries - 2",
      ],
    ],
    ["any other code is taken for success", [2], 0, [SUCCESS]],
  ])("%s", (_, exits, retries, text) => {
    expect(run(exits, retries)).toEqual(text);
  });
});
