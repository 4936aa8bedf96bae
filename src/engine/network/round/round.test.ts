import { describe, expect, test } from "vitest";
import { SECOND } from "../../../base/time.ts";
import { type RoundFaults, NO_FAULTS as UNDISTURBED } from "../faults/faults.ts";
import type { Node } from "../node/node.ts";
import { appliedAt, appOf, listOf, NO_FAULTS, nodesOf, setOf } from "../testing.ts";
import { absentOf, participationOf, voteRound } from "./round.ts";
import { RoundState } from "./round-state.ts";
import { medianTime, voteTimes } from "./vote-times.ts";
import { groupNodes, type VotingGroup, votingGroupsOf } from "./voting-groups.ts";

/** Four validators of power 10 each; `diverged` ones have a different app hash. */
function world(diverged: readonly number[] = []) {
  const nodes = nodesOf(4) as [Node, Node, Node, Node];
  const list = listOf(nodes);
  for (const i of diverged) nodes[i]?.setApplied(appliedAt(0, 9));
  const index = (i: number): number => list.indexOf((nodes[i] as Node).consensusAddress);
  const groups = (...more: readonly Node[]): VotingGroup[] =>
    votingGroupsOf(groupNodes([...nodes, ...more], list, appOf), list);
  const round = (proposer: number, faults: Partial<RoundFaults> = {}, ...more: Node[]) =>
    voteRound(groups(...more), list, index(proposer), { ...NO_FAULTS, ...faults });
  return { nodes, list, index, groups, round };
}

describe("a round", () => {
  test("without any node has no votes", () => {
    expect(voteRound([], listOf(nodesOf(1)), 0, NO_FAULTS)).toBeUndefined();
  });

  test("decides the proposal if all vote", () => {
    const { round } = world();
    const votes = round(0);
    expect(votes).toMatchObject({ outcome: "decided", waited: false });
    expect(votes?.signers.isFull()).toBe(true);
    expect(votes?.prevotedFor?.isFull()).toBe(true);
  });

  test("without faults comes out as one in which each kind of fault is looked for", () => {
    const outcomes = new Set<string | undefined>();
    for (const diverged of [[], [3], [2, 3], [1, 2, 3]]) {
      const { nodes, list, index } = world(diverged);
      for (const running of [nodes, nodes.slice(0, 3), nodes.slice(1), nodes.slice(2)]) {
        const groups = votingGroupsOf(groupNodes(running, list, appOf), list);
        for (const proposer of nodes.keys()) {
          const votes = voteRound(groups, list, index(proposer), UNDISTURBED);
          outcomes.add(votes?.outcome);
          expect(votes).toEqual(voteRound(groups, list, index(proposer), { ...NO_FAULTS }));
        }
      }
    }
    expect(outcomes).toContain("decided");
    expect(outcomes).toContain("too-few-votes");
    expect(outcomes).toContain("no-proposal");
  });

  test.each(["mute", "refused", "flaky"] as const)("goes without a %s validator", (kind) => {
    const { nodes, index, round } = world();
    const votes = round(0, { [kind]: [nodes[1]] });
    expect(votes?.outcome).toBe("decided");
    expect(votes && absentOf(votes.signers)).toEqual([index(1)]);
    expect(votes?.participating.get(index(1))).toBe(false);
  });

  test("has too few votes at two thirds or less", () => {
    const { nodes, round } = world();
    expect(round(0, { mute: [nodes[2], nodes[3]] })?.outcome).toBe("too-few-votes");
    expect(round(0, { mute: [nodes[3]] })?.outcome).toBe("decided");
  });

  test("has no proposal if the proposer is silent or slow", () => {
    const { nodes, index, round } = world();
    expect(round(0, { mute: [nodes[0]] })).toMatchObject({
      outcome: "no-proposal",
      prevotedFor: undefined,
    });
    const slow = round(0, { slow: [nodes[0]] });
    expect(slow?.outcome).toBe("no-proposal");
    expect(slow && absentOf(slow.signers)).toEqual([index(0)]);
  });

  test("waits for slow validators only if there is no quorum without them", () => {
    const { nodes, index, round } = world();
    const one = round(0, { slow: [nodes[1]] });
    expect(one).toMatchObject({ outcome: "decided", waited: false });
    expect(one && absentOf(one.signers)).toEqual([index(1)]);
    const two = round(0, { slow: [nodes[1], nodes[2]] });
    expect(two).toMatchObject({ outcome: "decided", waited: true });
    expect(two?.signers.isFull()).toBe(true);
  });

  test("refuses the proposal of a diverged validator, and decides another one", () => {
    const { index, round } = world([3]);
    expect(round(3)?.outcome).toBe("proposal-refused");
    const votes = round(0);
    expect(votes?.outcome).toBe("decided");
    expect(votes && absentOf(votes.signers)).toEqual([index(3)]);
    expect(votes?.participating.get(index(3))).toBe(true);
  });

  test("splits the prevotes if no state has a quorum", () => {
    const { round, nodes, index } = world([2, 3]);
    expect(round(0)?.outcome).toBe("prevotes-split");
    const votes = round(3, { slow: [nodes[0], nodes[1]] });
    expect(votes?.outcome).toBe("prevotes-split");
    expect(votes && absentOf(votes.signers)).toEqual([]);
    expect(votes?.prevotedFor?.get(index(3))).toBe(true);
    expect(votes?.prevotedFor?.get(index(0))).toBe(false);
  });

  test("leaves out other partitions", () => {
    const { nodes, round } = world();
    nodes[3].joinPartition(1);
    expect(round(0)?.outcome).toBe("decided");
    expect(round(3)?.outcome).toBe("no-proposal");
  });

  test("has the vote of a silent or slow node's twin", () => {
    const { nodes, list, groups, round } = world();
    const twin = nodes[0].twin("val-0-twin");
    expect(round(0, { mute: [nodes[0]] }, twin)?.outcome).toBe("decided");
    expect(round(0, { mute: [nodes[0], twin] }, twin)?.outcome).toBe("no-proposal");
    expect(round(0, { slow: [nodes[0]] }, twin)?.outcome).toBe("decided");
    expect(round(0, { slow: [nodes[0]], mute: [twin] }, twin)?.outcome).toBe("no-proposal");
    const [group] = groups(twin) as [VotingGroup];
    const { voters, onTime } = participationOf(group, list, { ...NO_FAULTS, slow: [nodes[1]] });
    expect(voters.isFull()).toBe(true);
    expect(onTime.isFull()).toBe(false);
  });
});

