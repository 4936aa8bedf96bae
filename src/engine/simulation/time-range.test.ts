import { toBinary } from "@bufbuild/protobuf";
import { type Any, TimestampSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accAddress, consAddress, valAddress } from "../../base/bech32.ts";
import {
  DAY,
  type Duration,
  formatRfc3339,
  GO_ZERO_TIME,
  HOUR,
  MAX_TIME,
  MINUTE,
  parseRfc3339,
  SECOND,
  type Time,
  timestampError,
} from "../../base/time.ts";
import { MsgSubmitProposalSchema } from "../../gen/chain/gov/v1/tx_pb.ts";
import { MsgUndelegateSchema } from "../../gen/chain/staking/v1beta1/tx_pb.ts";
import { ProtoWriter } from "../consensus/wire.ts";
import { packInit } from "../framework/codec.ts";
import { PANIC_CODE } from "../framework/errors.ts";
import { durationMessage, timestamp } from "../framework/time-messages.ts";
import { accountOf } from "./genesis/world-spec.ts";
import { booksOf, tombstonedIn } from "./invariants.testing.ts";
import { Simulation } from "./simulation.ts";
import { runRounds, runTo, worldSpec } from "./testing.ts";

const LAST: Time = MAX_TIME;
const YEAR: Duration = 365n * DAY;

const startAt = (genesisTime: Time, input: Parameters<typeof worldSpec>[0] = {}): Simulation =>
  Simulation.create(worldSpec({ genesisTime, ...input }));

const timesOf = (sim: Simulation): readonly string[] =>
  Array.from({ length: sim.height }, (_, i) => formatRfc3339(sim.timeAt(i + 1) ?? 0n));

const isPunished = (sim: Simulation, node: string): boolean =>
  tombstonedIn(booksOf(sim.exportGenesis().messages)).has(
    consAddress(sim.node(node)?.consensusAddress ?? new Uint8Array()),
  );

describe("chain time in the whole range of a Timestamp (rules/consensus 5.7)", () => {
  test.each([
    [2, "sdk-0.53"],
    [1677, "sdk-0.53"],
    [1970, "documented"],
    [2261, "documented"],
    [2262, "documented"],
    [2300, "documented"],
    [9998, "documented"],
    [9998, "sdk-0.53"],
  ] as const)("a double sign in the year %i is punished (%s)", (year, profile) => {
    const genesisTime = parseRfc3339(`${String(year).padStart(4, "0")}-04-11T23:47:00Z`);
    const sim = startAt(genesisTime, { profile });
    runTo(sim, 6);
    sim.apply({ type: "double_sign", node: "val-1" });
    runTo(sim, 12);
    expect(sim.timeAt(12)).toBe(genesisTime + 55n * SECOND);
    expect(isPunished(sim, "val-1")).toBe(true);
  });

  test("before 1970 the documents take no equivocation, and say so (rules/evidence 1.3, 5.8)", () => {
    const sim = startAt(parseRfc3339("1677-09-21T00:12:40Z"));
    sim.apply({ type: "double_sign", node: "val-1" });
    runTo(sim, 8);
    expect(isPunished(sim, "val-1")).toBe(false);
    const decisions = [1, 2, 3, 4, 5].flatMap((height) => sim.block(height)?.steps ?? []);
    expect(decisions).toContainEqual(
      expect.objectContaining({
        kind: "basic_validation",
        data: expect.objectContaining({
          error: expect.stringMatching(/^invalid equivocation time: 1677-09-21 00:12/),
        }),
      }),
    );
  });

  test("a vote and a header carry every moment as protobuf's own encoder writes it", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: GO_ZERO_TIME, max: MAX_TIME }), (time) => {
        const bytes = toBinary(TimestampSchema, timestamp(time));
        expect(new ProtoWriter().timestampFields(time).finish()).toEqual(bytes);
      }),
    );
  });

  test("begins at the first moment there is", () => {
    const sim = startAt(GO_ZERO_TIME);
    runTo(sim, 3);
    expect(timesOf(sim)).toEqual([
      "0001-01-01T00:00:00Z",
      "0001-01-01T00:00:05Z",
      "0001-01-01T00:00:10Z",
    ]);
  });

  test("passes 2262, where 64 bits of nanoseconds end", () => {
    const sim = startAt(parseRfc3339("2262-04-11T23:47:10Z"));
    runTo(sim, 4);
    expect(timesOf(sim).slice(-2)).toEqual(["2262-04-11T23:47:20Z", "2262-04-11T23:47:25Z"]);
  });
});

