import { beforeEach, describe, expect, test } from "vitest";
import { equal } from "../../../base/bytes.ts";
import { SECOND } from "../../../base/time.ts";
import type { App, AppliedOutcome } from "../../app/app.ts";
import { V1 } from "../../app/binary.ts";
import { blockIdText } from "../../consensus/block-id.ts";
import type { Evidence } from "../../consensus/evidence.ts";
import { DEFAULT_CONSENSUS_PARAMS } from "../../consensus/params.ts";
import { ValidatorSets } from "../../consensus/validator-sets.ts";
import { ALL_RESIDENT } from "../chain/block-store.ts";
import type { Fault } from "../faults/faults.ts";
import type { Network } from "../network.ts";
import type { Applied } from "../node/applied.ts";
import type { Node } from "../node/node.ts";
import { appliedAt, nodesOf, setOf } from "../testing.ts";
import { Chains } from "./chains.ts";

/** Blocks change no state: chains differ in their headers only. */
const APP = {
  binary: V1,
  loadStores: (state) => state,
  finalizeBlock: (state) =>
    ({
      kind: "applied",
      state,
      txResults: [],
      events: [],
      validatorUpdates: [],
      logs: [],
      files: [],
      steps: [],
    }) as AppliedOutcome,
} as Partial<App> as App;

const GENESIS: Applied = {
  ...appliedAt(0),
  state: { storeNames: ["bank"], appHash: appliedAt(0).appHash } as never,
};

let chains: Chains;
let a: Node;
let b: Node;
let c: Node;
let d: Node;
let committed: number[];

beforeEach(() => {
  const nodes = nodesOf(4, GENESIS);
  [a, b, c, d] = nodes as [Node, Node, Node, Node];
  committed = [];
  const config = {
    seed: 7,
    chainId: "lab-1",
    genesisTime: 0n,
    blockTime: 5n * SECOND,
    commits: "compact",
    paging: ALL_RESIDENT,
    consensusParams: DEFAULT_CONSENSUS_PARAMS,
    upgradeHeight: "plan",
    genesis: GENESIS,
    initial: { sets: ValidatorSets.genesis(setOf(nodes)), lastAbsent: [] },
    appOf: () => APP,
  } as const;
  chains = new Chains(config, nodes, ({ height }) => committed.push(height));
});

const rounds = (count: number): void => {
  for (let i = 0; i < count; i++) chains.advance();
};
const upTo = (height: number): number[] => Array.from({ length: height }, (_, i) => i + 1);
const heights = (): number[] => chains.all.map(({ ledger }) => ledger.decided);
const fork = (): Network => {
  const [first] = chains.forks;
  if (first === undefined) throw new Error("there is no fork");
  return first;
};
const twinOf = (node: Node): Node => {
  const twin = node.twin(`${node.name}-twin`);
  chains.addBeside(twin, node);
  return twin;
};
const fault = (node: Node, kind: Fault["kind"]): Fault => ({
  node,
  kind,
  from: 1,
  to: Number.POSITIVE_INFINITY,
  given: 0n,
  by: 0n,
  probability: 0,
  groups: [],
});
const partition = (...groups: readonly (readonly Node[])[]): void =>
  chains.partition(groups.map((nodes) => nodes.map(({ name }) => name)));

/**
 * Five blocks, then val-0 on one side and val-1 on the other, with nodes of val-2 and val-3 on
 * both. The proposers of the next heights are val-3, val-1, val-0 and val-2: both sides have the
 * same block 6, and the fork decides block 7 a round earlier.
 */
function split(): { readonly c2: Node; readonly d2: Node } {
  rounds(5);
  const [c2, d2] = [twinOf(c), twinOf(d)];
  partition([a, c, d], [b, c2, d2]);
  return { c2, d2 };
}

