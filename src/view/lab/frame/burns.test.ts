import { describe, expect, test } from "vitest";
import { moduleAddress } from "../../../base/address.ts";
import { accAddress } from "../../../base/bech32.ts";
import { event } from "../../../engine/framework/events.ts";
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
    expect(burns.inBlock("val-b", 7)).toBe(5_000_000n);
    expect(burns.inBlock("val-a", 8)).toBe(0n);
  });

  test("is nothing before the first slash", () => {
    const burns = new Burns();
    expect([burns.total, burns.of("val-a"), burns.inBlock("val-a", 7)]).toEqual([0n, 0n, 0n]);
  });

  test("adds up over blocks and over slashes of one block", () => {
    const burns = new Burns();
    burns.add(7, [burn(pool, "10stake"), slash("val-a", "10")]);
    burns.add(9, [burn(pool, "5stake"), slash("val-a", "5")]);
    burns.add(9, [burn(pool, "2stake"), slash("val-a", "2")]);
    expect(burns.of("val-a")).toBe(17n);
    expect(burns.total).toBe(17n);
    expect(burns.inBlock("val-a", 7)).toBe(10n);
    expect(burns.inBlock("val-a", 9)).toBe(7n);
  });

  test("is not what governance burns of deposits", () => {
    const burns = new Burns();
    burns.add(7, [burn(gov, "10000000stake"), burn(pool, "3stake"), slash("val-a", "3")]);
    expect([burns.of("val-a"), burns.total]).toEqual([3n, 3n]);
  });

  test("of a validator jailed between its burn and its slash is that validator's still", () => {
    const burns = new Burns();
    burns.add(7, [burn(pool, "3stake"), jailed("val-b"), slash("val-a", "3")]);
    expect([burns.of("val-a"), burns.of("val-b"), burns.total]).toEqual([3n, 0n, 3n]);
  });

  test("of nothing is nothing: a slash of a validator without tokens has no burn before it", () => {
    const burns = new Burns();
    burns.add(7, [slash("val-a", "0"), burn(pool, "4stake"), slash("val-b", "4")]);
    expect([burns.of("val-a"), burns.of("val-b")]).toEqual([0n, 4n]);
  });

  test("counts in the total also where no slash follows, and not for who is slashed later", () => {
    const burns = new Burns();
    burns.add(7, [burn(unbonding, "8stake")]);
    burns.add(8, [burn(pool, "1stake"), slash("val-a", "1")]);
    expect([burns.of("val-a"), burns.total]).toEqual([1n, 9n]);
  });

  test("is read off burns alone: other events of the pools move tokens, and say nothing of burning", () => {
    const burns = new Burns();
    burns.add(7, [
      event("coin_spent", ["burner", pool], ["amount", "9stake"]),
      event("transfer", ["address", "val-a"], ["burned_coins", "9"]),
      event("burn", ["burner", pool]),
      event("burn", ["amount", "9stake"]),
      event("burn", ["burner", pool], ["amount", ""]),
      event("slash", ["burned_coins", "0"]),
    ]);
    expect([burns.total, burns.of("val-a"), burns.of("")]).toEqual([0n, 0n, 0n]);
  });

  test("is for the slash alone to claim", () => {
    const burns = new Burns();
    const transfer = event("transfer", ["address", "val-b"], ["burned_coins", "3"]);
    burns.add(7, [burn(pool, "3stake"), transfer, slash("val-a", "3")]);
    expect([burns.of("val-a"), burns.of("val-b")]).toEqual([3n, 0n]);
  });

  test("is the sum where coins of several denoms are burned at once", () => {
    const burns = new Burns();
    burns.add(7, [burn(pool, "2atom,3stake"), slash("val-a", "5")]);
    expect(burns.of("val-a")).toBe(5n);
  });
});