describe("at the end of the year 9999", () => {
  test("all nodes halt over the time that they cannot sign, and the clock stands still", () => {
    const sim = startAt(LAST - 12n * SECOND);
    runRounds(sim, 4);
    expect(timesOf(sim)).toEqual([
      "9999-12-31T23:59:47.999999999Z",
      "9999-12-31T23:59:52.999999999Z",
    ]);
    const error =
      "timestamp: &types.Timestamp{Seconds: 253402300802,\nNanos: 999999999,\n} after 10000-01-01";
    const cause = { kind: "time_out_of_range", error };
    for (const node of sim.nodes())
      expect(node).toMatchObject({ process: "halted", haltCause: cause });
    runRounds(sim, 100);
    expect(sim.height).toBe(2);
    expect(sim.clock).toBe(LAST);
  });

  test("a node that is started again halts again", () => {
    const sim = startAt(LAST - 12n * SECOND);
    runRounds(sim, 4);
    for (const { name } of sim.nodes()) {
      sim.apply({ type: "node", node: name, action: { kind: "start" } });
      expect(sim.node(name)?.process).toBe("running");
    }
    runRounds(sim, 2);
    for (const node of sim.nodes()) expect(node.haltCause?.kind).toBe("time_out_of_range");
  });

  test("no block comes when genesis has the last moment", () => {
    const sim = startAt(LAST);
    runRounds(sim, 3);
    expect(sim.height).toBe(0);
    for (const node of sim.nodes()) expect(node.haltCause?.kind).toBe("time_out_of_range");
  });

  test("a node whose clock alone is there halts alone", () => {
    const sim = startAt(LAST - 200n * YEAR);
    runTo(sim, 3);
    sim.apply({ type: "fault", node: "val-3", kind: "clock", by: 250n * YEAR });
    runTo(sim, 6);
    expect(sim.nodes().map(({ process }) => process)).toEqual([
      "running",
      "running",
      "running",
      "halted",
    ]);
    expect(sim.timeAt(6)).toBeLessThan(LAST - 200n * YEAR + MINUTE);
  });
});

describe("what would end after the year 9999", () => {
  const near = LAST - HOUR;
  const send = (sim: Simulation, message: Any) => {
    sim.apply({ type: "tx", signer: "val-0", messages: [message] });
    runTo(sim, sim.height + 1);
    const { hash } = sim.block(sim.height)?.txs[0] ?? { hash: new Uint8Array() };
    return sim.tx(hash);
  };

  test("an unbonding is a panic in its transaction, which changes nothing", () => {
    const sim = startAt(near);
    runTo(sim, 1);
    const result = send(
      sim,
      packInit(MsgUndelegateSchema, {
        delegatorAddress: accAddress(accountOf("val-0")),
        validatorAddress: valAddress(accountOf("val-0")),
        amount: { denom: "stake", amount: "1000000" },
      }),
    );
    const end = near + 5n * SECOND + 21n * DAY;
    expect(result).toMatchObject({
      code: PANIC_CODE,
      log: `recovered: ${timestampError(end)}\nstack:\n: panic`,
    });
    runTo(sim, 5);
  });

  test("a proposal is refused", () => {
    const sim = startAt(near);
    runTo(sim, 1);
    const result = send(
      sim,
      packInit(MsgSubmitProposalSchema, {
        proposer: accAddress(accountOf("val-0")),
        initialDeposit: [{ denom: "stake", amount: "1" }],
        metadata: "m",
        title: "t",
        summary: "s",
      }),
    );
    expect(result?.log).toBe(
      `failed to execute message; message index: 0: collections: encoding error: value encode: ${timestampError(
        near + 5n * SECOND + 2n * DAY,
      )}`,
    );
  });

  test("a jailing for downtime halts the chain with its reason", () => {
    const downtimeJailDuration = durationMessage(2n * HOUR);
    const slashing = { signedBlocksWindow: 4n, downtimeJailDuration };
    const sim = startAt(near, { slashing });
    sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
    runRounds(sim, 20);
    expect(sim.node("val-0")?.haltCause).toEqual({
      kind: "application_error",
      error: expect.stringMatching(
        /^collections: encoding error: value encode: timestamp: .* after 10000-01-01$/s,
      ),
    });
  });
});
