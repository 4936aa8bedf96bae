import { describe, expect, test } from "vitest";
import { toHexUpper } from "../../base/bytes.ts";
import type { BinarySpec } from "../app/binary.ts";
import { emptyState, MultiStore } from "../store/multi-store.ts";
import { Simulation } from "./simulation.ts";
import {
  install,
  pass,
  runRounds,
  runTo,
  softwareUpgrade,
  V2,
  V2_WITH_STORE,
  worldSpec,
} from "./testing.ts";

const NAMES = ["val-0", "val-1", "val-2", "val-3"];
const ODD: BinarySpec = { ...V2, name: "v2-odd", migration: { kind: "nondeterministic" } };
const REFUSED = "prevote step: consensus deems this block invalid; prevoting nil err=";

/** A chain whose nodes have all stopped for upgrade v2 at height 30. */
function stopped(...binaries: readonly BinarySpec[]): Simulation {
  const sim = Simulation.create(worldSpec({ binaries }));
  pass(sim, softwareUpgrade(sim, "v2", 30));
  runTo(sim, 29);
  runRounds(sim, 2);
  return sim;
}

const hashOf = (sim: Simulation, node: string): string =>
  toHexUpper(sim.node(node)?.appHash ?? new Uint8Array());
const wrong = (own: string, got: string): string =>
  `wrong Block.Header.AppHash.  Expected ${own}, got ${got}`;
const linesWith = (sim: Simulation, node: string, part: string): string[] =>
  sim.log(node).flatMap(({ text }) => (text.includes(part) ? [text] : []));

test("the first block commits genesis and its own writes as one sorted batch", () => {
  const sim = Simulation.create(worldSpec());
  pass(sim, softwareUpgrade(sim, "v2", 30));
  runTo(sim, 1);
  const state = sim.state(1);
  const sorted = new MultiStore(emptyState(state.storeNames), 1);
  for (const name of state.storeNames) {
    for (const { key, value } of state.reader(name).iterate()) sorted.store(name).set(key, value);
  }
  expect(state.reader("gov").has(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 1))).toBe(true);
  expect(toHexUpper(state.appHash)).toBe(toHexUpper(sorted.commit().appHash));
});

describe("where nodes hold different app hashes and no majority agrees (rules/consensus 7.2)", () => {
  test("every node finds every other's block invalid, says so once of each, and stays up", () => {
    const sim = stopped(ODD);
    install(sim, "v2-odd", ...NAMES);
    runRounds(sim, 8);
    const hashes = NAMES.map((name) => hashOf(sim, name));
    for (const [i, name] of NAMES.entries()) {
      const own = hashes[i] as string;
      const others = hashes.filter((hash) => hash !== own);
      const expected = others.map((got) => REFUSED + wrong(own, got));
      expect(linesWith(sim, name, REFUSED).sort()).toEqual(expected.sort());
      expect(sim.node(name)?.process).toBe("running");
    }
    const { state, missing } = sim.chainStatus();
    expect(state).toBe("halted");
    expect(missing.map(({ reason }) => reason)).toEqual(
      hashes
        .slice(1)
        .map(
          (own) => `${wrong(own, hashes[0] as string)} (holds another app hash than the others)`,
        ),
    );

    const lines = sim.logSince(0).length;
    runRounds(sim, 500);
    expect(sim.logSince(0).length).toBe(lines);
  });

  test("who was silent has proposed nothing that could be refused", () => {
    const sim = stopped(ODD);
    for (const node of NAMES.slice(1)) sim.apply({ type: "fault", node, kind: "mute" });
    install(sim, "v2-odd", ...NAMES);
    runRounds(sim, 8);
    expect(linesWith(sim, "val-0", REFUSED)).toEqual([]);
    expect(linesWith(sim, "val-1", REFUSED)).toEqual([
      REFUSED + wrong(hashOf(sim, "val-1"), hashOf(sim, "val-0")),
    ]);
  });
});

test("where a majority agrees, the odd one prevotes nil, then fails over the block all the same", () => {
  const sim = stopped(V2, ODD);
  install(sim, "v2", "val-0", "val-1", "val-2");
  install(sim, "v2-odd", "val-3");
  const text = wrong(hashOf(sim, "val-3"), hashOf(sim, "val-0"));
  runTo(sim, 31);
  expect(sim.node("val-3")).toMatchObject({ process: "halted", reason: text });
  expect(linesWith(sim, "val-3", "wrong Block.Header").slice(-2)).toEqual([
    REFUSED + text,
    `CONSENSUS FAILURE!!! err="+2/3 committed an invalid block: ${text}"`,
  ]);
});

describe("binaries that differ in nothing but their names", () => {
  /** Nodes that execute together share one copy of each log line. */
  const halting = (sim: Simulation, plan: string): readonly string[][] =>
    sim
      .logSince(0)
      .filter(({ text }) => text.startsWith(`UPGRADE "${plan}" NEEDED`))
      .map(({ nodes }) => [...nodes].sort());

  test("share the execution of blocks, and each node keeps its own name", () => {
    const same = ["a", "b"].map((name): BinarySpec => ({ ...V2_WITH_STORE, name }));
    const other: BinarySpec = { ...V2_WITH_STORE, name: "c", handlers: ["v2", "v9"] };
    const sim = stopped(...same, other);
    install(sim, "a", "val-0");
    install(sim, "b", "val-1", "val-2");
    install(sim, "c", "val-3");
    pass(sim, softwareUpgrade(sim, "v3", 60));
    runTo(sim, 59);
    runRounds(sim, 2);
    expect(halting(sim, "v3")).toEqual([["val-0", "val-1", "val-2"], ["val-3"]]);
    expect(NAMES.map((name) => sim.node(name)?.binary)).toEqual(["a", "b", "b", "c"]);
    // Most of the power in the group that executed it ran b.
    expect(sim.block(59)?.binary).toBe("b");
  });
});
