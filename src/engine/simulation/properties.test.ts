import type { Any } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concat, toHex } from "../../base/bytes.ts";
import { propertyRuns } from "../../base/property.testing.ts";
import { SECOND } from "../../base/time.ts";
import { type App, blockInfoAt, PLAIN_NODE } from "../app/app.ts";
import { encodeTx } from "../app/deliver-tx.ts";
import type { Misbehavior } from "../framework/context.ts";
import { haltText } from "../framework/halt.ts";
import type { CommittedState } from "../store/multi-store.ts";
import {
  type Books,
  booksOf,
  consensusAddressOf,
  eventsOf,
  tombstonedIn,
} from "./invariants.testing.ts";
import type { Simulation } from "./simulation.ts";
import {
  account,
  act,
  newWorld,
  type StoryStep,
  step,
  story,
  submission,
  validator,
} from "./story.testing.ts";
import type { BlockView } from "./views.ts";
import { replayOf, WorldInvariants } from "./world-invariants.testing.ts";

/** Counts the validators created with a tombstoned key in a block. */
function createdTombstoned(block: BlockView | undefined, books: Books): number {
  const created = eventsOf(block)
    .filter(({ type }) => type === "create_validator")
    .map(({ attributes }) => attributes.find(({ key }) => key === "validator")?.value);
  const tombstoned = tombstonedIn(books);
  return books.staking.validators.filter(
    (v) => created.includes(v.operatorAddress) && tombstoned.has(consensusAddressOf(v)),
  ).length;
}

/**
 * A validator is tombstoned, unbonds all its stake, is removed, and is created again with the same
 * key and the largest stake.
 */
const CREATED_ANEW: StoryStep[] = [
  { do: "run", blocks: 3 },
  { do: "misbehavior", who: "val-0", kind: 1, ago: 1, power: 100 },
  { do: "run", blocks: 1 },
  // 5 % of 100 million are gone.
  { do: "stake", who: "val-0", from: "val-0", to: "val-0", how: "undelegate", amount: 95_000_000n },
  { do: "run", blocks: 12 },
  { do: "create", who: "val-0", key: "val-0", amount: 150_000_000n },
  { do: "run", blocks: 6 },
];

describe("on any chain", () => {
  test("supply is balances and pools and falls by recorded burns alone; shares are worth no more than there is; a tombstone is for ever", () => {
    let createdAnew = 0;
    fc.assert(
      fc.property(story, (steps) => {
        const sim = newWorld();
        const invariants = new WorldInvariants(sim);
        for (const doing of steps) {
          const before = sim.height;
          act(sim, doing);
          invariants.look();
          for (let height = before + 1; height <= sim.height; height++) {
            const books = booksOf(sim.exportGenesis(height).messages);
            createdAnew += createdTombstoned(sim.block(height), books);
          }
        }
      }),
      { numRuns: propertyRuns(25), examples: [[CREATED_ANEW]] },
    );
    expect(createdAnew).toBeGreaterThan(0);
  });

  test("the same journal gives the same app hash at every height", () => {
    fc.assert(
      fc.property(story, (steps) => {
        const sim = newWorld();
        for (const doing of steps) act(sim, doing);
        const again = replayOf(sim);
        expect(again.height).toBe(sim.height);
        for (let height = 0; height <= sim.height; height++) {
          expect(toHex(again.state(height).appHash)).toBe(toHex(sim.state(height).appHash));
        }
      }),
      { numRuns: propertyRuns(15) },
    );
  });

  test("export and import give the same state again", () => {
    fc.assert(
      fc.property(story, (steps) => {
        const sim = newWorld();
        for (const doing of steps) act(sim, doing);
        const { app, height, time, messages, versions, upgrades } = sim.exportGenesis();
        const place = blockInfoAt(sim.spec.chainId, height, time);
        const { state } = app.initChain(place, messages, NO_PAST, { versions, upgrades });
        expect(app.exportGenesis(state, place, NO_PAST)).toEqual({ messages, versions, upgrades });
      }),
      { numRuns: propertyRuns(25) },
    );
  });
});

const NO_PAST = {
  timeAt: () => undefined,
  blockHashAt: () => undefined,
  validatorAt: () => undefined,
};

/** The next block of a chain, tried with different contents. */
class NextBlock {
  readonly #app: App;
  readonly #sim: Simulation;
  readonly #state: CommittedState;
  #sequence = 1000n;

  constructor(sim: Simulation) {
    this.#app = sim.exportGenesis().app;
    this.#sim = sim;
    this.#state = sim.state();
  }

