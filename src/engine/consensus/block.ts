import { equal, toHexUpper } from "../../base/bytes.ts";
import { goTimeString, type Time } from "../../base/time.ts";
import { blockIdText, equalBlockIds, NIL_BLOCK_ID } from "./block-id.ts";
import { type FullCommit, writeCommit } from "./commit.ts";
import { type Evidence, evidenceListEntrySize } from "./evidence.ts";
import { type Header, writeHeader } from "./header.ts";
import type { ValidatorList } from "./validator-list.ts";
import { ProtoWriter } from "./wire.ts";

export interface Block {
  readonly header: Header;
  readonly txs: readonly Uint8Array[];
  readonly evidence: readonly Evidence[];
}

/** Header fields that follow from a node's own state. */
export type DictatedFields = Pick<
  Header,
  | "version"
  | "chainId"
  | "height"
  | "time"
  | "lastBlockId"
  | "lastCommitHash"
  | "appHash"
  | "consensusHash"
  | "lastResultsHash"
  | "validatorsHash"
  | "nextValidatorsHash"
>;

/** Values that a node expects in the next header. */
export interface ExpectedHeader extends DictatedFields {
  /** Time of the previous block; null at the initial height, whose block has the genesis time. */
  readonly lastTime: Time | null;
  readonly validators: ValidatorList;
}

const DICTATED_HASHES = [
  ["appHash", "AppHash"],
  ["consensusHash", "ConsensusHash"],
  ["lastResultsHash", "LastResultsHash"],
  ["validatorsHash", "ValidatorsHash"],
  ["nextValidatorsHash", "NextValidatorsHash"],
] as const;

/**
 * Returns why a node refuses a header, with CometBFT's order and texts (including its double
 * spaces; rules/consensus 7.2), or null. The evidence in the block is checked by the pool, its
 * commit by `commitError`.
 */
export function headerError(header: Header, expected: ExpectedHeader): string | null {
  const wrong = (field: string, want: unknown, got: unknown, gap = " "): string =>
    `wrong Block.Header.${field}.${gap}Expected ${want}, got ${got}`;

  const { version } = expected;
  if (header.version.block !== version.block || header.version.app !== version.app) {
    return wrong("Version", versionText(version), versionText(header.version));
  }
  if (header.chainId !== expected.chainId) {
    return wrong("ChainID", expected.chainId, header.chainId);
  }
  if (header.height !== expected.height) {
    return wrong("Height", expected.height, header.height);
  }
  if (!equalBlockIds(header.lastBlockId, expected.lastBlockId)) {
    const [want, got] = [blockIdText(expected.lastBlockId), blockIdText(header.lastBlockId)];
    return wrong("LastBlockID", want, got, "  ");
  }
  for (const [field, name] of DICTATED_HASHES) {
    if (equal(header[field], expected[field])) continue;
    return wrong(name, toHexUpper(expected[field]), toHexUpper(header[field]), "  ");
  }
  if (!equal(header.lastCommitHash, expected.lastCommitHash)) {
    const [want, got] = [toHexUpper(expected.lastCommitHash), toHexUpper(header.lastCommitHash)];
    return `wrong Header.LastCommitHash. Expected ${want}, got ${got}`;
  }
  if (expected.validators.indexOf(header.proposerAddress) < 0) {
    const address = toHexUpper(header.proposerAddress);
    return `block.Header.ProposerAddress ${address} is not a validator`;
  }
  return timeError(header.time, expected);
}

function timeError(time: Time, { time: want, lastTime }: ExpectedHeader): string | null {
  if (lastTime !== null && time <= lastTime) {
    return `block time ${goTimeString(time)} not greater than last block time ${goTimeString(lastTime)}`;
  }
  if (time === want) return null;
  return lastTime === null
    ? `block time ${goTimeString(time)} is not equal to genesis time ${goTimeString(want)}`
    : `invalid block time. Expected ${goTimeString(want)}, got ${goTimeString(time)}`;
}

/**
 * Size in bytes of the block in CometBFT's encoding: Block{1 header, 2 data{1 txs}, 3 evidence{1
 * list}, 4 last_commit}. The commit is that of the previous block with a 64-byte signature per
 * vote; null for the first block.
 */
export function blockSize({ header, txs, evidence }: Block, last: FullCommit | null): number {
  const w = new ProtoWriter();
  const head = w.open(1);
  writeHeader(w, header).close(head);
  const data = w.open(2);
  for (const tx of txs) w.message(1, tx);
  w.close(data);
  const listed = evidence.reduce((sum, ev) => sum + evidenceListEntrySize(ev), 0);
  w.message(3, new Uint8Array(listed));
  const commit = w.open(4);
  writeCommit(w, last ?? NO_COMMIT).close(commit);
  return w.view().length;
}

const NO_COMMIT: FullCommit = { height: 0, round: 0, blockId: NIL_BLOCK_ID, signatures: [] };

/** Go's format of the struct. */
function versionText(version: Header["version"]): string {
  return `{${version.block} ${version.app}}`;
}
