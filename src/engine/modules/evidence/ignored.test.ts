import { expect, test } from "vitest";
import { consAddress } from "../../../base/bech32.ts";
import { HOUR } from "../../../base/time.ts";
import { GENESIS_TIME, testAddress } from "../../framework/testing.ts";
import { type IgnoredCause, ignoredText } from "./ignored.ts";

const address = testAddress("val");
const cons = consAddress(address);
const tooOld = {
  kind: "too_old",
  height: 8,
  time: GENESIS_TIME,
  oldest: GENESIS_TIME + HOUR,
} as const;

test.each<[IgnoredCause, string]>([
  [{ kind: "no_block", height: 8 }, "there is no block 8 to take its time from"],
  [{ kind: "invalid", error: "no height" }, "no height"],
  [{ kind: "unknown_validator", address }, `validator ${cons} does not exist`],
  [{ kind: "unbonded", address }, `validator ${cons} is unbonded`],
  [{ kind: "no_public_key", address }, `expected public key for validator ${cons} not found`],
  [{ kind: "tombstoned", address }, `validator ${cons} already tombstoned`],
  [
    tooOld,
    "evidence from height 8 (created at: 2026-01-01T00:00:00Z) is too old; evidence can not be older than 2026-01-01 01:00:00 +0000 UTC",
  ],
  [
    { ...tooOld, minHeight: 3 },
    "evidence from height 8 (created at: 2026-01-01T00:00:00Z) is too old; min height is 3 and evidence can not be older than 2026-01-01 01:00:00 +0000 UTC",
  ],
])("what is ignored says why: %#", (cause, text) => {
  expect(ignoredText(cause)).toBe(text);
});
