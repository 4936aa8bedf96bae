import type { Any } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { accAddress, valAddress } from "../../../base/bech32.ts";
import { toHexUpper } from "../../../base/bytes.ts";
import { SECOND } from "../../../base/time.ts";
import { packInit } from "../../../engine/framework/codec.ts";
import { durationMessage } from "../../../engine/framework/time-messages.ts";
import { accountOf } from "../../../engine/simulation/genesis/world-spec.ts";
import { Simulation } from "../../../engine/simulation/simulation.ts";
import { acceptTampering } from "../../../engine/simulation/tamper.ts";
import {
  pass,
  runRounds,
  runTo,
  softwareUpgrade,
  worldSpec,
} from "../../../engine/simulation/testing.ts";
import { VoteOption } from "../../../gen/chain/gov/v1/gov_pb.ts";
import { MsgVoteSchema } from "../../../gen/chain/gov/v1/tx_pb.ts";
import { MsgUnjailSchema } from "../../../gen/chain/slashing/v1beta1/tx_pb.ts";
import type { Reason } from "../../../gen/lab/v1/explain_plain.ts";
import { lazyObserver } from "../frame/observed.ts";
import { WorldQueries } from "../world-queries.ts";

function world(...input: Parameters<typeof worldSpec>) {
  const sim = Simulation.create(worldSpec(...input));
  const observed = lazyObserver(sim);
  const queries = new WorldQueries(sim, observed);
  const why = (kind: string, id: string | number) =>
    queries.lab("getExplanation", { kind, id: String(id) });
  return { sim, queries, why };
}

/** Every reason as `height what: found [rule]`. */
const lines = (reasons: readonly Reason[]): string[] =>
  reasons.map(({ height, what, found, rule }) => `${height} ${what}: ${found} [${rule}]`);

const vote = (name: string, proposalId: bigint): Any =>
  packInit(MsgVoteSchema, {
    proposalId,
    voter: accAddress(accountOf(name)),
    option: VoteOption.YES,
  });

describe("a block", () => {
  test("is explained by its proposer, its votes, its time and its state", () => {
    const { sim, why } = world();
    runTo(sim, 5);
    const { because, reasons, forgotten } = why("block", 4);
    expect(because).toMatch(/^val-\d proposed it in round 0, and 400 of 400 power signed it\.$/);
    expect(reasons.map(({ what, rule }) => [what, rule])).toEqual([
      ["proposer", "consensus 4.2"],
      ["precommits", "consensus 5.1"],
      ["signatures", "consensus 3.7"],
      ["time", "consensus 5.2"],
      ["app hash", "store 1.2"],
    ]);
    expect(forgotten).toBe(0);
  });

  test("after which a byte was changed by hand says so, and no other one does", () => {
    acceptTampering();
    const { sim, why } = world();
    runTo(sim, 4);
    const entry = [...sim.state(4).reader("staking").iterate()][0];
    if (entry === undefined) throw new Error("an empty store");
    const byte = (entry.value[0] ?? 0) ^ 1;
    sim.apply({ type: "tamper", store: "staking", key: entry.key, place: 0, byte });
    runTo(sim, 5);
    expect(lines(why("block", 4).reasons).at(-1)).toBe(
      "4 changed by hand: byte 0 of a value in staking, for every node and by no block: the next header says the hash of that [store 2.1]",
    );
    expect(lines(why("block", 5).reasons).join()).not.toContain("changed by hand");
  });

  test("says which rounds brought none, and who is missing from its commit and why", () => {
    const { sim, why } = world();
    runTo(sim, 5);
    sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
    runTo(sim, 12);
    const explained = [6, 7, 8, 9, 10].flatMap((height) => lines(why("block", height).reasons));
    expect(explained).toContainEqual(
      expect.stringMatching(/ without val-3: .*stopped.* \[consensus 5\.4\]$/),
    );
    expect(explained).toContainEqual(
      expect.stringMatching(/ round 0: val-3 proposes nothing: .* \[consensus 5\.3\]$/),
    );
  });

  test("tells each transaction after its steps, refused ones with the rule that refused them", () => {
    const { sim, why } = world();
    runTo(sim, 2);
    sim.apply({ type: "tx", signer: "val-1", messages: [vote("val-1", 9n)] });
    runTo(sim, 3);
    const { reasons } = why("block", 3);
    expect(reasons.filter(({ where }) => where === "tx 0")).toMatchObject([
      {
        what: "MsgVote",
        outcome: "refused",
        rule: "gov 4.1",
        found: expect.stringContaining("refused with"),
      },
      { what: "transaction", outcome: "refused", rule: "consensus 8.5" },
    ]);
  });

  test("that is not there yet is explained by what keeps it from coming", () => {
    const { sim, why } = world();
    runTo(sim, 3);
    for (const node of ["val-1", "val-2"]) {
      sim.apply({ type: "node", node, action: { kind: "stop" } });
    }
    runRounds(sim, 3);
    const { because, reasons } = why("block", 4);
    expect(because).toBe("Block 4 is not decided yet. val-1, val-2 are stopped.");
    expect(lines(reasons)).toContain(
      "4 votes: 200 of 400 power can vote together; a block needs more than 2/3: 267 of 400 [consensus 5.1]",
    );
    expect(() => why("block", 5)).toThrow("there is no block 5");
    expect(() => why("block", "five")).toThrow('expected the height of a block, found "five"');
  });
});

