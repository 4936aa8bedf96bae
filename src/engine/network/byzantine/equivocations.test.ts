import { beforeEach, describe, expect, test, vi } from "vitest";
import { Bitset } from "../../consensus/bitset.ts";
import { NIL_BLOCK_ID } from "../../consensus/block-id.ts";
import type { Notice } from "../../consensus/duplicate-vote.ts";
import { PRECOMMIT, PREVOTE, type Vote, verifyVote } from "../../consensus/vote.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { Node } from "../node/node.ts";
import { NodeLog } from "../node/node-log.ts";
import { signerState, signerStateJson } from "../node/signer-state.ts";
import type { VotingGroup } from "../round/voting-groups.ts";
import { appliedAt, decide, ledgerOf, NO_FAULTS, nodesOf, setOf } from "../testing.ts";
import { CONFLICT_FROM_OURSELVES } from "./conflicting-votes.ts";
import { doubleSignersIn } from "./double-sign.ts";
import { failedSigning, PendingEquivocations, type PrecommittedBlock } from "./equivocations.ts";

let a: Node;
let b: Node;
let c: Node;
let ledger: Ledger;
let log: NodeLog;
let pending: PendingEquivocations;

beforeEach(() => {
  [a, b, c] = nodesOf(3) as [Node, Node, Node];
  ledger = ledgerOf(setOf([a, b, c]));
  log = new NodeLog();
  pending = new PendingEquivocations("lab-1", ledger, log);
});

let noticed: (Notice | undefined)[];

/** Reports at a height and returns the votes that became evidence. */
function reported(height: number, nodes: readonly Node[]): readonly (readonly [Vote, Vote])[] {
  const votes: (readonly [Vote, Vote])[] = [];
  noticed = [];
  const spy = vi.spyOn(ledger.pool, "reportConflictingVotes");
  spy.mockImplementation((voteA, voteB, notice) => {
    votes.push([voteA, voteB]);
    noticed.push(notice);
  });
  pending.report(height, nodes);
  spy.mockRestore();
  return votes;
}

const indexOf = (node: Node): number => ledger.voting.list.indexOf(node.consensusAddress);
const votesOf = (node: Node, height = 1): readonly [Vote, Vote] => {
  const vote = { height, validatorAddress: node.consensusAddress } as Vote;
  return [vote, vote];
};

describe("pending equivocations", () => {
  test("are reported once, at their height, by another validator that runs in the partition", () => {
    const votes = votesOf(a, 3);
    pending.note({ node: a, votes, colluding: [] });
    expect(reported(2, [a, b])).toEqual([]);
    expect(reported(3, [a])).toEqual([]);
    expect(reported(3, [a, a.twin("val-0-twin")])).toEqual([]);
    b.joinPartition(1);
    expect(reported(3, [a, b])).toEqual([]);
    c.stop();
    expect(reported(3, [a, b, c])).toEqual([]);
    b.joinPartition(0);
    expect(reported(3, [a, b, c])).toEqual([votes]);
    expect(noticed).toEqual([{ height: 3, nodes: [b.name], more: 0 }]);
    expect(reported(3, [a, b, c])).toEqual([]);
  });

  test("are not reported by colluding validators, nor by their twins", () => {
    pending.note({ node: a, votes: votesOf(a), colluding: [a, b] });
    expect(reported(1, [a, b, b.twin("val-1-twin")])).toEqual([]);
    expect(reported(4, [a, b, c])).toHaveLength(1);
  });

  test("say who noticed them: the first eight by name, the others by their number", () => {
    const [first, ...others] = nodesOf(12) as [Node, ...Node[]];
    pending.note({ node: first, votes: votesOf(first), colluding: [] });
    reported(1, [first, ...others]);
    const nodes = others.slice(0, 8).map(({ name }) => name);
    expect(noticed).toEqual([{ height: 1, nodes, more: 3 }]);
  });

  test("of another fork are merged", () => {
    const other = new PendingEquivocations("lab-1", ledger, log);
    other.note({ node: a, votes: votesOf(a), colluding: [] });
    pending.merge(other);
    expect(reported(1, [b])).toHaveLength(1);
  });
});