describe("the times of votes", () => {
  const clocks = (node: Node, by: bigint) => [{ node, by }];

  test("are the clock's, later than the block, or a node's own", () => {
    const { nodes, list, index, groups } = world();
    const [group] = groups() as [VotingGroup];
    const usual = voteTimes(100n * SECOND, 0n, group, list, []);
    expect(usual.usual).toBe(100n * SECOND);
    expect(usual.others.size).toBe(0);
    const wrong = voteTimes(100n * SECOND, 0n, group, list, clocks(nodes[1], 7n * SECOND));
    expect([...wrong.others]).toEqual([[index(1), 107n * SECOND]]);
    const none = voteTimes(100n * SECOND, 0n, group, list, clocks(nodes[1], 0n));
    expect(none.others.size).toBe(0);
  });

  test("a clock counts if the node votes in the group, also when another node has changed since", () => {
    const { nodes, list, groups } = world();
    const [group] = groups() as [VotingGroup];
    nodes[0].halt("exited", { kind: "crashed", height: 1 });
    expect(voteTimes(100n, 0n, group, list, clocks(nodes[1], SECOND)).others.size).toBe(1);
    const [, , , , stranger] = nodesOf(5) as readonly Node[];
    const absent = voteTimes(100n, 0n, group, list, clocks(stranger as Node, SECOND));
    expect(absent.others.size).toBe(0);
  });

  test("a twin's clock counts only where its original does not vote", () => {
    const { nodes, list, groups, index } = world();
    const twin = nodes[0].twin("val-0-twin");
    const [both] = groups(twin) as [VotingGroup];
    expect(voteTimes(100n, 0n, both, list, clocks(twin, SECOND)).others.size).toBe(0);
    const alone = votingGroupsOf(groupNodes([twin, nodes[1]], list, appOf), list)[0];
    if (alone === undefined) throw new Error("no group");
    expect([...voteTimes(100n, 0n, alone, list, clocks(twin, SECOND)).others.keys()]).toEqual([
      index(0),
    ]);
  });

  test("give the next block's time as their median by power", () => {
    const { list, groups } = world();
    const { signers } = groups()[0] as VotingGroup;
    const others = (...times: readonly bigint[]) => new Map(times.map((time, i) => [i, time]));
    expect(medianTime({ usual: 50n, others: others() }, signers, list)).toBe(50n);
    expect(medianTime({ usual: 50n, others: others(90n) }, signers, list)).toBe(50n);
    expect(medianTime({ usual: 50n, others: others(90n, 91n, 92n) }, signers, list)).toBe(90n);
    expect(medianTime({ usual: 50n, others: others(1n, 2n, 3n, 4n) }, signers, list)).toBe(2n);
  });
});

describe("the state of rounds", () => {
  test("a failed round passes its timeouts and the proposer's turn; the next height begins anew", () => {
    const set = setOf(nodesOf(3));
    const state = new RoundState(1000n);
    expect([state.clock, state.nextTime, state.round]).toEqual([1000n, 1000n, 0]);
    const first = state.proposer(set);
    state.fail("no-proposal", set);
    expect(state.round).toBe(1);
    expect(state.clock).toBeGreaterThan(1000n);
    expect(state.proposer(set)).not.toBe(first);
    expect(set.proposer()).toBe(first);
    state.beginHeight(2000n);
    expect([state.nextTime, state.round, state.proposer(set)]).toEqual([2000n, 0, first]);
  });

  test("the clock goes forward only", () => {
    const state = new RoundState(1000n);
    state.advanceClock(900n);
    expect(state.clock).toBe(1000n);
    state.advanceClock(1100n);
    state.passBlockTime(50n);
    expect(state.clock).toBe(1150n);
    state.waitForPrecommits();
    expect(state.clock).toBe(1150n + SECOND);
  });

  test("a copy resumes round, proposer and block time, and goes its own way; the clock stays", () => {
    const set = setOf(nodesOf(3));
    const state = new RoundState(1000n);
    state.beginHeight(5n);
    state.fail("no-proposal", set);
    const copy = state.copy();
    const proposer = state.proposer(set);
    state.fail("no-proposal", set);
    expect([copy.round, copy.nextTime, copy.proposer(set)]).toEqual([1, 5n, proposer]);
    const other = new RoundState(7n);
    other.resume(state);
    expect([other.clock, other.round, other.nextTime]).toEqual([7n, 2, 5n]);
  });
});