test("a transaction has the steps of its messages and what became of it; an unknown one is not found", () => {
  const { sim, why } = world();
  runTo(sim, 2);
  const validatorAddr = valAddress(accountOf("val-1"));
  const { txHash } = sim.apply({
    ...{ type: "tx", signer: "val-1" },
    messages: [packInit(MsgUnjailSchema, { validatorAddr })],
  });
  runTo(sim, 3);
  const { because, reasons } = why("tx", toHexUpper(txHash ?? new Uint8Array()));
  expect(because).toBe("Refused with slashing 5 in block 3.");
  expect(reasons).toMatchObject([
    { module: "slashing", what: "jailed", found: "no", rule: "slashing 6.1" },
    { what: "MsgUnjail", rule: "slashing 6.1", outcome: "refused" },
    { what: "transaction", rule: "consensus 8.5" },
  ]);
  expect(() => why("tx", "AB".repeat(32))).toThrow("there is no transaction ABAB");
  expect(() => why("tx", "AB")).toThrow("there is no transaction AB");
  expect(() => why("tx", "zz")).toThrow("encoding/hex: invalid byte: U+007A 'z'");
});

test("evidence goes from both votes to the tombstone, by its id and by its hash", () => {
  const { sim, queries, why } = world();
  runTo(sim, 5);
  sim.apply({ type: "double_sign", node: "val-2" });
  runTo(sim, 6);
  const waiting = queries.lab("getEvidence", {}).lines[0];
  expect(lines(why("evidence", waiting?.id ?? "").reasons)).toContain(
    "0 pool: waits for the next proposer [consensus 2.3]",
  );
  runTo(sim, 7);
  const line = queries.lab("getEvidence", {}).lines[0];
  const { because, reasons } = why("evidence", line?.id ?? "");
  expect(because).toBe("Block 7 punished val-2: 5000000 burned, jailed and tombstoned.");
  expect(lines(reasons).slice(0, 3)).toEqual([
    "6 two votes: val-2 signed two blocks in one round [consensus 2.1]",
    "6 noticed: by val-0, val-1, val-3 [consensus 2.5]",
    "7 pool: taken into block 7 [consensus 2.3]",
  ]);
  expect(reasons.map(({ rule }) => rule)).toEqual(
    expect.arrayContaining(["evidence 5.5", "slashing 2.1", "staking 4.1", "slashing 2.3"]),
  );
  expect(why("evidence", line?.hash ?? "")).toEqual(why("evidence", line?.id ?? ""));
  expect(() => why("evidence", "b7-9")).toThrow("there is no piece of evidence b7-9");
});

