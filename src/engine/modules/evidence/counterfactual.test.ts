import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { consAddress } from "../../../base/bech32.ts";
import { EMPTY, toHexUpper, utf8 } from "../../../base/bytes.ts";
import { keyFromSeed, sign, verify } from "../../../base/ed25519.ts";
import { type Vote, VoteSchema } from "../../../gen/chain/consensus/v1/types_pb.ts";
import { CounterfactualSigningSchema } from "../../../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { plainRecord, testAddress, thrownBy } from "../../framework/testing.ts";
import { CounterfactualSigning } from "./counterfactual.ts";
import type { VerifyVote } from "./needs.ts";
import { evidenceChain, OFFENDER } from "./testing.ts";

const KEY = keyFromSeed(new Uint8Array(32).fill(1));
const OTHER_KEY = keyFromSeed(new Uint8Array(32).fill(2));
const OURS = new Uint8Array(32).fill(0xaa);
const MAX = 2n ** 63n - 1n;
const THEIRS = new Uint8Array(32).fill(0xbb);

/** Substitute with chain, height and block; the real sign bytes come from the consensus engine. */
const signBytes = (chainId: string, vote: Vote): Uint8Array =>
  utf8(`${chainId}/${vote.height}/${toHexUpper(vote.blockId?.hash ?? EMPTY)}`);
const verifyVote: VerifyVote = (chainId, vote, pubKey) =>
  verify(vote.signature, signBytes(chainId, vote), pubKey);

type VoteChanges = Pick<Partial<Vote>, "height" | "round" | "validatorAddress">;

function vote(block: Uint8Array, key = KEY, changes: VoteChanges = {}): Vote {
  const unsigned = create(VoteSchema, {
    type: 2,
    height: 8n,
    blockId: { hash: block },
    validatorAddress: OFFENDER,
    ...changes,
  });
  return { ...unsigned, signature: sign(signBytes("lab-1", unsigned), key.secret) };
}

const evidenceOf = (
  init: MessageInitShape<typeof CounterfactualSigningSchema> = {},
): CounterfactualSigning =>
  new CounterfactualSigning(
    create(CounterfactualSigningSchema, {
      consensusAddress: consAddress(OFFENDER),
      power: 100n,
      voteA: vote(OURS),
      voteB: vote(THEIRS),
      ...init,
    }),
  );

const record = {
  ...plainRecord(20),
  blockHashAt: (height: number) => (height === 8 ? OURS : undefined),
  validatorAt: (height: number) =>
    height === 8 ? { pubKey: KEY.publicKey, power: 100 } : undefined,
};

describe("CounterfactualSigning", () => {
  test("a vote for a block that is not on this chain is punished as a double sign is", () => {
    const { chain, keeper, validators } = evidenceChain(["counterfactual"], verifyVote);
    const evidence = evidenceOf();
    evidence.validateBasic();
    keeper.submitEvidence(chain.block(20, { record }), evidence);
    expect(validators.calls[0]).toBe(
      `slash ${consAddress(OFFENDER)} 50000000000000000 100 7 double_sign`,
    );
    expect(validators.tombstoned).toContain(consAddress(OFFENDER));
    expect(keeper.getAllEvidence(chain.block(20))[0]?.route()).toBe("counterfactual");
  });

  test.each([
    [
      "a bad signature",
      { voteB: { ...vote(THEIRS), signature: new Uint8Array(64) } },
      "verifying VoteB: invalid signature",
    ],
    ["the wrong key", { voteA: vote(OURS, OTHER_KEY) }, "verifying VoteA: invalid signature"],
    [
      "another validator's votes",
      {
        consensusAddress: consAddress(OFFENDER),
        voteA: vote(OURS, KEY, { validatorAddress: testAddress("val-3") }),
      },
      `validator addresses do not match: ${toHexUpper(testAddress("val-3"))} vs ${toHexUpper(OFFENDER)}`,
    ],
    [
      "a validator outside the set",
      {
        consensusAddress: consAddress(testAddress("x")),
        voteA: vote(OURS, KEY, { height: 9n }),
        voteB: vote(THEIRS, KEY, { height: 9n }),
      },
      `address ${toHexUpper(testAddress("x"))} was not a validator at height 9`,
    ],
    [
      "another power",
      { power: 99n },
      "validator power from evidence and our validator set does not match (99 != 100)",
    ],
    [
      "a block that is on this chain",
      { voteA: vote(THEIRS), voteB: vote(OURS) },
      `VoteB is for block ${toHexUpper(OURS)}, which is on this chain`,
    ],
    [
      "no vote for this chain",
      { voteA: vote(new Uint8Array(32)) },
      `VoteA is for block ${"00".repeat(32)}, but the block of height 8 on this chain is ${toHexUpper(OURS)}`,
    ],
    ["no such height", { voteA: vote(OURS, KEY, { height: 30n }) }, "don't have header #30"],
    [
      "the largest height there is",
      { voteA: vote(OURS, KEY, { height: MAX }), voteB: vote(THEIRS, KEY, { height: MAX }) },
      "don't have header #9223372036854775807",
    ],
    [
      "the largest power there is",
      { power: MAX },
      "validator power from evidence and our validator set does not match (9223372036854775807 != 100)",
    ],
  ])("%s is refused with the reason", (_what, init, text) => {
    const { chain, keeper, validators } = evidenceChain(["counterfactual"], verifyVote);
    const ctx = chain.block(20, { record });
    expect(thrownBy(() => keeper.submitEvidence(ctx, evidenceOf(init))).message).toBe(
      `${text}: invalid evidence`,
    );
    expect(validators.calls).toEqual([]);
    expect(chain.dump("evidence")).toEqual({});
  });

  test("the same signature is not valid on another chain", () => {
    const { chain, keeper } = evidenceChain(["counterfactual"], verifyVote);
    const ctx = chain.block(20, { record, chainId: "lab-2" });
    expect(() => keeper.submitEvidence(ctx, evidenceOf())).toThrow("invalid signature");
  });

  test.each([
    [
      "a vote left out",
      { voteB: undefined },
      "invalid counterfactual signing: one or both of the votes are empty",
    ],
    [
      "height 0",
      { voteA: vote(OURS, KEY, { height: 0n }) },
      "invalid counterfactual signing height: 0",
    ],
    ["no power", { power: 0n }, "invalid counterfactual signing validator power: 0"],
    [
      "no address",
      { consensusAddress: "" },
      "invalid counterfactual signing validator consensus address: ",
    ],
    [
      "different rounds",
      { voteB: vote(THEIRS, KEY, { round: 1 }) },
      "h/r/s does not match: 8/0/2 vs 8/1/2",
    ],
    [
      "two validators",
      { voteB: vote(THEIRS, KEY, { validatorAddress: new Uint8Array(20) }) },
      `validator addresses do not match: ${toHexUpper(OFFENDER)} vs ${"00".repeat(20)}`,
    ],
    [
      "the same block",
      { voteB: vote(OURS) },
      `block IDs are the same (${toHexUpper(OURS)}) - not a counterfactual vote`,
    ],
    ["a vote B for nil", { voteB: vote(EMPTY) }, "VoteB is for nil - not for a block"],
    ["a vote A for nil", { voteA: vote(EMPTY) }, "VoteA is for nil - not for a block"],
  ])("ValidateBasic refuses %s", (_what, init, text) => {
    const evidence = evidenceOf(init as MessageInitShape<typeof CounterfactualSigningSchema>);
    expect(thrownBy(() => evidence.validateBasic()).message).toBe(text);
  });
});