describe("a partitioned network", () => {
  test("forks if both sides have more than two thirds of the power", () => {
    const { all, forks } = chains;
    expect(forks).toEqual([]);
    const { c2, d2 } = split();
    expect(chains.forks).toHaveLength(1);
    expect(chains.all).toEqual([chains.main, fork()]);
    expect([all, forks], "lists of before stay as they were").toEqual([[chains.main], []]);
    expect(chains.all, "a list is made once").toBe(chains.all);
    expect(fork().nodes).toEqual([b, c2, d2]);
    expect(chains.main.nodes).toEqual([a, c, d]);
    expect(chains.main.otherForks.nodes).toEqual([b, c2, d2]);
    expect(chains.common).toBe(5);
    expect(fork().otherForks).toEqual({ nodes: [], common: undefined });
    expect(fork().clock).toBe(chains.main.clock);
    expect(chains.advance()).toBe(6);
    expect(chains.advance()).toBeUndefined();
    expect(heights()).toEqual([6, 7]);
    expect(committed).toEqual(upTo(6));
  });

  test("does not fork if only one side has them", () => {
    rounds(5);
    partition([a, b, c], [d]);
    rounds(4);
    expect(chains.forks).toEqual([]);
    expect(chains.common).toBe(5);
    expect(d.applied.height).toBe(5);
  });

  test("in which no node runs has one chain, which stands still", () => {
    rounds(2);
    for (const node of [a, b, c, d]) node.stop();
    partition([a], [b]);
    rounds(2);
    expect(heights()).toEqual([2]);
  });

  test("forks later, from the block before the partition, if the other side grows strong later", () => {
    rounds(5);
    const [c2, d2] = [twinOf(c), twinOf(d)];
    d2.stop();
    partition([a, c, d], [b, c2, d2]);
    rounds(4);
    expect(chains.forks).toEqual([]);
    const { decided } = chains.main.ledger;
    expect(decided).toBeGreaterThan(6);
    chains.start(d2);
    rounds(1);
    expect(fork().ledger.decided).toBe(6);
    expect(chains.common).toBe(5);
    expect(fork().clock).toBeGreaterThan(chains.main.clock - 10n * SECOND);
  });

  test("forks in the round that has been reached, if no side has decided a block since", () => {
    rounds(5);
    const [c2, d2] = [twinOf(c), twinOf(d)];
    d2.stop();
    chains.main.faults.add(fault(a, "mute"));
    partition([a, c, d], [b, c2, d2]);
    rounds(2);
    expect([chains.main.ledger.decided, chains.main.round]).toEqual([5, 2]);
    chains.start(d2);
    // The proposer of round 2 is val-0.
    rounds(2);
    expect(heights()).toEqual([5, 6]);
    expect(fork().ledger.blocks.roundAt(6)).toBe(3);
  });

  test("has nodes, ledgers and blocks by chain", () => {
    const { c2 } = split();
    rounds(2);
    expect([a, c].map((node) => chains.of(node))).toEqual([chains.main, chains.main]);
    expect([b, c2].map((node) => chains.of(node))).toEqual([fork(), fork()]);
    expect(chains.ledgerOf(b)).toBe(fork().ledger);
    expect(chains.ledgerOf(a)).toBe(chains.main.ledger);
    expect(upTo(8).map((height) => chains.appliedAt(b, height)?.height)).toEqual([
      ...Array(5).fill(undefined),
      6,
      7,
      undefined,
    ]);
    expect(chains.appliedAt(a, 6)).toBeUndefined();
  });

  test("starts, adds and removes nodes on their own chain", () => {
    const { c2 } = split();
    b.stop();
    chains.start(b);
    const b2 = twinOf(b);
    expect(fork().nodes).toContain(b2);
    expect(chains.main.nodes).not.toContain(b2);
    const [of_b2, of_c2] = [fault(b2, "slow"), fault(c2, "slow")];
    for (const each of [of_b2, of_c2]) fork().faults.add(each);
    chains.remove(b2);
    expect(fork().nodes).not.toContain(b2);
    expect(fork().faults.active).toEqual([of_c2]);
    rounds(1);
    expect([b.applied.height, b.process]).toEqual([6, "running"]);
  });

  test("takes the faults of nodes along to their fork and back", () => {
    const [of_a, of_b] = [fault(a, "slow"), fault(b, "slow")];
    for (const each of [of_a, of_b]) chains.main.faults.add(each);
    split();
    expect(chains.main.faults.active).toEqual([of_a]);
    expect(fork().faults.active).toEqual([of_b]);
    chains.partition([]);
    expect(chains.main.faults.active).toEqual([of_a, of_b]);
  });
});

