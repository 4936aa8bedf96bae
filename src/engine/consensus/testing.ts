/** Builders shared by the tests of this folder. */
import { utf8 } from "../../base/bytes.ts";
import { type KeyPair, keyFromSeed } from "../../base/ed25519.ts";
import { sha256 } from "../../base/sha256.ts";
import { parseRfc3339 } from "../../base/time.ts";
import { Bitset } from "./bitset.ts";
import { type BlockId, blockIdOf, NIL_BLOCK_ID } from "./block-id.ts";
import { type CommitSig, expandCommit, type FullCommit } from "./commit.ts";
import type { DuplicateVoteEvidence } from "./duplicate-vote.ts";
import { setLightClientAttackRules } from "./evidence.ts";
import { type Header, headerHash } from "./header.ts";
import { LIGHT_CLIENT_ATTACKS, type LightBlock } from "./light-client-attack.ts";
import { DEFAULT_CONSENSUS_PARAMS } from "./params.ts";
import type { EvidenceChain } from "./pool.ts";
import { ValidatorSet } from "./validator-set.ts";
import { PRECOMMIT, signVote, type UnsignedVote, type Vote } from "./vote.ts";

setLightClientAttackRules(LIGHT_CLIENT_ATTACKS);

export const CHAIN_ID = "chainlab-1";
export const T0 = parseRfc3339("2026-01-01T00:00:00Z");

export function keyOf(name: string | number): KeyPair {
  return keyFromSeed(sha256(utf8(`key ${name}`)));
}

export function digest(text: string): Uint8Array {
  return sha256(utf8(text));
}

export function blockId(text: string): BlockId {
  return blockIdOf(digest(text));
}

/** A set of validators with these powers, and their keys in set order. */
export function validatorsOf(...powers: number[]): { set: ValidatorSet; keys: KeyPair[] } {
  const keys = powers.map((_, i) => keyOf(i));
  const set = ValidatorSet.create(
    keys.map((key, i) => ({ pubKey: key.publicKey, power: powers[i] ?? 0 })),
  );
  const bySetOrder = set.pubKeys.map((pubKey) => {
    const key = keys.find((k) => k.publicKey.every((byte, i) => byte === pubKey[i]));
    if (key === undefined) throw new Error("no key");
    return key;
  });
  return { set, keys: bySetOrder };
}

export function signedVote(
  key: KeyPair,
  set: ValidatorSet,
  index: number,
  fields: Partial<UnsignedVote> = {},
): Vote {
  return signVote(key.secret, CHAIN_ID, {
    type: PRECOMMIT,
    height: 10,
    round: 0,
    blockId: NIL_BLOCK_ID,
    timestamp: T0,
    validatorAddress: set.list.at(index).address,
    validatorIndex: index,
    ...fields,
  });
}

export function headerOf(set: ValidatorSet, fields: Partial<Header> = {}): Header {
  return {
    version: { block: 11, app: 0 },
    chainId: CHAIN_ID,
    height: 10,
    time: T0,
    lastBlockId: blockId("last"),
    lastCommitHash: digest("last commit"),
    dataHash: digest("data"),
    validatorsHash: set.hash(),
    nextValidatorsHash: set.hash(),
    consensusHash: digest("consensus"),
    appHash: digest("app"),
    lastResultsHash: digest("results"),
    evidenceHash: digest("evidence"),
    proposerAddress: set.list.at(0).address,
    ...fields,
  };
}

/** A header with a commit actually signed by the validators at these indexes. */
export function lightBlock(
  header: Header,
  set: ValidatorSet,
  keys: readonly KeyPair[],
  signers: Iterable<number>,
  round = 0,
): LightBlock {
  const commit = {
    height: header.height,
    round,
    blockId: blockIdOf(headerHash(header)),
    signers: Bitset.of(set.size, signers),
    nilSigners: new Bitset(set.size),
    timestamp: header.time,
  };
  const secretKeyOf = (i: number): Uint8Array => (keys[i] as KeyPair).secret;
  return { header, validators: set, commit: expandCommit(CHAIN_ID, commit, set.list, secretKeyOf) };
}

export function replaceSig(commit: FullCommit, index: number, sig: Partial<CommitSig>): FullCommit {
  const signatures = commit.signatures.map((old, i) => (i === index ? { ...old, ...sig } : old));
  return { ...commit, signatures };
}

/** A chain whose block h has the time T0 + h seconds, always with this set. */
export function chainOf(set: ValidatorSet, fields: Partial<EvidenceChain> = {}): EvidenceChain {
  const lastHeight = fields.lastHeight ?? 20;
  const known = (height: number): boolean => height >= 1 && height <= lastHeight;
  const timeOf = (height: number): bigint => T0 + BigInt(height) * 1_000_000_000n;
  return {
    chainId: CHAIN_ID,
    lastHeight,
    lastTime: timeOf(lastHeight),
    params: DEFAULT_CONSENSUS_PARAMS.evidence,
    timeAt: (height) => (known(height) ? timeOf(height) : undefined),
    validatorsAt: (height) => (known(height) ? set.list : undefined),
    blockAt: (height) =>
      known(height)
        ? {
            header: headerOf(set, { height, time: timeOf(height) }),
            round: 0,
            signers: Bitset.full(set.size),
          }
        : undefined,
    ...fields,
  };
}

export function withVoteB(ev: DuplicateVoteEvidence, fields: Partial<Vote>): DuplicateVoteEvidence {
  return { ...ev, voteB: { ...ev.voteB, ...fields } };
}
