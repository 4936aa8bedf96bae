import { describe, expect, test } from "vitest";
import { SECOND } from "../../../base/time.ts";
import type { Node } from "../node/node.ts";
import { NO_FAULTS, nodesOf } from "../testing.ts";
import { type Fault, Faults } from "./faults.ts";

const [a, b] = nodesOf(2) as [Node, Node];
const BLOCK_TIME = 5n * SECOND;
const faults = () => new Faults(7, BLOCK_TIME);
const fault = (kind: Fault["kind"], input: Partial<Fault> = {}): Fault => ({
  node: a,
  kind,
  from: 3,
  to: 4,
  given: 0n,
  by: SECOND,
  probability: 0.5,
  groups: [],
  ...input,
});

describe("the faults of a round", () => {
  test.each<[Fault["kind"], Partial<typeof NO_FAULTS>]>([
    ["mute", { mute: [a] }],
    ["slow", { slow: [a] }],
    ["signer", { refused: [a] }],
    ["double_sign", { doubleSign: [a] }],
    ["stop", {}],
  ])("%s acts from its first height to its last", (kind, expected) => {
    const all = faults();
    all.add(fault(kind));
    expect(all.at(2, 0)).toEqual(NO_FAULTS);
    expect(all.at(3, 0)).toEqual({ ...NO_FAULTS, ...expected });
    expect(all.at(4, 1)).toEqual({ ...NO_FAULTS, ...expected });
    expect(all.at(5, 0)).toEqual(NO_FAULTS);
  });

  test("a crash acts at its first height only, a clock in the order of injection", () => {
    const all = faults();
    all.add(fault("crash"));
    all.add(fault("clock"));
    all.add(fault("clock", { node: b, by: 2n * SECOND }));
    expect(all.at(3, 0).crash).toEqual([a]);
    expect(all.at(4, 0).crash).toEqual([]);
    expect(all.at(4, 0).clocks.map(({ node, by }) => [node, by])).toEqual([
      [a, SECOND],
      [b, 2n * SECOND],
    ]);
  });

  test("a flaky node is mute in some rounds: always at 1, never at 0, else drawn from the seed", () => {
    const all = faults();
    all.add(fault("flaky", { probability: 1 }));
    expect(all.at(3, 0)).toEqual({ ...NO_FAULTS, mute: [a] });
    const never = faults();
    never.add(fault("flaky", { probability: 0 }));
    const half = faults();
    half.add(fault("flaky", { to: 1000 }));
    const rounds = Array.from({ length: 200 }, (_, round) => round);
    expect(rounds.flatMap((round) => never.at(3, round).flaky)).toEqual([]);
    const drawn = rounds.filter((round) => half.at(3, round).flaky.includes(a));
    expect(drawn.length).toBeGreaterThan(60);
    expect(drawn.length).toBeLessThan(140);
    expect(rounds.filter((round) => half.at(3, round).flaky.includes(a))).toEqual(drawn);
    expect(half.at(3, 0).mute).toEqual([]);
  });

  test("follow what is added and dropped", () => {
    const all = faults();
    const mute = fault("mute");
    all.add(mute);
    expect(all.at(3, 0).mute).toEqual([a]);
    all.drop([mute]);
    expect(all.at(3, 0).mute).toEqual([]);
    expect(all.active).toEqual([]);
  });
});

describe("a double sign", () => {
  test("without an end is over once it is done; one with an end lasts", () => {
    const all = faults();
    const once = fault("double_sign", { to: Number.POSITIVE_INFINITY });
    const lasting = fault("double_sign");
    const later = fault("double_sign", { from: 9, to: Number.POSITIVE_INFINITY });
    const mute = fault("mute", { to: Number.POSITIVE_INFINITY });
    const other = fault("double_sign", { node: b, to: Number.POSITIVE_INFINITY });
    for (const each of [once, lasting, later, mute, other]) all.add(each);
    expect(all.at(3, 0).doubleSign).toEqual([a, b]);
    all.doubleSigned(a, 3);
    expect(all.active).toEqual([lasting, later, mute, other]);
  });
});