describe("rejoined partitions", () => {
  const heal = (): void => chains.partition([]);
  /** Validators named in duplicate-vote evidence. */
  const named = (evidence: readonly Evidence[]): string[] =>
    evidence
      .flatMap((one) => (one.kind === "duplicate-vote" ? [one.voteA.validatorAddress] : []))
      .map((address) => [a, b, c, d].find((n) => equal(n.consensusAddress, address))?.name ?? "")
      .toSorted();

  /** Validators named in evidence after the next block. */
  const accused = (): string[] => {
    const { nodes, faults } = chains.main;
    faults.drop(faults.active);
    for (const node of nodes) if (node.isTwin) node.stop();
    rounds(1);
    return named(chains.main.ledger.pool.pending);
  };

  test("with the same blocks go on as one, on the records of the main chain", () => {
    const { c2, d2 } = split();
    rounds(1);
    const [record] = chains.main.rounds.of(6);
    heal();
    expect(chains.forks).toEqual([]);
    expect(chains.common).toBe(0);
    expect(chains.main.nodes).toEqual([a, c, d, b, c2, d2]);
    expect(chains.main.rounds.of(6)).toEqual([record]);
    expect(accused()).toEqual([]);
    expect(committed).toEqual(upTo(7));
    expect([a, b].map(({ applied }) => applied.height)).toEqual([7, 7]);
  });

  test("take the fork's blocks if the main chain has none of their heights", () => {
    split();
    rounds(2);
    expect(heights()).toEqual([6, 7]);
    const { hash } = fork().ledger.blocks.blockIdAt(7);
    heal();
    expect(chains.main.ledger.blocks.blockIdAt(7).hash).toEqual(hash);
    expect(committed).toEqual(upTo(7));
    expect([a.applied.height, a.process]).toEqual([7, "running"]);
    expect([a, b, c].map(({ orphaned }) => orphaned)).toEqual(Array(3).fill(undefined));
    // val-2 and val-3 had precommitted nil in the round in which the fork decided.
    expect(accused()).toEqual(["val-2", "val-3"]);
  });

  test("keep the main chain's blocks if the fork has none of their heights", () => {
    split();
    fork().faults.add(fault(b, "mute"));
    rounds(1);
    expect(heights()).toEqual([6, 5]);
    const { hash } = chains.main.ledger.blocks.blockIdAt(6);
    heal();
    expect(chains.main.ledger.blocks.blockIdAt(6).hash).toEqual(hash);
    expect(committed).toEqual(upTo(6));
    expect([b.applied.height, b.process]).toEqual([6, "running"]);
    expect(accused()).toEqual(["val-2", "val-3"]);
  });

  test("keep the evidence that waits on the main chain when they take the fork's blocks", () => {
    split();
    chains.main.faults.add(fault(a, "double_sign"));
    rounds(2);
    expect(heights()).toEqual([6, 7]);
    heal();
    expect(named(chains.main.ledger.pool.pending)).toEqual(["val-0"]);
  });

  test("keep the evidence that waits on the fork", () => {
    split();
    fork().faults.add(fault(b, "double_sign"));
    rounds(1);
    expect(heights()).toEqual([6, 6]);
    expect(chains.main.ledger.pool.pending).toEqual([]);
    heal();
    expect(named(chains.main.ledger.pool.pending)).toEqual(["val-1"]);
  });

  test("with two blocks of one height keep the main chain's, and halt the fork's nodes", () => {
    const { c2, d2 } = split();
    rounds(3);
    expect(heights()).toEqual([7, 7]);
    const [ours, theirs] = chains.all.map(({ ledger }) => blockIdText(ledger.blocks.blockIdAt(7)));
    expect(ours).not.toBe(theirs);
    heal();
    const mismatch = { kind: "wrong_last_block_id", expected: theirs, got: ours };
    for (const node of [b, c2, d2]) {
      expect(node).toMatchObject({ process: "halted", haltCause: mismatch, orphaned: mismatch });
    }
    expect(chains.main.halts.since(0).map(({ height }) => height)).toEqual([8, 8, 8]);
    expect([a, c, d].map(({ orphaned }) => orphaned)).toEqual(Array(3).fill(undefined));
    expect(committed).toEqual(upTo(7));
  });

  test("keep the main chain even if the fork is longer", () => {
    split();
    rounds(3);
    chains.main.faults.add(fault(a, "mute"));
    rounds(4);
    expect(heights()).toEqual([7, 11]);
    const [ours, theirs] = chains.all.map(({ ledger }) => blockIdText(ledger.blocks.blockIdAt(7)));
    heal();
    expect(chains.main.ledger.decided).toBe(7);
    expect(b.orphaned).toEqual({ kind: "wrong_last_block_id", expected: theirs, got: ours });
    expect(chains.main.halts.since(0)[0]?.height).toBe(8);
    expect(committed).toEqual(upTo(7));
  });

  test("of a chain that forked before its first block halt the fork's nodes too", () => {
    // val-2 proposes block 1, and is on one side only.
    const [a2, d2] = [twinOf(a), twinOf(d)];
    partition([c, a, d], [b, a2, d2]);
    rounds(2);
    expect(heights()).toEqual([2, 1]);
    heal();
    expect([b.process, c.process]).toEqual(["halted", "running"]);
  });

  test("accuse no validator whose node on the fork is gone", () => {
    const { c2 } = split();
    rounds(2);
    chains.remove(c2);
    heal();
    expect(accused()).toEqual(["val-3"]);
  });

  test("may be partitioned anew", () => {
    const { c2, d2 } = split();
    rounds(1);
    partition([a, b, c], [d, c2, d2]);
    expect(chains.forks).toEqual([]);
    expect(chains.common).toBe(6);
    rounds(4);
    expect(d.applied.height).toBe(6);
  });

  describe("with two blocks of height 7", () => {
    const crashed = { kind: "crashed", height: 7 } as const;
    const back = (to: number): void => {
      const applied = chains.appliedAt(b, to) ?? chains.main.ledger.genesis;
      b.setApplied({ ...applied, height: to });
    };

    test.each<[string, () => void, string]>([
      ["that stopped after it", () => b.stop(), "stopped"],
      [
        "that halted over it: it has stored it",
        () => {
          back(6);
          b.halt("halted", crashed);
        },
        "halted",
      ],
      [
        "that exited over it: it has stored it",
        () => {
          back(6);
          b.halt("exited", crashed);
        },
        "exited",
      ],
    ])("orphan a node %s", (_, change, process) => {
      split();
      rounds(3);
      change();
      const ids = chains.all.map(({ ledger }) => blockIdText(ledger.blocks.blockIdAt(7)));
      heal();
      expect(b.process).toBe(process);
      expect(b.orphaned).toMatchObject({ expected: ids[1], got: ids[0] });
    });

    test.each<[string, () => void]>([
      [
        "that stopped before it",
        () => {
          back(6);
          b.stop();
        },
      ],
      [
        "that exited over the block before",
        () => {
          back(5);
          b.halt("exited", crashed);
        },
      ],
      [
        "that exited over it and has lost its blocks",
        () => {
          back(6);
          b.halt("exited", crashed);
          b.setBlocksLost(true);
        },
      ],
    ])("leave a node %s alone", (_, change) => {
      split();
      rounds(3);
      change();
      heal();
      expect(b.orphaned).toBeUndefined();
    });
  });
});
