import { describe, expect, test } from "vitest";
import { superfluous } from "./keyframes.ts";
import { type KeyframeKey, keyframeKey } from "./keys.ts";

/**
 * The remaining ones of keyframes that were made at a fixed interval of rounds, with a fixed number
 * of actions in each.
 */
function kept(
  count: number,
  every: number,
  bytes: number,
  most?: number,
  actions = 0,
): readonly KeyframeKey[] {
  let keys: readonly KeyframeKey[] = [];
  for (let i = 1; i <= count; i++) {
    const all = [
      ...keys,
      keyframeKey({ rounds: i * every, entries: i * every * actions }, bytes, 0),
    ];
    const removed = superfluous(all, [], most);
    keys = all.filter((key) => !removed.includes(key));
  }
  return keys;
}

const gaps = (keys: readonly KeyframeKey[]): readonly number[] =>
  keys.map(({ rounds }, i) => rounds - (keys[i - 1]?.rounds ?? 0));

describe("keyframes that stay", () => {
  test("are close enough everywhere for a seek to replay few rounds, and closer at the end", () => {
    const keys = kept(400, 256, 1000);
    expect(Math.max(...gaps(keys))).toBeLessThan(2 * 1024);
    expect(gaps(keys).slice(-3)).toEqual([256, 256, 256]);
    expect(keys.length).toBeLessThan((400 * 256) / 1024 + 20);
  });

  test("are closer where there are actions, whose replay takes longer", () => {
    const keys = kept(400, 64, 1000, undefined, 20);
    expect(Math.max(...gaps(keys))).toBe(64);
  });

  test("take no more than they may, as far apart as that needs and evenly", () => {
    const keys = kept(400, 2048, 1000, 60_000);
    expect(keys.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(60_000);
    expect(keys.length).toBeGreaterThan(30);
    expect(Math.max(...gaps(keys))).toBeLessThan((4 * 400 * 2048) / keys.length);
  });
});
