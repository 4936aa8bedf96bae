import { expect, test } from "vitest";
import { parseRfc3339 } from "../../../base/time.ts";
import { backupDir, binaryPath, upgradeDir } from "./layout.ts";

test.each([
  ["v2", "upgrades/v2"],
  ["V2-Final", "upgrades/v2-final"],
  ["some spaces", "upgrades/some%20spaces"],
  ["a/b?c", "upgrades/a%2Fb%3Fc"],
  ["$&+=:@-_.~", "upgrades/$&+=:@-_.~"],
  ["it's (v2)!*", "upgrades/it%27s%20%28v2%29%21%2A"],
])("the folder of plan %s is %s: lower-cased and path-escaped (rules/sidecar 1.1)", (plan, dir) => {
  expect(upgradeDir(plan)).toBe(dir);
});

test("with COSMOVISOR_DISABLE_RECASE the name is only escaped (rules/sidecar 1.1)", () => {
  expect(upgradeDir("V2 Final", false)).toBe("upgrades/V2%20Final");
});

test("a binary lies in bin/ under the daemon's name", () => {
  expect(binaryPath("genesis")).toBe("cosmovisor/genesis/bin/chaind");
});

test("a backup is named after the day without zero padding (rules/sidecar 1.2)", () => {
  expect(backupDir(parseRfc3339("2026-01-02T23:59:59Z"))).toBe("data-backup-2026-1-2");
  expect(backupDir(parseRfc3339("2026-12-31T00:00:00Z"))).toBe("data-backup-2026-12-31");
  const otherPath = backupDir(parseRfc3339("2026-12-31T00:00:00Z"), "/mnt/backups/");
  expect(otherPath).toBe("/mnt/backups/data-backup-2026-12-31");
});