describe("a double sign in a block", () => {
  const block = (signers: readonly Node[]): PrecommittedBlock => ({
    parts: { height: 1, round: 2, voting: ledger.voting.list } as never,
    hash: new Uint8Array(32).fill(7),
    signers: Bitset.of(3, signers.map(indexOf)),
    times: { usual: 50n, others: new Map([[indexOf(b), 60n]]) },
  });

  test("is a signed precommit for the block and one for a block that does not exist", () => {
    expect(pending.castInBlock([b], [], block([a, b, c]), [a, b, c])).toEqual([b]);
    const [[first, second] = []] = reported(1, [a]);
    for (const vote of [first, second]) {
      expect(vote).toMatchObject({
        type: PRECOMMIT,
        height: 1,
        round: 2,
        timestamp: 60n,
        validatorIndex: indexOf(b),
      });
      expect(vote && verifyVote(b.key.publicKey, "lab-1", vote)).toBe(true);
    }
    expect(first?.blockId.hash).toEqual(new Uint8Array(32).fill(7));
    expect(second?.blockId.hash).not.toEqual(first?.blockId.hash);
  });

  test("is cast by every double signer, whatever its place in the validator set", () => {
    expect(pending.castInBlock([a, b, c], [], block([a, b, c]), [a, b, c])).toEqual([a, b, c]);
    expect(reported(1, [a, b, c])).toHaveLength(3);
  });

  test("needs a precommit in the commit", () => {
    const stranger = nodesOf(4)[3] as Node;
    expect(pending.castInBlock([a, stranger], [], block([b, c]), [a, b, c])).toEqual([]);
    expect(log.seq).toBe(0);
  });

  test("is cast once for each validator, and logged by all nodes with its key", () => {
    const twin = a.twin("val-0-twin");
    expect(pending.castInBlock([a, twin], [], block([a]), [a, b, twin])).toEqual([a, twin]);
    expect(reported(1, [b])).toHaveLength(1);
    expect(log.since(0)).toEqual([
      { ...CONFLICT_FROM_OURSELVES, seq: 1, height: 1, nodes: [a, twin] },
    ]);
  });

  test("has the usual time unless the node's clock is off, and colluding nodes do not report it", () => {
    pending.castInBlock([a], [c], block([a]), [a]);
    expect(reported(1, [c])).toEqual([]);
    expect(reported(1, [b])[0]?.[0].timestamp).toBe(50n);
  });
});

describe("a node that lost the latest block", () => {
  test("precommits nil beside the block that its validator signed, and its signer remembers that", () => {
    decide(ledger, [], 1);
    pending.castAtLatestBlock(a, { height: 0, round: 0 }, 9n);
    const [[first, second] = []] = reported(1, [b]);
    expect(first).toMatchObject({ type: PRECOMMIT, height: 1, round: 1, timestamp: 9n });
    expect(first?.blockId).toEqual(ledger.blocks.blockIdAt(1));
    expect(second?.blockId).toEqual(NIL_BLOCK_ID);
    expect(a.placedSignerState).toMatchObject({ content: signerStateJson(1, 1, 3), at: 1 });
    expect(log.since(0)).toMatchObject([{ ...CONFLICT_FROM_OURSELVES, height: 1, nodes: [a] }]);
  });

  test("does so whatever its place in the validator set", () => {
    decide(ledger);
    for (const node of [a, b, c]) pending.castAtLatestBlock(node, { height: 0, round: 0 }, 9n);
    expect(reported(1, [a, b, c])).toHaveLength(3);
  });

  test("signs nothing if its signer remembers the height, and says so", () => {
    decide(ledger);
    pending.castAtLatestBlock(a, { height: 1, round: 0 }, 9n);
    expect(reported(1, [b])).toEqual([]);
    expect(log.since(0)).toMatchObject([{ ...failedSigning("conflicting data"), nodes: [a] }]);
    expect(failedSigning("conflicting data")).toEqual({
      level: "error",
      module: "consensus",
      text: "failed signing vote",
      fields: { err: "error signing vote: conflicting data" },
    });
  });

  test("signs nothing twice if its validator did not sign the block, or is none", () => {
    decide(ledger, [indexOf(a)]);
    pending.castAtLatestBlock(a, { height: 0, round: 0 }, 9n);
    pending.castAtLatestBlock(nodesOf(4)[3] as Node, { height: 0, round: 0 }, 9n);
    expect(reported(1, [b])).toEqual([]);
    expect(log.seq).toBe(0);
  });
});