  with(misbehavior: readonly Misbehavior[], messages: readonly Any[] = []) {
    const sim = this.#sim;
    const members = sim.validators();
    const place = blockInfoAt(sim.spec.chainId, sim.height + 1, sim.time + 5n * SECOND);
    const lastCommit = {
      size: members.length,
      validatorsHash: () => concat(...members.map(({ address }) => address)),
      address: (i: number) => members[i]?.address ?? new Uint8Array(),
      power: (i: number) => members[i]?.power ?? 0,
      absent: [],
    };
    const txs = messages.map((message) => {
      this.#sequence += 1n;
      const signer = account("alice");
      return encodeTx({ messages: [message], memo: "", signer, sequence: this.#sequence });
    });
    const record = {
      ...NO_PAST,
      timeAt: (height: number) => sim.timeAt(height),
      validatorAt: (_height: number, address: Uint8Array) =>
        members.find((m) => toHex(m.address) === toHex(address)) && {
          pubKey: new Uint8Array(32),
          power: 100,
        },
    };
    const block = { ...place, lastCommit, misbehavior, txs };
    const outcome = this.#app.finalizeBlock(this.#state, block, PLAIN_NODE, record);
    if (outcome.kind === "halted") throw new Error(haltText(outcome.cause));
    return { ...outcome, hash: toHex(outcome.state.appHash) };
  }
}

const offence = fc.record({
  who: validator,
  type: fc.integer({ min: 0, max: 3 }),
  height: fc.integer({ min: 0, max: 12 }),
  power: fc.constantFrom(0, 1, 100),
});

const misbehaviorOf = (
  sim: Simulation,
  found: { who: string } & Omit<Misbehavior, "address" | "time" | "totalVotingPower">,
): Misbehavior => ({
  type: found.type,
  address: sim.node(found.who)?.consensusAddress ?? new Uint8Array(),
  power: found.power,
  height: found.height,
  time: sim.timeAt(found.height) ?? sim.spec.genesisTime,
  totalVotingPower: 500,
});

describe("evidence that changes nothing changes nothing at all", () => {
  test("ignored: the block has the app hash it has without; accepted: it is stored", () => {
    let [ignored, accepted] = [0, 0];
    fc.assert(
      fc.property(story, offence, (steps, found) => {
        const sim = newWorld();
        for (const doing of steps) act(sim, doing);
        const next = new NextBlock(sim);
        const item = misbehaviorOf(sim, found);
        const outcome = next.with([item]);
        const last = outcome.steps.findLast(({ module }) => module === "evidence");
        if (last?.outcome === "ignored") {
          ignored += 1;
          expect(outcome.hash).toBe(next.with([]).hash);
          expect(outcome.events).toEqual(next.with([]).events);
        } else {
          accepted += 1;
          expect(last).toMatchObject({ kind: "outcome", outcome: "ok" });
          expect(outcome.hash).not.toBe(next.with([]).hash);
        }
        expect(next.with([item, item, item]).hash).toBe(outcome.hash);
      }),
      {
        numRuns: propertyRuns(40),
        // The examples contain one of each outcome.
        examples: [
          [[{ do: "run", blocks: 3 }], { who: "val-0", type: 1, height: 2, power: 100 }],
          [[{ do: "run", blocks: 3 }], { who: "val-0", type: 0, height: 2, power: 100 }],
        ],
      },
    );
    expect(Math.min(ignored, accepted)).toBeGreaterThan(0);
  });

  test("submitted again: refused with code 5, and as if it had not been sent", () => {
    let accepted = 0;
    const submit = step.filter((s): s is Extract<StoryStep, { do: "submit" }> => s.do === "submit");
    fc.assert(
      fc.property(story, submit, (steps, doing) => {
        const sim = newWorld();
        for (const before of steps) act(sim, before);
        const next = new NextBlock(sim);
        const message = submission(sim, doing);
        const once = next.with([], [message]);
        const twice = next.with([], [message, message]);
        expect(twice.hash).toBe(once.hash);
        const [first, second] = twice.txResults;
        if (first?.code === 0) accepted += 1;
        else expect(once.hash).toBe(next.with([]).hash);
        if (first?.code === 0) expect(second).toMatchObject({ codespace: "evidence", code: 5 });
      }),
      {
        numRuns: propertyRuns(40),
        // The examples contain an accepted one.
        examples: [
          [
            [{ do: "run", blocks: 3 }],
            { do: "submit", who: "val-0", ago: 0, power: 100, outcome: "accept" },
          ],
        ],
      },
    );
    expect(accepted).toBeGreaterThan(0);
  });
});
