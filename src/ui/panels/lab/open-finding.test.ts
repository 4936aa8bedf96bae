import { describe, expect, it } from "vitest";
import { fileOf } from "./open-finding.ts";

describe("the file of a finding", () => {
  it.each([
    ["honest operators stay", "honest-operators-stay.yaml"],
    ["supply = balances + pools", "supply-balances-pools.yaml"],
    ["../../etc/passwd", "etc-passwd.yaml"],
    ["<>", "finding.yaml"],
  ])("of %s is %s", (property, file) => {
    expect(fileOf({ property })).toBe(file);
  });
});
