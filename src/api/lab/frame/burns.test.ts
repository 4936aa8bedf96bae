import { describe, expect, test } from "vitest";
import { event } from "../../../engine/framework/events.ts";
import { moduleAddress } from "../../../engine/primitives/address.ts";
import { accAddress } from "../../../engine/primitives/bech32.ts";
import { Burns } from "./burns.ts";

const pool = accAddress(moduleAddress("bonded_tokens_pool"));
const unbonding = accAddress(moduleAddress("not_bonded_tokens_pool"));
const gov = accAddress(moduleAddress("gov"));
const burn = (burner: string, amount: string) =>
  event("burn", ["burner", burner], ["amount", amount]);
const slash = (address: string, burned: string) =>
  event(
    "slash",
    ["address", address],
    ["power", "100"],
    ["reason", "double_sign"],
    ["burned_coins", burned],
  );
const jailed = (address: string) => event("slash", ["jailed", address]);

describe("what slashing burned", () => {
  test("counts for the validator whose slash follows, unbonding and redelegations included", () => {
    const burns = new Burns();
    burns.add(7, [
      burn(unbonding, "100000stake"),
      burn(pool, "900000stake"),
      slash("val-a", "900000"),
      jailed("val-a"),
      burn(pool, "5000000stake"),
      slash("val-b", "5000000"),
    ]);
    expect([burns.of("val-a"), burns.of("val-b"), burns.total]).toEqual([
      1_000_000n,
      5_000_000n,
      6_000_000n,
    ]);
    expect(burns.inBlock("val-a", 7)).toBe(1_000_000n);
    expect(burns.inBlock("val-a", 8)).toBe(0n);
  });

  test("adds up over blocks", () => {
    const burns = new Burns();
    burns.add(7, [burn(pool, "10stake"), slash("val-a", "10")]);
    burns.add(9, [burn(pool, "5stake"), slash("val-a", "5")]);
    expect(burns.of("val-a")).toBe(15n);
    expect(burns.inBlock("val-a", 9)).toBe(5n);
  });

  test("is not what governance burns of deposits", () => {
    const burns = new Burns();
    burns.add(7, [burn(gov, "10000000stake"), burn(pool, "3stake"), slash("val-a", "3")]);
    expect(burns.total).toBe(3n);
  });
});
