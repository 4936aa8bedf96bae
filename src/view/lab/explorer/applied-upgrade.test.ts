import { describe, expect, test } from "vitest";
import { toHexUpper } from "../../../base/bytes.ts";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import {
  install,
  pass,
  runRounds,
  runTo,
  softwareUpgrade,
  worldSpec,
} from "../../../engine/simulation/testing.ts";
import { atOnce } from "../reading.ts";
import { appliedUpgradeOf } from "./applied-upgrade.ts";

function upgraded(profile: "documented" | "sdk-0.53"): Simulation {
  const sim = Simulation.create(worldSpec({ profile }));
  pass(sim, softwareUpgrade(sim, "v2", 20));
  runRounds(sim, 30);
  install(sim, "v2", ...sim.nodes().map(({ name }) => name));
  runTo(sim, 25);
  return sim;
}

describe("the header of an applied upgrade (rules/upgrade 8.2)", () => {
  test("is that of the block at which it was applied, and shows the block's own hash", () => {
    const sim = upgraded("documented");
    const { height, meta } = atOnce(appliedUpgradeOf(sim, "v2"));
    const block = sim.block(20);
    expect(height).toBe(20);
    expect(meta?.blockId).toMatchObject({
      hash: toHexUpper(block?.hash as Uint8Array),
      parts: { total: 1 },
    });
    expect(meta?.header).toMatchObject({
      version: { block: "11" },
      chainId: "lab-1",
      height: "20",
      time: "2026-01-01T00:01:35Z",
      appHash: toHexUpper(sim.block(19)?.appHash as Uint8Array),
      proposerAddress: toHexUpper(block?.proposer as Uint8Array),
    });
    expect(meta?.header?.lastBlockId?.hash).toBe(toHexUpper(sim.block(19)?.hash as Uint8Array));
    expect(meta?.numTxs).toBe("0");
  });

  test("has the size of the block as CometBFT encodes it: four signatures of 104 bytes are the most of it", () => {
    const size = Number(atOnce(appliedUpgradeOf(upgraded("documented"), "v2")).meta?.blockSize);
    expect(size).toBeGreaterThan(800);
    expect(size).toBeLessThan(950);
  });

  test("is not shown by upstream, which says the height alone", () => {
    expect(atOnce(appliedUpgradeOf(upgraded("sdk-0.53"), "v2"))).toEqual({ height: 20 });
  });

  test("is not there for a name that was not applied, nor before it was", () => {
    const sim = upgraded("documented");
    expect(atOnce(appliedUpgradeOf(sim, "v3"))).toEqual({ height: 0 });
    expect(atOnce(appliedUpgradeOf(sim, "v2", 19))).toEqual({ height: 0 });
    expect(atOnce(appliedUpgradeOf(sim, "v2", 20)).height).toBe(20);
  });
});
