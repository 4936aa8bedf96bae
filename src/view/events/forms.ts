/** Answers of the JSON-RPC in CometBFT's format (rules/clients 2.2). */

import { create, toBinary } from "@bufbuild/protobuf";
import { toHexUpper } from "../../base/bytes.ts";
import { formatRfc3339 } from "../../base/time.ts";
import { gasUsed, gasWanted } from "../../engine/app/gas.ts";
import type { BlockId } from "../../engine/consensus/block-id.ts";
import type { FullCommit } from "../../engine/consensus/commit.ts";
import type { Evidence } from "../../engine/consensus/evidence.ts";
import type { Header } from "../../engine/consensus/header.ts";
import type { ValidatorUpdate } from "../../engine/consensus/validator-changes.ts";
import type { Validator } from "../../engine/consensus/validator-list.ts";
import type { Vote } from "../../engine/consensus/vote.ts";
import type { Event } from "../../engine/framework/events.ts";
import type { ReadBlock } from "../../engine/simulation/decided-blocks.ts";
import type { TxView } from "../../engine/simulation/views.ts";
import { TxMsgDataSchema } from "../../gen/chain/tx/v1beta1/named_tx_pb.ts";
import { toBase64 } from "../base64.ts";
import type { Json } from "../json.ts";

export type JsonObject = { [key: string]: Json };

export const blockIdForm = ({ hash, partSetHeader }: BlockId): JsonObject => ({
  hash: toHexUpper(hash),
  parts: { total: partSetHeader.total, hash: toHexUpper(partSetHeader.hash) },
});

export const headerForm = (header: Header): JsonObject => ({
  version: { block: `${header.version.block}`, app: `${header.version.app}` },
  chain_id: header.chainId,
  height: `${header.height}`,
  time: formatRfc3339(header.time),
  last_block_id: blockIdForm(header.lastBlockId),
  last_commit_hash: toHexUpper(header.lastCommitHash),
  data_hash: toHexUpper(header.dataHash),
  validators_hash: toHexUpper(header.validatorsHash),
  next_validators_hash: toHexUpper(header.nextValidatorsHash),
  consensus_hash: toHexUpper(header.consensusHash),
  app_hash: toHexUpper(header.appHash),
  last_results_hash: toHexUpper(header.lastResultsHash),
  evidence_hash: toHexUpper(header.evidenceHash),
  proposer_address: toHexUpper(header.proposerAddress),
});

const NO_COMMIT: JsonObject = {
  height: "0",
  round: 0,
  block_id: { hash: "", parts: { total: 0, hash: "" } },
  signatures: [],
};

export const commitForm = (commit: FullCommit | undefined): JsonObject =>
  commit === undefined
    ? NO_COMMIT
    : {
        height: `${commit.height}`,
        round: commit.round,
        block_id: blockIdForm(commit.blockId),
        signatures: commit.signatures.map((one) => ({
          block_id_flag: one.blockIdFlag,
          validator_address: toHexUpper(one.validatorAddress),
          timestamp: formatRfc3339(one.timestamp),
          signature: bytesForm(one.signature),
        })),
      };

const blockForm = ({ header, txs, evidence, lastCommit }: ReadBlock): JsonObject => ({
  header: headerForm(header),
  data: { txs: txs.map(toBase64) },
  evidence: { evidence: evidence.map(evidenceForm) },
  last_commit: commitForm(lastCommit()),
});

/** A block with its id, as returned by `block` and the searches. */
export const foundBlock = (block: ReadBlock): JsonObject => ({
  block_id: blockIdForm(block.id),
  block: blockForm(block),
});

export const keyForm = (pubKey: Uint8Array): JsonObject => ({
  type: "tendermint/PubKeyEd25519",
  value: toBase64(pubKey),
});

export const validatorForm = (
  { address, pubKey, power }: Validator,
  priority: number | undefined,
): JsonObject => ({
  address: toHexUpper(address),
  pub_key: keyForm(pubKey),
  voting_power: `${power}`,
  ...(priority === undefined ? {} : { proposer_priority: `${priority}` }),
});

export const updateForm = ({ pubKey, power }: ValidatorUpdate): JsonObject => ({
  pub_key: {
    Sum: { type: "tendermint.crypto.PublicKey_Ed25519", value: { ed25519: toBase64(pubKey) } },
  },
  power: `${power}`,
});

/** Evidence within a block: the two kinds that CometBFT has. */
export function evidenceForm(evidence: Evidence): JsonObject {
  if (evidence.kind === "duplicate-vote") {
    return {
      type: "tendermint/DuplicateVoteEvidence",
      value: {
        vote_a: voteForm(evidence.voteA),
        vote_b: voteForm(evidence.voteB),
        TotalVotingPower: `${evidence.totalVotingPower}`,
        ValidatorPower: `${evidence.validatorPower}`,
        Timestamp: formatRfc3339(evidence.timestamp),
      },
    };
  }
  const { header, commit, validators } = evidence.conflictingBlock;
  const members = Array.from({ length: validators.size }, (_, i) =>
    validatorForm(validators.list.at(i), validators.priorities[i]),
  );
  return {
    type: "tendermint/LightClientAttackEvidence",
    value: {
      ConflictingBlock: {
        signed_header: { header: headerForm(header), commit: commitForm(commit) },
        validator_set: { validators: members, proposer: members[validators.proposer()] ?? null },
      },
      CommonHeight: `${evidence.commonHeight}`,
      ByzantineValidators: evidence.byzantineValidators.map((one) => validatorForm(one, 0)),
      TotalVotingPower: `${evidence.totalVotingPower}`,
      Timestamp: formatRfc3339(evidence.timestamp),
    },
  };
}

const voteForm = (vote: Vote): JsonObject => ({
  type: vote.type,
  height: `${vote.height}`,
  round: vote.round,
  block_id: blockIdForm(vote.blockId),
  timestamp: formatRfc3339(vote.timestamp),
  validator_address: toHexUpper(vote.validatorAddress),
  validator_index: vote.validatorIndex,
  signature: toBase64(vote.signature),
  extension: null,
  extension_signature: null,
});

export const eventsForm = (events: readonly Event[]): Json[] =>
  events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map(({ key, value }) => ({ key, value, index: true })),
  }));

/**
 * The result of a transaction with these bytes, as sent to clients; the last results hash uses 0
 * for its gas.
 */
export const txResultForm = (tx: TxView, bytes: Uint8Array): JsonObject => ({
  code: tx.code,
  data: bytesForm(tx.code === 0 ? txData(tx) : new Uint8Array()),
  log: tx.log,
  info: "",
  gas_wanted: `${gasWanted(bytes)}`,
  gas_used: `${gasUsed(bytes, tx.events)}`,
  events: eventsForm(tx.events),
  codespace: tx.codespace,
});

/** The results of a block's transactions. */
export const txResultForms = (results: readonly TxView[], txs: readonly Uint8Array[]): Json[] =>
  results.map((tx, i) => txResultForm(tx, txs[i] ?? new Uint8Array()));

/** The responses of a transaction's messages in bytes. */
const txData = ({ responses }: TxView): Uint8Array =>
  toBinary(TxMsgDataSchema, create(TxMsgDataSchema, { msgResponses: [...responses] }));

/** Bytes as base64; null if there are none. */
export const bytesForm = (bytes: Uint8Array): string | null =>
  bytes.length === 0 ? null : toBase64(bytes);