describe("a node restarted at the undecided height", () => {
  const votedNil = (height = 2, ...more: readonly Node[]) => {
    decide(ledger);
    ledger.commit(appliedAt(1));
    for (const node of [a, ...more]) {
      node.share({ applied: appliedAt(1), lastFailedRound: { height, round: 3, silent: [] } });
    }
  };

  test("prevotes a block where it had voted nil, if its signer has forgotten", () => {
    votedNil();
    pending.castAtUndecidedHeight(a, { height: 1, round: 0 }, 9n);
    const [[first, second] = []] = reported(2, [b]);
    expect(first).toMatchObject({ type: PREVOTE, height: 2, round: 3, timestamp: 9n });
    expect(second?.blockId).toEqual(NIL_BLOCK_ID);
    expect(signerState(a, ledger)).toBe(signerStateJson(2, 3, 2));
  });

  test("does so whatever its place in the validator set, but not outside of it", () => {
    const stranger = nodesOf(4)[3] as Node;
    const nodes = [a, b, c, stranger];
    votedNil(2, b, c, stranger);
    for (const node of nodes) pending.castAtUndecidedHeight(node, { height: 1, round: 0 }, 9n);
    expect(
      reported(2, nodes)
        .map(([vote]) => vote.validatorIndex)
        .toSorted(),
    ).toEqual([0, 1, 2]);
  });

  test.each<[string, () => { readonly height: number; readonly round: number }]>([
    ["remembers the height", () => ({ height: 2, round: 3 })],
    [
      "does not run",
      () => {
        a.stop();
        return { height: 1, round: 0 };
      },
    ],
    [
      "is behind",
      () => {
        a.setApplied(appliedAt(0));
        return { height: 1, round: 0 };
      },
    ],
  ])("signs nothing twice if it %s", (_, position) => {
    votedNil();
    pending.castAtUndecidedHeight(a, position(), 9n);
    expect(reported(2, [b])).toEqual([]);
  });

  test("nor if it has seen no round fail", () => {
    decide(ledger);
    ledger.commit(appliedAt(1));
    a.setApplied(appliedAt(1));
    pending.castAtUndecidedHeight(a, { height: 1, round: 0 }, 9n);
    expect(reported(2, [b])).toEqual([]);
  });

  test("nor if it has not voted at that height", () => {
    votedNil(1);
    pending.castAtUndecidedHeight(a, { height: 0, round: 0 }, 9n);
    expect(reported(2, [b])).toEqual([]);
  });
});

describe("double signers of a voting group", () => {
  const groupOf = (...nodes: readonly Node[]): VotingGroup => ({ groups: [{ nodes }] }) as never;

  test("are the nodes with the fault that vote in it", () => {
    const faults = { ...NO_FAULTS, doubleSign: [a, b, c] };
    expect(doubleSignersIn(groupOf(a, b), [], faults)).toEqual([a, b]);
    expect(doubleSignersIn(groupOf(a, b, c), [], { ...faults, mute: [a] })).toEqual([b, c]);
    expect(doubleSignersIn(groupOf(a, b, c), [], { ...faults, refused: [b] })).toEqual([a, c]);
    expect(doubleSignersIn(groupOf(a, b, c), [], { ...faults, flaky: [c] })).toEqual([a, b]);
  });

  test("and one twin for each validator that votes with two nodes", () => {
    const twin = a.twin("val-0-twin");
    const second = a.twin("val-0-twin-twin");
    expect(doubleSignersIn(groupOf(a, b, twin), [twin], NO_FAULTS)).toEqual([twin]);
    expect(doubleSignersIn(groupOf(b, twin), [twin], NO_FAULTS)).toEqual([]);
    expect(doubleSignersIn(groupOf(a, b), [twin], NO_FAULTS)).toEqual([]);
    expect(doubleSignersIn(groupOf(a, twin, second), [twin, second], NO_FAULTS)).toEqual([twin]);
    expect(doubleSignersIn(groupOf(twin, second), [twin, second], NO_FAULTS)).toEqual([twin]);
    const refused = (node: Node) => ({ ...NO_FAULTS, refused: [node] });
    expect(doubleSignersIn(groupOf(a, twin), [twin], refused(twin))).toEqual([]);
    expect(doubleSignersIn(groupOf(a, twin), [twin], refused(a))).toEqual([]);
  });
});
