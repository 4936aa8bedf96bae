import { toHexUpper } from "../../base/bytes.ts";
import { verify } from "../../base/ed25519.ts";
import { type BlockId, blockIdText, equalBlockIds } from "./block-id.ts";
import { type CommitSig, FLAG_COMMIT, type FullCommit, precommitOf } from "./commit.ts";
import { oneThirdOf, twoThirdsOf } from "./quorum.ts";
import type { ValidatorList } from "./validator-list.ts";
import { voteSignBytes } from "./vote.ts";

/** A full commit with the result of its verification. */
export interface VerifiedCommit extends FullCommit {
  /** Reason why it is not a valid commit of its block, or null. */
  readonly error: string | null;
}

interface CountedSignature {
  /** Index in the commit, and in the set that counts it. */
  readonly position: number;
  readonly index: number;
  readonly sig: CommitSig;
}

/**
 * Verifies that this set committed this block: more than two thirds of its power signed; stops once
 * that power is reached. Returns CometBFT's text of the failure, or null.
 */
export function commitError(
  chainId: string,
  validators: ValidatorList,
  blockId: BlockId,
  height: number,
  commit: FullCommit,
): string | null {
  if (validators.size !== commit.signatures.length) {
    return `Invalid commit -- wrong set size: ${validators.size} vs ${commit.signatures.length}`;
  }
  if (height !== commit.height) {
    return `Invalid commit -- wrong height: ${height} vs ${commit.height}`;
  }
  if (!equalBlockIds(blockId, commit.blockId)) {
    const [want, got] = [blockIdText(blockId), blockIdText(commit.blockId)];
    return `invalid commit -- wrong block ID: want ${want}, got ${got}`;
  }
  const counted = commit.signatures.map((sig, position) => ({ sig, position, index: position }));
  const needed = twoThirdsOf(validators.totalPower);
  return tallyError(chainId, validators, commit, forTheBlock(counted), needed);
}

/**
 * Verifies that more than a third of the power of a trusted set, which is not the commit's own set,
 * signed it. Validators are found by address; signers outside the set do not count. Returns the
 * reason for the failure, or null.
 */
export function trustingCommitError(
  chainId: string,
  trusted: ValidatorList,
  commit: FullCommit,
): string | null {
  const counted: CountedSignature[] = [];
  const seen = new Map<number, number>();
  for (const [place, sig] of commit.signatures.entries()) {
    const index = sig.blockIdFlag === FLAG_COMMIT ? trusted.indexOf(sig.validatorAddress) : -1;
    if (index < 0) continue;
    const first = seen.get(index);
    if (first !== undefined) {
      return `double vote from ${toHexUpper(sig.validatorAddress)} (${first} and ${place})`;
    }
    seen.set(index, place);
    counted.push({ sig, position: place, index });
  }
  return tallyError(chainId, trusted, commit, counted, oneThirdOf(trusted.totalPower));
}

function forTheBlock(all: readonly CountedSignature[]): CountedSignature[] {
  return all.filter(({ sig }) => sig.blockIdFlag === FLAG_COMMIT);
}

function tallyError(
  chainId: string,
  validators: ValidatorList,
  commit: FullCommit,
  counted: readonly CountedSignature[],
  needed: number,
): string | null {
  let tallied = 0;
  let used = 0;
  while (used < counted.length && tallied <= needed) {
    tallied += validators.powers[counted[used]?.index ?? -1] ?? 0;
    used++;
  }
  if (tallied <= needed) {
    return `invalid commit -- insufficient voting power: got ${tallied}, needed more than ${needed}`;
  }
  for (const { sig, position, index } of counted.slice(0, used)) {
    const signBytes = voteSignBytes(chainId, precommitOf(commit, sig.blockIdFlag, sig.timestamp));
    if (!verify(sig.signature, signBytes, validators.at(index).pubKey)) {
      return `wrong signature (#${position}): ${toHexUpper(sig.signature)}`;
    }
  }
  return null;
}