describe("faults are over", () => {
  test("after their last height", () => {
    const all = faults();
    const mute = fault("mute");
    all.add(mute);
    all.tryHeight(4, 0n);
    expect(all.over(4, 0n)).toEqual([]);
    expect(all.over(5, 0n)).toEqual([mute]);
  });

  test("after their last height also if they follow from a signer's file", () => {
    const all = faults();
    const signer = fault("signer");
    all.add(signer);
    expect(all.over(4, 0n)).toEqual([]);
    expect(all.over(5, 0n)).toEqual([signer]);
  });

  test("by time before any height was tried, counted from their injection", () => {
    const all = faults();
    const mute = fault("mute");
    all.add(mute);
    expect(all.over(3, 10n * SECOND - 1n)).toEqual([]);
    expect(all.over(3, 10n * SECOND)).toEqual([mute]);
  });

  test("by time at the first height too", () => {
    const all = faults();
    const mute = fault("mute", { from: 1, to: 1 });
    all.add(mute);
    all.tryHeight(1, 10n * SECOND);
    expect(all.over(1, 15n * SECOND - 1n)).toEqual([]);
    expect(all.over(1, 15n * SECOND)).toEqual([mute]);
  });

  test("at a height that does not come, after the block intervals of the heights left", () => {
    const all = faults();
    const mute = fault("mute", { given: SECOND });
    all.add(mute);
    all.tryHeight(3, 10n * SECOND);
    all.tryHeight(3, 99n * SECOND);
    expect(all.over(3, 20n * SECOND - 1n)).toEqual([]);
    expect(all.over(3, 20n * SECOND)).toEqual([mute]);
  });

  test("counted from their injection if that is later", () => {
    const all = faults();
    const mute = fault("mute", { given: 14n * SECOND });
    all.add(mute);
    all.tryHeight(3, 10n * SECOND);
    expect(all.over(3, 24n * SECOND - 1n)).toEqual([]);
    expect(all.over(3, 24n * SECOND)).toEqual([mute]);
  });

  test("not by time if they begin later, have no end or follow from a signer's file", () => {
    const all = faults();
    all.add(fault("mute", { from: 4 }));
    all.add(fault("mute", { to: Number.POSITIVE_INFINITY }));
    all.add(fault("signer"));
    all.tryHeight(3, 0n);
    expect(all.over(3, 999n * SECOND)).toEqual([]);
  });
});

describe("a loaded signer", () => {
  test("refuses from the next height to the one it remembers", () => {
    const all = faults();
    all.loadSigner(a, 9, 5);
    const plain = { given: 0n, by: 0n, probability: 0, groups: [] };
    expect(all.active).toEqual([{ node: a, kind: "signer", from: 5, to: 9, ...plain }]);
    all.loadSigner(a, 5, 5);
    expect(all.active).toMatchObject([{ from: 5, to: 5 }]);
    const slow = fault("slow");
    all.add(slow);
    all.loadSigner(b, 7, 5);
    all.loadSigner(a, 4, 5);
    expect(all.active).toMatchObject([slow, { node: b, from: 5, to: 7 }]);
  });
});

test("the faults of a node are those that act at the height; they move to another chain with it", () => {
  const all = faults();
  const mute = fault("mute");
  const slow = fault("slow", { node: b });
  const partition = fault("partition", { node: undefined });
  for (const each of [mute, slow, partition]) all.add(each);
  expect(all.of(a, 2)).toEqual([]);
  expect(all.of(a, 3)).toEqual([mute]);
  expect(all.of(a, 4)).toEqual([mute]);
  expect(all.of(a, 5)).toEqual([]);
  const other = faults();
  const known = fault("clock", { node: b });
  other.add(known);
  all.transfer(other, [a]);
  expect(all.active).toEqual([slow, partition]);
  expect(other.active).toEqual([known, mute]);
});