describe("a proposal and its plan", () => {
  test("a proposal tells its deposit, each vote, the count and what its messages did", () => {
    const { sim, why } = world();
    runTo(sim, 2);
    pass(sim, softwareUpgrade(sim, "v2", 200));
    const { because, reasons } = why("proposal", 1);
    expect(because).toMatch(/^Block \d+ counted its votes: passed\.$/);
    expect(reasons.filter(({ rule }) => rule === "gov 4.1")).toHaveLength(4);
    const rules = reasons.map(({ rule }) => rule);
    expect(rules).toEqual(expect.arrayContaining(["gov 2.2", "gov 3.1", "gov 6.2", "gov 7.2"]));
    // The results of its messages are listed between the tally and the end.
    expect(rules.indexOf("upgrade 3.2")).toBeGreaterThan(rules.lastIndexOf("gov 6.2"));
    expect(() => why("proposal", 2)).toThrow("there is no proposal 2");
  });

  test("a plan tells its vote, then the halt of the binaries without it, then what applied it", () => {
    const { sim, why } = world();
    runTo(sim, 2);
    pass(sim, softwareUpgrade(sim, "v2", 30));
    expect(why("plan", "v2").because).toBe("It is scheduled for height 30.");
    runRounds(sim, 20);
    const halted = why("plan", "v2");
    expect(lines(halted.reasons)).toContain(
      '30 halt: UPGRADE "v2" NEEDED at height: 30:  [upgrade 4.3]',
    );
    for (const { name } of sim.spec.validators) {
      sim.apply({ type: "node", node: name, action: { kind: "install", binary: "v2" } });
      sim.apply({ type: "node", node: name, action: { kind: "start" } });
    }
    runTo(sim, 31);
    const applied = why("plan", "v2");
    expect(applied.because).toBe("Block 30 applied it.");
    const rules = applied.reasons.map(({ rule }) => rule);
    expect(rules.slice(0, 2)).toEqual(["upgrade 3.2", "gov 7.2"]);
    expect(rules).toEqual(expect.arrayContaining(["upgrade 4.5", "upgrade 7.1", "upgrade 2.2"]));
    expect(() => why("plan", "v3")).toThrow("there is no plan v3");
  });
});

describe("a validator", () => {
  test("that is bonded has its place in the set and what it may miss", () => {
    const { sim, why } = world();
    runTo(sim, 3);
    const { because, reasons } = why("validator", "val-1");
    expect(because).toBe("At block 3, val-1 is bonded.");
    expect(lines(reasons)).toEqual([
      expect.stringMatching(
        /^3 place: number \d by power 100, of at most 100 in the set \[staking 5\.3\]$/,
      ),
      "3 missed blocks: 0 of 100; 50 may be missed [slashing 4.1]",
    ]);
    expect(() => why("validator", "val-9")).toThrow("there is no validator val-9");
  });

  test("that is jailed has the votes that it missed last, the slash, the jail and when that ends", () => {
    const slashing = {
      signedBlocksWindow: 10n,
      minSignedPerWindow: new TextEncoder().encode("500000000000000000"),
      downtimeJailDuration: durationMessage(60n * SECOND),
    };
    const { sim, why } = world({ slashing });
    runTo(sim, 20);
    sim.apply({ type: "node", node: "val-3", action: { kind: "stop" } });
    runTo(sim, 28);
    const { because, reasons } = why("validator", "val-3");
    expect(because).toBe("At block 28, val-3 is jailed and unbonding.");
    const rules = reasons.map(({ what, rule }) => `${what} [${rule}]`);
    expect(rules.filter((line) => line === "liveness [slashing 4.1]")).toHaveLength(5);
    expect(rules).toEqual(
      expect.arrayContaining([
        "downtime [slashing 4.1]",
        "slash amount [staking 4.1]",
        "slash validator [staking 4.1]",
        "jail [staking 5.1]",
        "validator set [staking 5.3]",
        "jailed until [slashing 6.1]",
      ]),
    );
    // Other validators are not mentioned.
    expect(lines(reasons).join("\n")).not.toContain("val-1");
  });
});

test("what is no kind of thing is refused with those that are", () => {
  const { sim, why } = world();
  runTo(sim, 1);
  expect(() => why("toString", 1)).toThrow(
    'expected a kind of block, evidence, proposal, plan, validator, tx, found "toString"',
  );
});
