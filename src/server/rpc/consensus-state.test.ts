import { describe, expect, test } from "vitest";
import { V1 } from "../../engine/app/binary.ts";
import { Simulation } from "../../engine/simulation/simulation.ts";
import { runRounds, worldSpec } from "../../engine/simulation/testing.ts";
import { consensusState, dumpedState } from "./consensus-state.ts";

/** The tested parts of both answers. */
interface State {
  readonly [key: string]: unknown;
  readonly height_vote_set: readonly { readonly round: number; readonly prevotes: string[] }[];
  readonly votes: unknown;
  readonly proposer: { readonly address: string; readonly index: number };
  readonly validators: {
    readonly validators: readonly Readonly<Record<string, string>>[];
    readonly proposer: Readonly<Record<string, string>>;
  };
}

const stateIn = (answer: object) => (answer as { readonly round_state: State }).round_state;

/** Three blocks with powers 400, 300, 200 and 100, then four rounds without the stopped nodes. */
function world(stopped: readonly string[]): Simulation {
  const validators = [400n, 300n, 200n, 100n].map((power, i) => ({
    name: `val-${i}`,
    stake: power * 1_000_000n,
    binary: V1.name,
  }));
  const sim = Simulation.create(worldSpec({ validators }));
  runRounds(sim, 3);
  for (const node of stopped) sim.apply({ type: "node", node, action: { kind: "stop" } });
  runRounds(sim, 4);
  return sim;
}

const NONE = "nil-Vote";

describe("a height that too little power votes on", () => {
  const answers = () => {
    const sim = world(["val-1", "val-2", "val-3"]);
    const dump = dumpedState(sim);
    return { short: stateIn(consensusState(sim)), dump, dumped: stateIn(dump) };
  };

  test("has a set of votes for each round that failed, and one without votes for the one to come", () => {
    const { short, dumped } = answers();
    const { "height/round/step": at, start_time, height_vote_set: sets } = short;
    expect(at).toBe("4/4/1");
    expect(start_time).toBe("2026-01-01T00:00:44Z");
    expect(sets.map(({ round }) => round)).toEqual([0, 1, 2, 3, 4]);
    expect(sets[4]).toEqual({
      round: 4,
      prevotes: [NONE, NONE, NONE, NONE],
      prevotes_bit_array: "BA{4:____} 0/1000 = 0.00",
      precommits: [NONE, NONE, NONE, NONE],
      precommits_bit_array: "BA{4:____} 0/1000 = 0.00",
    });
    expect(dumped.votes).toEqual(sets);
  });

  test("counts the power that voted, for the block or for nil, and not the absent power", () => {
    const [first, second] = answers().short.height_vote_set;
    // val-0 proposed the block of round 0; its prevote alone does not allow a precommit.
    expect(first).toEqual({
      round: 0,
      prevotes: [
        expect.stringMatching(/^Vote\{0:[0-9A-F]{12} 4\/00\/.*\(Prevote\) BLOCK\}$/),
      ].concat([NONE, NONE, NONE]),
      prevotes_bit_array: "BA{4:x___} 400/1000 = 0.40",
      precommits: [
        expect.stringMatching(/ 4\/00\/SIGNED_MSG_TYPE_PRECOMMIT\(Precommit\) 000000000000\}$/),
        ...[NONE, NONE, NONE],
      ],
      precommits_bit_array: "BA{4:x___} 400/1000 = 0.40",
    });
    // The proposer of round 1 is stopped.
    expect(second?.prevotes[0]).toMatch(
      / 4\/01\/SIGNED_MSG_TYPE_PREVOTE\(Prevote\) 000000000000\}$/,
    );
  });

  test("names the proposer of the round to come alike in both answers", () => {
    const { short, dumped } = answers();
    const { proposer } = short;
    const { validators } = dumped;
    expect(proposer.address).toMatch(/^[0-9A-F]{40}$/);
    expect(validators.validators[proposer.index]?.address).toBe(proposer.address);
    expect(validators.proposer.address).toBe(proposer.address);
  });

  test("is dumped with its validators, their powers and priorities, and without peers", () => {
    const { dump, dumped } = answers();
    expect(dump).toMatchObject({ peers: [] });
    expect(dumped).toMatchObject({
      height: "4",
      round: 4,
      step: 1,
      commit_time: "2026-01-01T00:00:10Z",
      locked_round: -1,
      valid_round: -1,
      commit_round: -1,
      triggered_timeout_precommit: false,
    });
    const { validators } = dumped.validators;
    expect(validators.map((one) => one.voting_power)).toEqual(["400", "300", "200", "100"]);
    const priorities = validators.map((one) => Number(one.proposer_priority));
    expect(priorities.reduce((sum, one) => sum + one, 0)).toBe(0);
    expect(new Set(priorities).size).toBeGreaterThan(2);
  });
});

test("a round that brings a block is in no set of the next height", () => {
  const state = stateIn(consensusState(world([])));
  expect(state["height/round/step"]).toBe("8/0/1");
  expect(state.height_vote_set).toHaveLength(1);
});
