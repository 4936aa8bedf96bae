import type { Coin, CoinSchema } from "./chain/base/v1beta1/coin_pb.ts";
import type { Balance, BalanceSchema, GenesisState, GenesisStateSchema } from "./chain/bank/v1beta1/bank_pb.ts";
import type { MsgSend, MsgSendResponse, MsgSendResponseSchema, MsgSendSchema } from "./chain/bank/v1beta1/tx_pb.ts";
import type { BlockID, BlockIDSchema, DuplicateVoteEvidence, DuplicateVoteEvidenceSchema, PartSetHeader, PartSetHeaderSchema, Vote, VoteSchema } from "./chain/consensus/v1/types_pb.ts";
import type { Any, AnySchema, Duration, DurationSchema, Int64Value, Int64ValueSchema, StringValue, StringValueSchema, Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { PubKey, PubKeySchema } from "./chain/crypto/ed25519/keys_pb.ts";
import type { PubKey as PubKey$1, PubKeySchema as PubKeySchema$1 } from "./chain/crypto/secp256k1/keys_pb.ts";
import type { CounterfactualSigning, CounterfactualSigningSchema, Equivocation, EquivocationSchema, ScriptedEvidence, ScriptedEvidenceSchema } from "./chain/evidence/v1beta1/evidence_pb.ts";
import type { GenesisState as GenesisState$1, GenesisStateSchema as GenesisStateSchema$1 } from "./chain/evidence/v1beta1/genesis_pb.ts";
import type { MsgSubmitEvidence, MsgSubmitEvidenceResponse, MsgSubmitEvidenceResponseSchema, MsgSubmitEvidenceSchema } from "./chain/evidence/v1beta1/tx_pb.ts";
import type { Deposit, DepositParams, DepositParamsSchema, DepositSchema, GenesisState as GenesisState$2, GenesisStateSchema as GenesisStateSchema$2, Params, ParamsSchema, Proposal, ProposalSchema, TallyParams, TallyParamsSchema, TallyResult, TallyResultSchema, Vote as Vote$1, VoteSchema as VoteSchema$1, VotingParams, VotingParamsSchema, WeightedVoteOption, WeightedVoteOptionSchema } from "./chain/gov/v1/gov_pb.ts";
import type { MsgCancelProposal, MsgCancelProposalResponse, MsgCancelProposalResponseSchema, MsgCancelProposalSchema, MsgDeposit, MsgDepositResponse, MsgDepositResponseSchema, MsgDepositSchema, MsgExecLegacyContent, MsgExecLegacyContentResponse, MsgExecLegacyContentResponseSchema, MsgExecLegacyContentSchema, MsgSubmitProposal, MsgSubmitProposalResponse, MsgSubmitProposalResponseSchema, MsgSubmitProposalSchema, MsgUpdateParams, MsgUpdateParamsResponse, MsgUpdateParamsResponseSchema, MsgUpdateParamsSchema, MsgVote, MsgVoteResponse, MsgVoteResponseSchema, MsgVoteSchema, MsgVoteWeighted, MsgVoteWeightedResponse, MsgVoteWeightedResponseSchema, MsgVoteWeightedSchema } from "./chain/gov/v1/tx_pb.ts";
import type { MsgDeposit as MsgDeposit$1, MsgDepositResponse as MsgDepositResponse$1, MsgDepositResponseSchema as MsgDepositResponseSchema$1, MsgDepositSchema as MsgDepositSchema$1, MsgSubmitProposal as MsgSubmitProposal$1, MsgSubmitProposalResponse as MsgSubmitProposalResponse$1, MsgSubmitProposalResponseSchema as MsgSubmitProposalResponseSchema$1, MsgSubmitProposalSchema as MsgSubmitProposalSchema$1, MsgVote as MsgVote$1, MsgVoteResponse as MsgVoteResponse$1, MsgVoteResponseSchema as MsgVoteResponseSchema$1, MsgVoteSchema as MsgVoteSchema$1, MsgVoteWeighted as MsgVoteWeighted$1, MsgVoteWeightedResponse as MsgVoteWeightedResponse$1, MsgVoteWeightedResponseSchema as MsgVoteWeightedResponseSchema$1, MsgVoteWeightedSchema as MsgVoteWeightedSchema$1, TextProposal, TextProposalSchema, WeightedVoteOption as WeightedVoteOption$1, WeightedVoteOptionSchema as WeightedVoteOptionSchema$1 } from "./chain/gov/v1beta1/tx_pb.ts";
import type { Deposit as Deposit$1, DepositParams as DepositParams$1, DepositParamsSchema as DepositParamsSchema$1, DepositSchema as DepositSchema$1, Proposal as Proposal$1, ProposalSchema as ProposalSchema$1, TallyParams as TallyParams$1, TallyParamsSchema as TallyParamsSchema$1, TallyResult as TallyResult$1, TallyResultSchema as TallyResultSchema$1, Vote as Vote$2, VoteSchema as VoteSchema$2, VotingParams as VotingParams$1, VotingParamsSchema as VotingParamsSchema$1 } from "./chain/gov/v1beta1/gov_pb.ts";
import type { GenesisState as GenesisState$3, GenesisStateSchema as GenesisStateSchema$3, MissedBlock, MissedBlockSchema, Params as Params$1, ParamsSchema as ParamsSchema$1, SigningInfo, SigningInfoSchema, ValidatorMissedBlocks, ValidatorMissedBlocksSchema, ValidatorSigningInfo, ValidatorSigningInfoSchema } from "./chain/slashing/v1beta1/slashing_pb.ts";
import type { MsgUnjail, MsgUnjailResponse, MsgUnjailResponseSchema, MsgUnjailSchema, MsgUpdateParams as MsgUpdateParams$1, MsgUpdateParamsResponse as MsgUpdateParamsResponse$1, MsgUpdateParamsResponseSchema as MsgUpdateParamsResponseSchema$1, MsgUpdateParamsSchema as MsgUpdateParamsSchema$1 } from "./chain/slashing/v1beta1/tx_pb.ts";
import type { Commission, CommissionRates, CommissionRatesSchema, CommissionSchema, Delegation, DelegationResponse, DelegationResponseSchema, DelegationSchema, Description, DescriptionSchema, DVPair, DVPairs, DVPairSchema, DVPairsSchema, DVVTriplet, DVVTriplets, DVVTripletSchema, DVVTripletsSchema, GenesisState as GenesisState$4, GenesisStateSchema as GenesisStateSchema$4, LastValidatorPower, LastValidatorPowerSchema, Params as Params$2, ParamsSchema as ParamsSchema$2, Pool, PoolSchema, Redelegation, RedelegationEntry, RedelegationEntryResponse, RedelegationEntryResponseSchema, RedelegationEntrySchema, RedelegationResponse, RedelegationResponseSchema, RedelegationSchema, UnbondingDelegation, UnbondingDelegationEntry, UnbondingDelegationEntrySchema, UnbondingDelegationSchema, ValAddresses, ValAddressesSchema, Validator, ValidatorSchema } from "./chain/staking/v1beta1/staking_pb.ts";
import type { MsgBeginRedelegate, MsgBeginRedelegateResponse, MsgBeginRedelegateResponseSchema, MsgBeginRedelegateSchema, MsgCancelUnbondingDelegation, MsgCancelUnbondingDelegationResponse, MsgCancelUnbondingDelegationResponseSchema, MsgCancelUnbondingDelegationSchema, MsgCreateValidator, MsgCreateValidatorResponse, MsgCreateValidatorResponseSchema, MsgCreateValidatorSchema, MsgDelegate, MsgDelegateResponse, MsgDelegateResponseSchema, MsgDelegateSchema, MsgEditValidator, MsgEditValidatorResponse, MsgEditValidatorResponseSchema, MsgEditValidatorSchema, MsgUndelegate, MsgUndelegateResponse, MsgUndelegateResponseSchema, MsgUndelegateSchema, MsgUpdateParams as MsgUpdateParams$2, MsgUpdateParamsResponse as MsgUpdateParamsResponse$2, MsgUpdateParamsResponseSchema as MsgUpdateParamsResponseSchema$2, MsgUpdateParamsSchema as MsgUpdateParamsSchema$2 } from "./chain/staking/v1beta1/tx_pb.ts";
import type { NamedAuth, NamedAuthSchema, NamedBody, NamedBodySchema, NamedFee, NamedFeeSchema, NamedSigner, NamedSignerSchema, NamedTx, NamedTxSchema, TxMsgData, TxMsgDataSchema } from "./chain/tx/v1beta1/named_tx_pb.ts";
import type { Fee, FeeSchema, SignDoc, SignDocSchema, Tip, TipSchema, TxBody, TxBodySchema, TxRaw, TxRawSchema } from "./chain/tx/v1beta1/tx_pb.ts";
import type { CancelSoftwareUpgradeProposal, CancelSoftwareUpgradeProposalSchema, ModuleVersion, ModuleVersionSchema, Plan, PlanSchema, SoftwareUpgradeProposal, SoftwareUpgradeProposalSchema } from "./chain/upgrade/v1beta1/upgrade_pb.ts";
import type { MsgCancelUpgrade, MsgCancelUpgradeResponse, MsgCancelUpgradeResponseSchema, MsgCancelUpgradeSchema, MsgSoftwareUpgrade, MsgSoftwareUpgradeResponse, MsgSoftwareUpgradeResponseSchema, MsgSoftwareUpgradeSchema } from "./chain/upgrade/v1beta1/tx_pb.ts";

// @generated by tools/protoc-gen-chainlab.ts


import type { Message, MessageInitShape } from "@bufbuild/protobuf";

/** Writes the fields of messages in order. Throws at a value that it cannot write. */
export interface RecordWriter {
  /** Throws if a message holds fields that its schema does not know. */
  known(message: object): void;
  string(tag: number, value: string): void;
  bytes(tag: number, value: Uint8Array): void;
  bool(tag: number, value: boolean): void;
  int32(tag: number, value: number): void;
  uint32(tag: number, value: number): void;
  int64(tag: number, value: bigint): void;
  uint64(tag: number, value: bigint): void;
  /** Begins an embedded message and returns what `close` needs to end it. */
  open(tag: number): number;
  close(begin: number): void;
  unusual(): never;
}

/** Reads the fields of messages in order. Throws at bytes that it cannot read. */
export interface RecordReader {
  readonly at: number;
  tag(): number;
  string(): string;
  bytes(): Uint8Array;
  bool(): boolean;
  int32(): number;
  uint32(): number;
  int64(): bigint;
  uint64(): bigint;
  /** Reads a length and returns where what has it ends. */
  end(): number;
  /** Throws unless reading has come to exactly this place. */
  ended(end: number): void;
  unusual(): never;
}

/** Writes and reads one kind of message. */
export interface RecordCode {
  write(w: RecordWriter, m: never): void;
  read(r: RecordReader, end: number): Message;
}

const EMPTY = new Uint8Array(0);

function writeBaseV1beta1Coin(w: RecordWriter, m: MessageInitShape<typeof CoinSchema>): void {
  w.known(m);
  if (m.denom !== undefined && m.denom !== "") w.string(10, m.denom);
  if (m.amount !== undefined && m.amount !== "") w.string(18, m.amount);
}

function readBaseV1beta1Coin(r: RecordReader, end: number): Coin {
  const m: Coin = { $typeName: "chain.base.v1beta1.Coin", denom: "", amount: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.denom = r.string(); break;
      case 18: m.amount = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeBankV1beta1Balance(w: RecordWriter, m: MessageInitShape<typeof BalanceSchema>): void {
  w.known(m);
  if (m.address !== undefined && m.address !== "") w.string(10, m.address);
  for (const item of m.coins ?? []) { const at = w.open(18); writeBaseV1beta1Coin(w, item); w.close(at); }
}

function readBankV1beta1Balance(r: RecordReader, end: number): Balance {
  const m: Balance = { $typeName: "chain.bank.v1beta1.Balance", address: "", coins: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.address = r.string(); break;
      case 18: m.coins.push(readBaseV1beta1Coin(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeBankV1beta1GenesisState(w: RecordWriter, m: MessageInitShape<typeof GenesisStateSchema>): void {
  w.known(m);
  for (const item of m.balances ?? []) { const at = w.open(18); writeBankV1beta1Balance(w, item); w.close(at); }
  for (const item of m.supply ?? []) { const at = w.open(26); writeBaseV1beta1Coin(w, item); w.close(at); }
}

function readBankV1beta1GenesisState(r: RecordReader, end: number): GenesisState {
  const m: GenesisState = { $typeName: "chain.bank.v1beta1.GenesisState", balances: [], supply: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 18: m.balances.push(readBankV1beta1Balance(r, r.end())); break;
      case 26: m.supply.push(readBaseV1beta1Coin(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeBankV1beta1MsgSend(w: RecordWriter, m: MessageInitShape<typeof MsgSendSchema>): void {
  w.known(m);
  if (m.fromAddress !== undefined && m.fromAddress !== "") w.string(10, m.fromAddress);
  if (m.toAddress !== undefined && m.toAddress !== "") w.string(18, m.toAddress);
  for (const item of m.amount ?? []) { const at = w.open(26); writeBaseV1beta1Coin(w, item); w.close(at); }
}

function readBankV1beta1MsgSend(r: RecordReader, end: number): MsgSend {
  const m: MsgSend = { $typeName: "chain.bank.v1beta1.MsgSend", fromAddress: "", toAddress: "", amount: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.fromAddress = r.string(); break;
      case 18: m.toAddress = r.string(); break;
      case 26: m.amount.push(readBaseV1beta1Coin(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeBankV1beta1MsgSendResponse(w: RecordWriter, m: MessageInitShape<typeof MsgSendResponseSchema>): void {
  w.known(m);
}

function readBankV1beta1MsgSendResponse(r: RecordReader, end: number): MsgSendResponse {
  const m: MsgSendResponse = { $typeName: "chain.bank.v1beta1.MsgSendResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeConsensusV1PartSetHeader(w: RecordWriter, m: MessageInitShape<typeof PartSetHeaderSchema>): void {
  w.known(m);
  if (m.total !== undefined && m.total !== 0) w.uint32(8, m.total);
  if (m.hash !== undefined && m.hash.length !== 0) w.bytes(18, m.hash);
}

function readConsensusV1PartSetHeader(r: RecordReader, end: number): PartSetHeader {
  const m: PartSetHeader = { $typeName: "chain.consensus.v1.PartSetHeader", total: 0, hash: EMPTY };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.total = r.uint32(); break;
      case 18: m.hash = r.bytes(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeConsensusV1BlockID(w: RecordWriter, m: MessageInitShape<typeof BlockIDSchema>): void {
  w.known(m);
  if (m.hash !== undefined && m.hash.length !== 0) w.bytes(10, m.hash);
  if (m.partSetHeader !== undefined) { const at = w.open(18); writeConsensusV1PartSetHeader(w, m.partSetHeader); w.close(at); }
}

function readConsensusV1BlockID(r: RecordReader, end: number): BlockID {
  const m: BlockID = { $typeName: "chain.consensus.v1.BlockID", hash: EMPTY };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.hash = r.bytes(); break;
      case 18: if (m.partSetHeader !== undefined) r.unusual(); m.partSetHeader = readConsensusV1PartSetHeader(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeProtobufTimestamp(w: RecordWriter, m: MessageInitShape<typeof TimestampSchema>): void {
  w.known(m);
  if (m.seconds !== undefined && m.seconds !== 0n) w.int64(8, m.seconds);
  if (m.nanos !== undefined && m.nanos !== 0) w.int32(16, m.nanos);
}

function readProtobufTimestamp(r: RecordReader, end: number): Timestamp {
  const m: Timestamp = { $typeName: "google.protobuf.Timestamp", seconds: 0n, nanos: 0 };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.seconds = r.int64(); break;
      case 16: m.nanos = r.int32(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeConsensusV1Vote(w: RecordWriter, m: MessageInitShape<typeof VoteSchema>): void {
  w.known(m);
  if (m.type !== undefined && m.type !== 0) w.int32(8, m.type);
  if (m.height !== undefined && m.height !== 0n) w.int64(16, m.height);
  if (m.round !== undefined && m.round !== 0) w.int32(24, m.round);
  if (m.blockId !== undefined) { const at = w.open(34); writeConsensusV1BlockID(w, m.blockId); w.close(at); }
  if (m.timestamp !== undefined) { const at = w.open(42); writeProtobufTimestamp(w, m.timestamp); w.close(at); }
  if (m.validatorAddress !== undefined && m.validatorAddress.length !== 0) w.bytes(50, m.validatorAddress);
  if (m.validatorIndex !== undefined && m.validatorIndex !== 0) w.int32(56, m.validatorIndex);
  if (m.signature !== undefined && m.signature.length !== 0) w.bytes(66, m.signature);
}

function readConsensusV1Vote(r: RecordReader, end: number): Vote {
  const m: Vote = { $typeName: "chain.consensus.v1.Vote", type: 0, height: 0n, round: 0, validatorAddress: EMPTY, validatorIndex: 0, signature: EMPTY };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.type = r.int32(); break;
      case 16: m.height = r.int64(); break;
      case 24: m.round = r.int32(); break;
      case 34: if (m.blockId !== undefined) r.unusual(); m.blockId = readConsensusV1BlockID(r, r.end()); break;
      case 42: if (m.timestamp !== undefined) r.unusual(); m.timestamp = readProtobufTimestamp(r, r.end()); break;
      case 50: m.validatorAddress = r.bytes(); break;
      case 56: m.validatorIndex = r.int32(); break;
      case 66: m.signature = r.bytes(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeConsensusV1DuplicateVoteEvidence(w: RecordWriter, m: MessageInitShape<typeof DuplicateVoteEvidenceSchema>): void {
  w.known(m);
  if (m.voteA !== undefined) { const at = w.open(10); writeConsensusV1Vote(w, m.voteA); w.close(at); }
  if (m.voteB !== undefined) { const at = w.open(18); writeConsensusV1Vote(w, m.voteB); w.close(at); }
  if (m.totalVotingPower !== undefined && m.totalVotingPower !== 0n) w.int64(24, m.totalVotingPower);
  if (m.validatorPower !== undefined && m.validatorPower !== 0n) w.int64(32, m.validatorPower);
  if (m.timestamp !== undefined) { const at = w.open(42); writeProtobufTimestamp(w, m.timestamp); w.close(at); }
}

function readConsensusV1DuplicateVoteEvidence(r: RecordReader, end: number): DuplicateVoteEvidence {
  const m: DuplicateVoteEvidence = { $typeName: "chain.consensus.v1.DuplicateVoteEvidence", totalVotingPower: 0n, validatorPower: 0n };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: if (m.voteA !== undefined) r.unusual(); m.voteA = readConsensusV1Vote(r, r.end()); break;
      case 18: if (m.voteB !== undefined) r.unusual(); m.voteB = readConsensusV1Vote(r, r.end()); break;
      case 24: m.totalVotingPower = r.int64(); break;
      case 32: m.validatorPower = r.int64(); break;
      case 42: if (m.timestamp !== undefined) r.unusual(); m.timestamp = readProtobufTimestamp(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeCryptoEd25519PubKey(w: RecordWriter, m: MessageInitShape<typeof PubKeySchema>): void {
  w.known(m);
  if (m.key !== undefined && m.key.length !== 0) w.bytes(10, m.key);
}

function readCryptoEd25519PubKey(r: RecordReader, end: number): PubKey {
  const m: PubKey = { $typeName: "chain.crypto.ed25519.PubKey", key: EMPTY };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.key = r.bytes(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeCryptoSecp256k1PubKey(w: RecordWriter, m: MessageInitShape<typeof PubKeySchema$1>): void {
  w.known(m);
  if (m.key !== undefined && m.key.length !== 0) w.bytes(10, m.key);
}

function readCryptoSecp256k1PubKey(r: RecordReader, end: number): PubKey$1 {
  const m: PubKey$1 = { $typeName: "chain.crypto.secp256k1.PubKey", key: EMPTY };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.key = r.bytes(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeEvidenceV1beta1Equivocation(w: RecordWriter, m: MessageInitShape<typeof EquivocationSchema>): void {
  w.known(m);
  if (m.height !== undefined && m.height !== 0n) w.int64(8, m.height);
  if (m.time !== undefined) { const at = w.open(18); writeProtobufTimestamp(w, m.time); w.close(at); }
  if (m.power !== undefined && m.power !== 0n) w.int64(24, m.power);
  if (m.consensusAddress !== undefined && m.consensusAddress !== "") w.string(34, m.consensusAddress);
}

function readEvidenceV1beta1Equivocation(r: RecordReader, end: number): Equivocation {
  const m: Equivocation = { $typeName: "chain.evidence.v1beta1.Equivocation", height: 0n, power: 0n, consensusAddress: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.height = r.int64(); break;
      case 18: if (m.time !== undefined) r.unusual(); m.time = readProtobufTimestamp(r, r.end()); break;
      case 24: m.power = r.int64(); break;
      case 34: m.consensusAddress = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeEvidenceV1beta1CounterfactualSigning(w: RecordWriter, m: MessageInitShape<typeof CounterfactualSigningSchema>): void {
  w.known(m);
  if (m.consensusAddress !== undefined && m.consensusAddress !== "") w.string(10, m.consensusAddress);
  if (m.power !== undefined && m.power !== 0n) w.int64(16, m.power);
  if (m.voteA !== undefined) { const at = w.open(26); writeConsensusV1Vote(w, m.voteA); w.close(at); }
  if (m.voteB !== undefined) { const at = w.open(34); writeConsensusV1Vote(w, m.voteB); w.close(at); }
}

function readEvidenceV1beta1CounterfactualSigning(r: RecordReader, end: number): CounterfactualSigning {
  const m: CounterfactualSigning = { $typeName: "chain.evidence.v1beta1.CounterfactualSigning", consensusAddress: "", power: 0n };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.consensusAddress = r.string(); break;
      case 16: m.power = r.int64(); break;
      case 26: if (m.voteA !== undefined) r.unusual(); m.voteA = readConsensusV1Vote(r, r.end()); break;
      case 34: if (m.voteB !== undefined) r.unusual(); m.voteB = readConsensusV1Vote(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeEvidenceV1beta1ScriptedEvidence(w: RecordWriter, m: MessageInitShape<typeof ScriptedEvidenceSchema>): void {
  w.known(m);
  if (m.height !== undefined && m.height !== 0n) w.int64(8, m.height);
  if (m.outcome !== undefined && m.outcome !== "") w.string(18, m.outcome);
  if (m.text !== undefined && m.text !== "") w.string(26, m.text);
  if (m.route !== undefined && m.route !== "") w.string(34, m.route);
}

function readEvidenceV1beta1ScriptedEvidence(r: RecordReader, end: number): ScriptedEvidence {
  const m: ScriptedEvidence = { $typeName: "chain.evidence.v1beta1.ScriptedEvidence", height: 0n, outcome: "", text: "", route: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.height = r.int64(); break;
      case 18: m.outcome = r.string(); break;
      case 26: m.text = r.string(); break;
      case 34: m.route = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeProtobufAny(w: RecordWriter, m: MessageInitShape<typeof AnySchema>): void {
  w.known(m);
  if (m.typeUrl !== undefined && m.typeUrl !== "") w.string(10, m.typeUrl);
  if (m.value !== undefined && m.value.length !== 0) w.bytes(18, m.value);
}

function readProtobufAny(r: RecordReader, end: number): Any {
  const m: Any = { $typeName: "google.protobuf.Any", typeUrl: "", value: EMPTY };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.typeUrl = r.string(); break;
      case 18: m.value = r.bytes(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeEvidenceV1beta1GenesisState(w: RecordWriter, m: MessageInitShape<typeof GenesisStateSchema$1>): void {
  w.known(m);
  for (const item of m.evidence ?? []) { const at = w.open(10); writeProtobufAny(w, item); w.close(at); }
}

function readEvidenceV1beta1GenesisState(r: RecordReader, end: number): GenesisState$1 {
  const m: GenesisState$1 = { $typeName: "chain.evidence.v1beta1.GenesisState", evidence: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.evidence.push(readProtobufAny(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeEvidenceV1beta1MsgSubmitEvidence(w: RecordWriter, m: MessageInitShape<typeof MsgSubmitEvidenceSchema>): void {
  w.known(m);
  if (m.submitter !== undefined && m.submitter !== "") w.string(10, m.submitter);
  if (m.evidence !== undefined) { const at = w.open(18); writeProtobufAny(w, m.evidence); w.close(at); }
}

function readEvidenceV1beta1MsgSubmitEvidence(r: RecordReader, end: number): MsgSubmitEvidence {
  const m: MsgSubmitEvidence = { $typeName: "chain.evidence.v1beta1.MsgSubmitEvidence", submitter: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.submitter = r.string(); break;
      case 18: if (m.evidence !== undefined) r.unusual(); m.evidence = readProtobufAny(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeEvidenceV1beta1MsgSubmitEvidenceResponse(w: RecordWriter, m: MessageInitShape<typeof MsgSubmitEvidenceResponseSchema>): void {
  w.known(m);
  if (m.hash !== undefined && m.hash.length !== 0) w.bytes(34, m.hash);
}

function readEvidenceV1beta1MsgSubmitEvidenceResponse(r: RecordReader, end: number): MsgSubmitEvidenceResponse {
  const m: MsgSubmitEvidenceResponse = { $typeName: "chain.evidence.v1beta1.MsgSubmitEvidenceResponse", hash: EMPTY };
  while (r.at < end) {
    switch (r.tag()) {
      case 34: m.hash = r.bytes(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1WeightedVoteOption(w: RecordWriter, m: MessageInitShape<typeof WeightedVoteOptionSchema>): void {
  w.known(m);
  if (m.option !== undefined && m.option !== 0) w.int32(8, m.option);
  if (m.weight !== undefined && m.weight !== "") w.string(18, m.weight);
}

function readGovV1WeightedVoteOption(r: RecordReader, end: number): WeightedVoteOption {
  const m: WeightedVoteOption = { $typeName: "chain.gov.v1.WeightedVoteOption", option: 0, weight: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.option = r.int32(); break;
      case 18: m.weight = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1Deposit(w: RecordWriter, m: MessageInitShape<typeof DepositSchema>): void {
  w.known(m);
  if (m.proposalId !== undefined && m.proposalId !== 0n) w.uint64(8, m.proposalId);
  if (m.depositor !== undefined && m.depositor !== "") w.string(18, m.depositor);
  for (const item of m.amount ?? []) { const at = w.open(26); writeBaseV1beta1Coin(w, item); w.close(at); }
}

function readGovV1Deposit(r: RecordReader, end: number): Deposit {
  const m: Deposit = { $typeName: "chain.gov.v1.Deposit", proposalId: 0n, depositor: "", amount: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.proposalId = r.uint64(); break;
      case 18: m.depositor = r.string(); break;
      case 26: m.amount.push(readBaseV1beta1Coin(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1TallyResult(w: RecordWriter, m: MessageInitShape<typeof TallyResultSchema>): void {
  w.known(m);
  if (m.yesCount !== undefined && m.yesCount !== "") w.string(10, m.yesCount);
  if (m.abstainCount !== undefined && m.abstainCount !== "") w.string(18, m.abstainCount);
  if (m.noCount !== undefined && m.noCount !== "") w.string(26, m.noCount);
  if (m.noWithVetoCount !== undefined && m.noWithVetoCount !== "") w.string(34, m.noWithVetoCount);
}

function readGovV1TallyResult(r: RecordReader, end: number): TallyResult {
  const m: TallyResult = { $typeName: "chain.gov.v1.TallyResult", yesCount: "", abstainCount: "", noCount: "", noWithVetoCount: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.yesCount = r.string(); break;
      case 18: m.abstainCount = r.string(); break;
      case 26: m.noCount = r.string(); break;
      case 34: m.noWithVetoCount = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1Proposal(w: RecordWriter, m: MessageInitShape<typeof ProposalSchema>): void {
  w.known(m);
  if (m.id !== undefined && m.id !== 0n) w.uint64(8, m.id);
  for (const item of m.messages ?? []) { const at = w.open(18); writeProtobufAny(w, item); w.close(at); }
  if (m.status !== undefined && m.status !== 0) w.int32(24, m.status);
  if (m.finalTallyResult !== undefined) { const at = w.open(34); writeGovV1TallyResult(w, m.finalTallyResult); w.close(at); }
  if (m.submitTime !== undefined) { const at = w.open(42); writeProtobufTimestamp(w, m.submitTime); w.close(at); }
  if (m.depositEndTime !== undefined) { const at = w.open(50); writeProtobufTimestamp(w, m.depositEndTime); w.close(at); }
  for (const item of m.totalDeposit ?? []) { const at = w.open(58); writeBaseV1beta1Coin(w, item); w.close(at); }
  if (m.votingStartTime !== undefined) { const at = w.open(66); writeProtobufTimestamp(w, m.votingStartTime); w.close(at); }
  if (m.votingEndTime !== undefined) { const at = w.open(74); writeProtobufTimestamp(w, m.votingEndTime); w.close(at); }
  if (m.metadata !== undefined && m.metadata !== "") w.string(82, m.metadata);
  if (m.title !== undefined && m.title !== "") w.string(90, m.title);
  if (m.summary !== undefined && m.summary !== "") w.string(98, m.summary);
  if (m.proposer !== undefined && m.proposer !== "") w.string(106, m.proposer);
  if (m.expedited !== undefined && m.expedited !== false) w.bool(112, m.expedited);
  if (m.failedReason !== undefined && m.failedReason !== "") w.string(122, m.failedReason);
}

function readGovV1Proposal(r: RecordReader, end: number): Proposal {
  const m: Proposal = { $typeName: "chain.gov.v1.Proposal", id: 0n, messages: [], status: 0, totalDeposit: [], metadata: "", title: "", summary: "", proposer: "", expedited: false, failedReason: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.id = r.uint64(); break;
      case 18: m.messages.push(readProtobufAny(r, r.end())); break;
      case 24: m.status = r.int32(); break;
      case 34: if (m.finalTallyResult !== undefined) r.unusual(); m.finalTallyResult = readGovV1TallyResult(r, r.end()); break;
      case 42: if (m.submitTime !== undefined) r.unusual(); m.submitTime = readProtobufTimestamp(r, r.end()); break;
      case 50: if (m.depositEndTime !== undefined) r.unusual(); m.depositEndTime = readProtobufTimestamp(r, r.end()); break;
      case 58: m.totalDeposit.push(readBaseV1beta1Coin(r, r.end())); break;
      case 66: if (m.votingStartTime !== undefined) r.unusual(); m.votingStartTime = readProtobufTimestamp(r, r.end()); break;
      case 74: if (m.votingEndTime !== undefined) r.unusual(); m.votingEndTime = readProtobufTimestamp(r, r.end()); break;
      case 82: m.metadata = r.string(); break;
      case 90: m.title = r.string(); break;
      case 98: m.summary = r.string(); break;
      case 106: m.proposer = r.string(); break;
      case 112: m.expedited = r.bool(); break;
      case 122: m.failedReason = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1Vote(w: RecordWriter, m: MessageInitShape<typeof VoteSchema$1>): void {
  w.known(m);
  if (m.proposalId !== undefined && m.proposalId !== 0n) w.uint64(8, m.proposalId);
  if (m.voter !== undefined && m.voter !== "") w.string(18, m.voter);
  for (const item of m.options ?? []) { const at = w.open(34); writeGovV1WeightedVoteOption(w, item); w.close(at); }
  if (m.metadata !== undefined && m.metadata !== "") w.string(42, m.metadata);
}

function readGovV1Vote(r: RecordReader, end: number): Vote$1 {
  const m: Vote$1 = { $typeName: "chain.gov.v1.Vote", proposalId: 0n, voter: "", options: [], metadata: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.proposalId = r.uint64(); break;
      case 18: m.voter = r.string(); break;
      case 34: m.options.push(readGovV1WeightedVoteOption(r, r.end())); break;
      case 42: m.metadata = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeProtobufDuration(w: RecordWriter, m: MessageInitShape<typeof DurationSchema>): void {
  w.known(m);
  if (m.seconds !== undefined && m.seconds !== 0n) w.int64(8, m.seconds);
  if (m.nanos !== undefined && m.nanos !== 0) w.int32(16, m.nanos);
}

function readProtobufDuration(r: RecordReader, end: number): Duration {
  const m: Duration = { $typeName: "google.protobuf.Duration", seconds: 0n, nanos: 0 };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.seconds = r.int64(); break;
      case 16: m.nanos = r.int32(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1Params(w: RecordWriter, m: MessageInitShape<typeof ParamsSchema>): void {
  w.known(m);
  for (const item of m.minDeposit ?? []) { const at = w.open(10); writeBaseV1beta1Coin(w, item); w.close(at); }
  if (m.maxDepositPeriod !== undefined) { const at = w.open(18); writeProtobufDuration(w, m.maxDepositPeriod); w.close(at); }
  if (m.votingPeriod !== undefined) { const at = w.open(26); writeProtobufDuration(w, m.votingPeriod); w.close(at); }
  if (m.quorum !== undefined && m.quorum !== "") w.string(34, m.quorum);
  if (m.threshold !== undefined && m.threshold !== "") w.string(42, m.threshold);
  if (m.vetoThreshold !== undefined && m.vetoThreshold !== "") w.string(50, m.vetoThreshold);
  if (m.minInitialDepositRatio !== undefined && m.minInitialDepositRatio !== "") w.string(58, m.minInitialDepositRatio);
  if (m.proposalCancelRatio !== undefined && m.proposalCancelRatio !== "") w.string(66, m.proposalCancelRatio);
  if (m.proposalCancelDest !== undefined && m.proposalCancelDest !== "") w.string(74, m.proposalCancelDest);
  if (m.expeditedVotingPeriod !== undefined) { const at = w.open(82); writeProtobufDuration(w, m.expeditedVotingPeriod); w.close(at); }
  if (m.expeditedThreshold !== undefined && m.expeditedThreshold !== "") w.string(90, m.expeditedThreshold);
  for (const item of m.expeditedMinDeposit ?? []) { const at = w.open(98); writeBaseV1beta1Coin(w, item); w.close(at); }
  if (m.burnVoteQuorum !== undefined && m.burnVoteQuorum !== false) w.bool(104, m.burnVoteQuorum);
  if (m.burnProposalDepositPrevote !== undefined && m.burnProposalDepositPrevote !== false) w.bool(112, m.burnProposalDepositPrevote);
  if (m.burnVoteVeto !== undefined && m.burnVoteVeto !== false) w.bool(120, m.burnVoteVeto);
  if (m.minDepositRatio !== undefined && m.minDepositRatio !== "") w.string(130, m.minDepositRatio);
}

function readGovV1Params(r: RecordReader, end: number): Params {
  const m: Params = { $typeName: "chain.gov.v1.Params", minDeposit: [], quorum: "", threshold: "", vetoThreshold: "", minInitialDepositRatio: "", proposalCancelRatio: "", proposalCancelDest: "", expeditedThreshold: "", expeditedMinDeposit: [], burnVoteQuorum: false, burnProposalDepositPrevote: false, burnVoteVeto: false, minDepositRatio: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.minDeposit.push(readBaseV1beta1Coin(r, r.end())); break;
      case 18: if (m.maxDepositPeriod !== undefined) r.unusual(); m.maxDepositPeriod = readProtobufDuration(r, r.end()); break;
      case 26: if (m.votingPeriod !== undefined) r.unusual(); m.votingPeriod = readProtobufDuration(r, r.end()); break;
      case 34: m.quorum = r.string(); break;
      case 42: m.threshold = r.string(); break;
      case 50: m.vetoThreshold = r.string(); break;
      case 58: m.minInitialDepositRatio = r.string(); break;
      case 66: m.proposalCancelRatio = r.string(); break;
      case 74: m.proposalCancelDest = r.string(); break;
      case 82: if (m.expeditedVotingPeriod !== undefined) r.unusual(); m.expeditedVotingPeriod = readProtobufDuration(r, r.end()); break;
      case 90: m.expeditedThreshold = r.string(); break;
      case 98: m.expeditedMinDeposit.push(readBaseV1beta1Coin(r, r.end())); break;
      case 104: m.burnVoteQuorum = r.bool(); break;
      case 112: m.burnProposalDepositPrevote = r.bool(); break;
      case 120: m.burnVoteVeto = r.bool(); break;
      case 130: m.minDepositRatio = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1DepositParams(w: RecordWriter, m: MessageInitShape<typeof DepositParamsSchema>): void {
  w.known(m);
  for (const item of m.minDeposit ?? []) { const at = w.open(10); writeBaseV1beta1Coin(w, item); w.close(at); }
  if (m.maxDepositPeriod !== undefined) { const at = w.open(18); writeProtobufDuration(w, m.maxDepositPeriod); w.close(at); }
}

function readGovV1DepositParams(r: RecordReader, end: number): DepositParams {
  const m: DepositParams = { $typeName: "chain.gov.v1.DepositParams", minDeposit: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.minDeposit.push(readBaseV1beta1Coin(r, r.end())); break;
      case 18: if (m.maxDepositPeriod !== undefined) r.unusual(); m.maxDepositPeriod = readProtobufDuration(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1VotingParams(w: RecordWriter, m: MessageInitShape<typeof VotingParamsSchema>): void {
  w.known(m);
  if (m.votingPeriod !== undefined) { const at = w.open(10); writeProtobufDuration(w, m.votingPeriod); w.close(at); }
}

function readGovV1VotingParams(r: RecordReader, end: number): VotingParams {
  const m: VotingParams = { $typeName: "chain.gov.v1.VotingParams" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: if (m.votingPeriod !== undefined) r.unusual(); m.votingPeriod = readProtobufDuration(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1TallyParams(w: RecordWriter, m: MessageInitShape<typeof TallyParamsSchema>): void {
  w.known(m);
  if (m.quorum !== undefined && m.quorum !== "") w.string(10, m.quorum);
  if (m.threshold !== undefined && m.threshold !== "") w.string(18, m.threshold);
  if (m.vetoThreshold !== undefined && m.vetoThreshold !== "") w.string(26, m.vetoThreshold);
}

function readGovV1TallyParams(r: RecordReader, end: number): TallyParams {
  const m: TallyParams = { $typeName: "chain.gov.v1.TallyParams", quorum: "", threshold: "", vetoThreshold: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.quorum = r.string(); break;
      case 18: m.threshold = r.string(); break;
      case 26: m.vetoThreshold = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1GenesisState(w: RecordWriter, m: MessageInitShape<typeof GenesisStateSchema$2>): void {
  w.known(m);
  if (m.startingProposalId !== undefined && m.startingProposalId !== 0n) w.uint64(8, m.startingProposalId);
  for (const item of m.deposits ?? []) { const at = w.open(18); writeGovV1Deposit(w, item); w.close(at); }
  for (const item of m.votes ?? []) { const at = w.open(26); writeGovV1Vote(w, item); w.close(at); }
  for (const item of m.proposals ?? []) { const at = w.open(34); writeGovV1Proposal(w, item); w.close(at); }
  if (m.params !== undefined) { const at = w.open(66); writeGovV1Params(w, m.params); w.close(at); }
}

function readGovV1GenesisState(r: RecordReader, end: number): GenesisState$2 {
  const m: GenesisState$2 = { $typeName: "chain.gov.v1.GenesisState", startingProposalId: 0n, deposits: [], votes: [], proposals: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.startingProposalId = r.uint64(); break;
      case 18: m.deposits.push(readGovV1Deposit(r, r.end())); break;
      case 26: m.votes.push(readGovV1Vote(r, r.end())); break;
      case 34: m.proposals.push(readGovV1Proposal(r, r.end())); break;
      case 66: if (m.params !== undefined) r.unusual(); m.params = readGovV1Params(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1MsgSubmitProposal(w: RecordWriter, m: MessageInitShape<typeof MsgSubmitProposalSchema>): void {
  w.known(m);
  for (const item of m.messages ?? []) { const at = w.open(10); writeProtobufAny(w, item); w.close(at); }
  for (const item of m.initialDeposit ?? []) { const at = w.open(18); writeBaseV1beta1Coin(w, item); w.close(at); }
  if (m.proposer !== undefined && m.proposer !== "") w.string(26, m.proposer);
  if (m.metadata !== undefined && m.metadata !== "") w.string(34, m.metadata);
  if (m.title !== undefined && m.title !== "") w.string(42, m.title);
  if (m.summary !== undefined && m.summary !== "") w.string(50, m.summary);
  if (m.expedited !== undefined && m.expedited !== false) w.bool(56, m.expedited);
}

function readGovV1MsgSubmitProposal(r: RecordReader, end: number): MsgSubmitProposal {
  const m: MsgSubmitProposal = { $typeName: "chain.gov.v1.MsgSubmitProposal", messages: [], initialDeposit: [], proposer: "", metadata: "", title: "", summary: "", expedited: false };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.messages.push(readProtobufAny(r, r.end())); break;
      case 18: m.initialDeposit.push(readBaseV1beta1Coin(r, r.end())); break;
      case 26: m.proposer = r.string(); break;
      case 34: m.metadata = r.string(); break;
      case 42: m.title = r.string(); break;
      case 50: m.summary = r.string(); break;
      case 56: m.expedited = r.bool(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1MsgSubmitProposalResponse(w: RecordWriter, m: MessageInitShape<typeof MsgSubmitProposalResponseSchema>): void {
  w.known(m);
  if (m.proposalId !== undefined && m.proposalId !== 0n) w.uint64(8, m.proposalId);
}

function readGovV1MsgSubmitProposalResponse(r: RecordReader, end: number): MsgSubmitProposalResponse {
  const m: MsgSubmitProposalResponse = { $typeName: "chain.gov.v1.MsgSubmitProposalResponse", proposalId: 0n };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.proposalId = r.uint64(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1MsgExecLegacyContent(w: RecordWriter, m: MessageInitShape<typeof MsgExecLegacyContentSchema>): void {
  w.known(m);
  if (m.content !== undefined) { const at = w.open(10); writeProtobufAny(w, m.content); w.close(at); }
  if (m.authority !== undefined && m.authority !== "") w.string(18, m.authority);
}

function readGovV1MsgExecLegacyContent(r: RecordReader, end: number): MsgExecLegacyContent {
  const m: MsgExecLegacyContent = { $typeName: "chain.gov.v1.MsgExecLegacyContent", authority: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: if (m.content !== undefined) r.unusual(); m.content = readProtobufAny(r, r.end()); break;
      case 18: m.authority = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1MsgExecLegacyContentResponse(w: RecordWriter, m: MessageInitShape<typeof MsgExecLegacyContentResponseSchema>): void {
  w.known(m);
}

function readGovV1MsgExecLegacyContentResponse(r: RecordReader, end: number): MsgExecLegacyContentResponse {
  const m: MsgExecLegacyContentResponse = { $typeName: "chain.gov.v1.MsgExecLegacyContentResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1MsgVote(w: RecordWriter, m: MessageInitShape<typeof MsgVoteSchema>): void {
  w.known(m);
  if (m.proposalId !== undefined && m.proposalId !== 0n) w.uint64(8, m.proposalId);
  if (m.voter !== undefined && m.voter !== "") w.string(18, m.voter);
  if (m.option !== undefined && m.option !== 0) w.int32(24, m.option);
  if (m.metadata !== undefined && m.metadata !== "") w.string(34, m.metadata);
}

function readGovV1MsgVote(r: RecordReader, end: number): MsgVote {
  const m: MsgVote = { $typeName: "chain.gov.v1.MsgVote", proposalId: 0n, voter: "", option: 0, metadata: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.proposalId = r.uint64(); break;
      case 18: m.voter = r.string(); break;
      case 24: m.option = r.int32(); break;
      case 34: m.metadata = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1MsgVoteResponse(w: RecordWriter, m: MessageInitShape<typeof MsgVoteResponseSchema>): void {
  w.known(m);
}

function readGovV1MsgVoteResponse(r: RecordReader, end: number): MsgVoteResponse {
  const m: MsgVoteResponse = { $typeName: "chain.gov.v1.MsgVoteResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1MsgVoteWeighted(w: RecordWriter, m: MessageInitShape<typeof MsgVoteWeightedSchema>): void {
  w.known(m);
  if (m.proposalId !== undefined && m.proposalId !== 0n) w.uint64(8, m.proposalId);
  if (m.voter !== undefined && m.voter !== "") w.string(18, m.voter);
  for (const item of m.options ?? []) { const at = w.open(26); writeGovV1WeightedVoteOption(w, item); w.close(at); }
  if (m.metadata !== undefined && m.metadata !== "") w.string(34, m.metadata);
}

function readGovV1MsgVoteWeighted(r: RecordReader, end: number): MsgVoteWeighted {
  const m: MsgVoteWeighted = { $typeName: "chain.gov.v1.MsgVoteWeighted", proposalId: 0n, voter: "", options: [], metadata: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.proposalId = r.uint64(); break;
      case 18: m.voter = r.string(); break;
      case 26: m.options.push(readGovV1WeightedVoteOption(r, r.end())); break;
      case 34: m.metadata = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1MsgVoteWeightedResponse(w: RecordWriter, m: MessageInitShape<typeof MsgVoteWeightedResponseSchema>): void {
  w.known(m);
}

function readGovV1MsgVoteWeightedResponse(r: RecordReader, end: number): MsgVoteWeightedResponse {
  const m: MsgVoteWeightedResponse = { $typeName: "chain.gov.v1.MsgVoteWeightedResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1MsgDeposit(w: RecordWriter, m: MessageInitShape<typeof MsgDepositSchema>): void {
  w.known(m);
  if (m.proposalId !== undefined && m.proposalId !== 0n) w.uint64(8, m.proposalId);
  if (m.depositor !== undefined && m.depositor !== "") w.string(18, m.depositor);
  for (const item of m.amount ?? []) { const at = w.open(26); writeBaseV1beta1Coin(w, item); w.close(at); }
}

function readGovV1MsgDeposit(r: RecordReader, end: number): MsgDeposit {
  const m: MsgDeposit = { $typeName: "chain.gov.v1.MsgDeposit", proposalId: 0n, depositor: "", amount: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.proposalId = r.uint64(); break;
      case 18: m.depositor = r.string(); break;
      case 26: m.amount.push(readBaseV1beta1Coin(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1MsgDepositResponse(w: RecordWriter, m: MessageInitShape<typeof MsgDepositResponseSchema>): void {
  w.known(m);
}

function readGovV1MsgDepositResponse(r: RecordReader, end: number): MsgDepositResponse {
  const m: MsgDepositResponse = { $typeName: "chain.gov.v1.MsgDepositResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1MsgUpdateParams(w: RecordWriter, m: MessageInitShape<typeof MsgUpdateParamsSchema>): void {
  w.known(m);
  if (m.authority !== undefined && m.authority !== "") w.string(10, m.authority);
  if (m.params !== undefined) { const at = w.open(18); writeGovV1Params(w, m.params); w.close(at); }
}

function readGovV1MsgUpdateParams(r: RecordReader, end: number): MsgUpdateParams {
  const m: MsgUpdateParams = { $typeName: "chain.gov.v1.MsgUpdateParams", authority: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.authority = r.string(); break;
      case 18: if (m.params !== undefined) r.unusual(); m.params = readGovV1Params(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1MsgUpdateParamsResponse(w: RecordWriter, m: MessageInitShape<typeof MsgUpdateParamsResponseSchema>): void {
  w.known(m);
}

function readGovV1MsgUpdateParamsResponse(r: RecordReader, end: number): MsgUpdateParamsResponse {
  const m: MsgUpdateParamsResponse = { $typeName: "chain.gov.v1.MsgUpdateParamsResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1MsgCancelProposal(w: RecordWriter, m: MessageInitShape<typeof MsgCancelProposalSchema>): void {
  w.known(m);
  if (m.proposalId !== undefined && m.proposalId !== 0n) w.uint64(8, m.proposalId);
  if (m.proposer !== undefined && m.proposer !== "") w.string(18, m.proposer);
}

function readGovV1MsgCancelProposal(r: RecordReader, end: number): MsgCancelProposal {
  const m: MsgCancelProposal = { $typeName: "chain.gov.v1.MsgCancelProposal", proposalId: 0n, proposer: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.proposalId = r.uint64(); break;
      case 18: m.proposer = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1MsgCancelProposalResponse(w: RecordWriter, m: MessageInitShape<typeof MsgCancelProposalResponseSchema>): void {
  w.known(m);
  if (m.proposalId !== undefined && m.proposalId !== 0n) w.uint64(8, m.proposalId);
  if (m.canceledTime !== undefined) { const at = w.open(18); writeProtobufTimestamp(w, m.canceledTime); w.close(at); }
  if (m.canceledHeight !== undefined && m.canceledHeight !== 0n) w.uint64(24, m.canceledHeight);
}

function readGovV1MsgCancelProposalResponse(r: RecordReader, end: number): MsgCancelProposalResponse {
  const m: MsgCancelProposalResponse = { $typeName: "chain.gov.v1.MsgCancelProposalResponse", proposalId: 0n, canceledHeight: 0n };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.proposalId = r.uint64(); break;
      case 18: if (m.canceledTime !== undefined) r.unusual(); m.canceledTime = readProtobufTimestamp(r, r.end()); break;
      case 24: m.canceledHeight = r.uint64(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1beta1MsgSubmitProposal(w: RecordWriter, m: MessageInitShape<typeof MsgSubmitProposalSchema$1>): void {
  w.known(m);
  if (m.content !== undefined) { const at = w.open(10); writeProtobufAny(w, m.content); w.close(at); }
  for (const item of m.initialDeposit ?? []) { const at = w.open(18); writeBaseV1beta1Coin(w, item); w.close(at); }
  if (m.proposer !== undefined && m.proposer !== "") w.string(26, m.proposer);
}

function readGovV1beta1MsgSubmitProposal(r: RecordReader, end: number): MsgSubmitProposal$1 {
  const m: MsgSubmitProposal$1 = { $typeName: "chain.gov.v1beta1.MsgSubmitProposal", initialDeposit: [], proposer: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: if (m.content !== undefined) r.unusual(); m.content = readProtobufAny(r, r.end()); break;
      case 18: m.initialDeposit.push(readBaseV1beta1Coin(r, r.end())); break;
      case 26: m.proposer = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1beta1MsgSubmitProposalResponse(w: RecordWriter, m: MessageInitShape<typeof MsgSubmitProposalResponseSchema$1>): void {
  w.known(m);
  if (m.proposalId !== undefined && m.proposalId !== 0n) w.uint64(8, m.proposalId);
}

function readGovV1beta1MsgSubmitProposalResponse(r: RecordReader, end: number): MsgSubmitProposalResponse$1 {
  const m: MsgSubmitProposalResponse$1 = { $typeName: "chain.gov.v1beta1.MsgSubmitProposalResponse", proposalId: 0n };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.proposalId = r.uint64(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1beta1MsgVote(w: RecordWriter, m: MessageInitShape<typeof MsgVoteSchema$1>): void {
  w.known(m);
  if (m.proposalId !== undefined && m.proposalId !== 0n) w.uint64(8, m.proposalId);
  if (m.voter !== undefined && m.voter !== "") w.string(18, m.voter);
  if (m.option !== undefined && m.option !== 0) w.int32(24, m.option);
}

function readGovV1beta1MsgVote(r: RecordReader, end: number): MsgVote$1 {
  const m: MsgVote$1 = { $typeName: "chain.gov.v1beta1.MsgVote", proposalId: 0n, voter: "", option: 0 };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.proposalId = r.uint64(); break;
      case 18: m.voter = r.string(); break;
      case 24: m.option = r.int32(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1beta1MsgVoteResponse(w: RecordWriter, m: MessageInitShape<typeof MsgVoteResponseSchema$1>): void {
  w.known(m);
}

function readGovV1beta1MsgVoteResponse(r: RecordReader, end: number): MsgVoteResponse$1 {
  const m: MsgVoteResponse$1 = { $typeName: "chain.gov.v1beta1.MsgVoteResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1beta1WeightedVoteOption(w: RecordWriter, m: MessageInitShape<typeof WeightedVoteOptionSchema$1>): void {
  w.known(m);
  if (m.option !== undefined && m.option !== 0) w.int32(8, m.option);
  if (m.weight !== undefined && m.weight !== "") w.string(18, m.weight);
}

function readGovV1beta1WeightedVoteOption(r: RecordReader, end: number): WeightedVoteOption$1 {
  const m: WeightedVoteOption$1 = { $typeName: "chain.gov.v1beta1.WeightedVoteOption", option: 0, weight: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.option = r.int32(); break;
      case 18: m.weight = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1beta1MsgVoteWeighted(w: RecordWriter, m: MessageInitShape<typeof MsgVoteWeightedSchema$1>): void {
  w.known(m);
  if (m.proposalId !== undefined && m.proposalId !== 0n) w.uint64(8, m.proposalId);
  if (m.voter !== undefined && m.voter !== "") w.string(18, m.voter);
  for (const item of m.options ?? []) { const at = w.open(26); writeGovV1beta1WeightedVoteOption(w, item); w.close(at); }
}

function readGovV1beta1MsgVoteWeighted(r: RecordReader, end: number): MsgVoteWeighted$1 {
  const m: MsgVoteWeighted$1 = { $typeName: "chain.gov.v1beta1.MsgVoteWeighted", proposalId: 0n, voter: "", options: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.proposalId = r.uint64(); break;
      case 18: m.voter = r.string(); break;
      case 26: m.options.push(readGovV1beta1WeightedVoteOption(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1beta1MsgVoteWeightedResponse(w: RecordWriter, m: MessageInitShape<typeof MsgVoteWeightedResponseSchema$1>): void {
  w.known(m);
}

function readGovV1beta1MsgVoteWeightedResponse(r: RecordReader, end: number): MsgVoteWeightedResponse$1 {
  const m: MsgVoteWeightedResponse$1 = { $typeName: "chain.gov.v1beta1.MsgVoteWeightedResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1beta1MsgDeposit(w: RecordWriter, m: MessageInitShape<typeof MsgDepositSchema$1>): void {
  w.known(m);
  if (m.proposalId !== undefined && m.proposalId !== 0n) w.uint64(8, m.proposalId);
  if (m.depositor !== undefined && m.depositor !== "") w.string(18, m.depositor);
  for (const item of m.amount ?? []) { const at = w.open(26); writeBaseV1beta1Coin(w, item); w.close(at); }
}

function readGovV1beta1MsgDeposit(r: RecordReader, end: number): MsgDeposit$1 {
  const m: MsgDeposit$1 = { $typeName: "chain.gov.v1beta1.MsgDeposit", proposalId: 0n, depositor: "", amount: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.proposalId = r.uint64(); break;
      case 18: m.depositor = r.string(); break;
      case 26: m.amount.push(readBaseV1beta1Coin(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1beta1MsgDepositResponse(w: RecordWriter, m: MessageInitShape<typeof MsgDepositResponseSchema$1>): void {
  w.known(m);
}

function readGovV1beta1MsgDepositResponse(r: RecordReader, end: number): MsgDepositResponse$1 {
  const m: MsgDepositResponse$1 = { $typeName: "chain.gov.v1beta1.MsgDepositResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1beta1TextProposal(w: RecordWriter, m: MessageInitShape<typeof TextProposalSchema>): void {
  w.known(m);
  if (m.title !== undefined && m.title !== "") w.string(10, m.title);
  if (m.description !== undefined && m.description !== "") w.string(18, m.description);
}

function readGovV1beta1TextProposal(r: RecordReader, end: number): TextProposal {
  const m: TextProposal = { $typeName: "chain.gov.v1beta1.TextProposal", title: "", description: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.title = r.string(); break;
      case 18: m.description = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1beta1Deposit(w: RecordWriter, m: MessageInitShape<typeof DepositSchema$1>): void {
  w.known(m);
  if (m.proposalId !== undefined && m.proposalId !== 0n) w.uint64(8, m.proposalId);
  if (m.depositor !== undefined && m.depositor !== "") w.string(18, m.depositor);
  for (const item of m.amount ?? []) { const at = w.open(26); writeBaseV1beta1Coin(w, item); w.close(at); }
}

function readGovV1beta1Deposit(r: RecordReader, end: number): Deposit$1 {
  const m: Deposit$1 = { $typeName: "chain.gov.v1beta1.Deposit", proposalId: 0n, depositor: "", amount: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.proposalId = r.uint64(); break;
      case 18: m.depositor = r.string(); break;
      case 26: m.amount.push(readBaseV1beta1Coin(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1beta1TallyResult(w: RecordWriter, m: MessageInitShape<typeof TallyResultSchema$1>): void {
  w.known(m);
  if (m.yes !== undefined && m.yes !== "") w.string(10, m.yes);
  if (m.abstain !== undefined && m.abstain !== "") w.string(18, m.abstain);
  if (m.no !== undefined && m.no !== "") w.string(26, m.no);
  if (m.noWithVeto !== undefined && m.noWithVeto !== "") w.string(34, m.noWithVeto);
}

function readGovV1beta1TallyResult(r: RecordReader, end: number): TallyResult$1 {
  const m: TallyResult$1 = { $typeName: "chain.gov.v1beta1.TallyResult", yes: "", abstain: "", no: "", noWithVeto: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.yes = r.string(); break;
      case 18: m.abstain = r.string(); break;
      case 26: m.no = r.string(); break;
      case 34: m.noWithVeto = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1beta1Proposal(w: RecordWriter, m: MessageInitShape<typeof ProposalSchema$1>): void {
  w.known(m);
  if (m.proposalId !== undefined && m.proposalId !== 0n) w.uint64(8, m.proposalId);
  if (m.content !== undefined) { const at = w.open(18); writeProtobufAny(w, m.content); w.close(at); }
  if (m.status !== undefined && m.status !== 0) w.int32(24, m.status);
  if (m.finalTallyResult !== undefined) { const at = w.open(34); writeGovV1beta1TallyResult(w, m.finalTallyResult); w.close(at); }
  if (m.submitTime !== undefined) { const at = w.open(42); writeProtobufTimestamp(w, m.submitTime); w.close(at); }
  if (m.depositEndTime !== undefined) { const at = w.open(50); writeProtobufTimestamp(w, m.depositEndTime); w.close(at); }
  for (const item of m.totalDeposit ?? []) { const at = w.open(58); writeBaseV1beta1Coin(w, item); w.close(at); }
  if (m.votingStartTime !== undefined) { const at = w.open(66); writeProtobufTimestamp(w, m.votingStartTime); w.close(at); }
  if (m.votingEndTime !== undefined) { const at = w.open(74); writeProtobufTimestamp(w, m.votingEndTime); w.close(at); }
}

function readGovV1beta1Proposal(r: RecordReader, end: number): Proposal$1 {
  const m: Proposal$1 = { $typeName: "chain.gov.v1beta1.Proposal", proposalId: 0n, status: 0, totalDeposit: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.proposalId = r.uint64(); break;
      case 18: if (m.content !== undefined) r.unusual(); m.content = readProtobufAny(r, r.end()); break;
      case 24: m.status = r.int32(); break;
      case 34: if (m.finalTallyResult !== undefined) r.unusual(); m.finalTallyResult = readGovV1beta1TallyResult(r, r.end()); break;
      case 42: if (m.submitTime !== undefined) r.unusual(); m.submitTime = readProtobufTimestamp(r, r.end()); break;
      case 50: if (m.depositEndTime !== undefined) r.unusual(); m.depositEndTime = readProtobufTimestamp(r, r.end()); break;
      case 58: m.totalDeposit.push(readBaseV1beta1Coin(r, r.end())); break;
      case 66: if (m.votingStartTime !== undefined) r.unusual(); m.votingStartTime = readProtobufTimestamp(r, r.end()); break;
      case 74: if (m.votingEndTime !== undefined) r.unusual(); m.votingEndTime = readProtobufTimestamp(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1beta1Vote(w: RecordWriter, m: MessageInitShape<typeof VoteSchema$2>): void {
  w.known(m);
  if (m.proposalId !== undefined && m.proposalId !== 0n) w.uint64(8, m.proposalId);
  if (m.voter !== undefined && m.voter !== "") w.string(18, m.voter);
  if (m.option !== undefined && m.option !== 0) w.int32(24, m.option);
  for (const item of m.options ?? []) { const at = w.open(34); writeGovV1beta1WeightedVoteOption(w, item); w.close(at); }
}

function readGovV1beta1Vote(r: RecordReader, end: number): Vote$2 {
  const m: Vote$2 = { $typeName: "chain.gov.v1beta1.Vote", proposalId: 0n, voter: "", option: 0, options: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.proposalId = r.uint64(); break;
      case 18: m.voter = r.string(); break;
      case 24: m.option = r.int32(); break;
      case 34: m.options.push(readGovV1beta1WeightedVoteOption(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1beta1DepositParams(w: RecordWriter, m: MessageInitShape<typeof DepositParamsSchema$1>): void {
  w.known(m);
  for (const item of m.minDeposit ?? []) { const at = w.open(10); writeBaseV1beta1Coin(w, item); w.close(at); }
  if (m.maxDepositPeriod !== undefined) { const at = w.open(18); writeProtobufDuration(w, m.maxDepositPeriod); w.close(at); }
}

function readGovV1beta1DepositParams(r: RecordReader, end: number): DepositParams$1 {
  const m: DepositParams$1 = { $typeName: "chain.gov.v1beta1.DepositParams", minDeposit: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.minDeposit.push(readBaseV1beta1Coin(r, r.end())); break;
      case 18: if (m.maxDepositPeriod !== undefined) r.unusual(); m.maxDepositPeriod = readProtobufDuration(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1beta1VotingParams(w: RecordWriter, m: MessageInitShape<typeof VotingParamsSchema$1>): void {
  w.known(m);
  if (m.votingPeriod !== undefined) { const at = w.open(10); writeProtobufDuration(w, m.votingPeriod); w.close(at); }
}

function readGovV1beta1VotingParams(r: RecordReader, end: number): VotingParams$1 {
  const m: VotingParams$1 = { $typeName: "chain.gov.v1beta1.VotingParams" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: if (m.votingPeriod !== undefined) r.unusual(); m.votingPeriod = readProtobufDuration(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeGovV1beta1TallyParams(w: RecordWriter, m: MessageInitShape<typeof TallyParamsSchema$1>): void {
  w.known(m);
  if (m.quorum !== undefined && m.quorum.length !== 0) w.bytes(10, m.quorum);
  if (m.threshold !== undefined && m.threshold.length !== 0) w.bytes(18, m.threshold);
  if (m.vetoThreshold !== undefined && m.vetoThreshold.length !== 0) w.bytes(26, m.vetoThreshold);
}

function readGovV1beta1TallyParams(r: RecordReader, end: number): TallyParams$1 {
  const m: TallyParams$1 = { $typeName: "chain.gov.v1beta1.TallyParams", quorum: EMPTY, threshold: EMPTY, vetoThreshold: EMPTY };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.quorum = r.bytes(); break;
      case 18: m.threshold = r.bytes(); break;
      case 26: m.vetoThreshold = r.bytes(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeSlashingV1beta1Params(w: RecordWriter, m: MessageInitShape<typeof ParamsSchema$1>): void {
  w.known(m);
  if (m.signedBlocksWindow !== undefined && m.signedBlocksWindow !== 0n) w.int64(8, m.signedBlocksWindow);
  if (m.minSignedPerWindow !== undefined && m.minSignedPerWindow.length !== 0) w.bytes(18, m.minSignedPerWindow);
  if (m.downtimeJailDuration !== undefined) { const at = w.open(26); writeProtobufDuration(w, m.downtimeJailDuration); w.close(at); }
  if (m.slashFractionDoubleSign !== undefined && m.slashFractionDoubleSign.length !== 0) w.bytes(34, m.slashFractionDoubleSign);
  if (m.slashFractionDowntime !== undefined && m.slashFractionDowntime.length !== 0) w.bytes(42, m.slashFractionDowntime);
}

function readSlashingV1beta1Params(r: RecordReader, end: number): Params$1 {
  const m: Params$1 = { $typeName: "chain.slashing.v1beta1.Params", signedBlocksWindow: 0n, minSignedPerWindow: EMPTY, slashFractionDoubleSign: EMPTY, slashFractionDowntime: EMPTY };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.signedBlocksWindow = r.int64(); break;
      case 18: m.minSignedPerWindow = r.bytes(); break;
      case 26: if (m.downtimeJailDuration !== undefined) r.unusual(); m.downtimeJailDuration = readProtobufDuration(r, r.end()); break;
      case 34: m.slashFractionDoubleSign = r.bytes(); break;
      case 42: m.slashFractionDowntime = r.bytes(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeSlashingV1beta1ValidatorSigningInfo(w: RecordWriter, m: MessageInitShape<typeof ValidatorSigningInfoSchema>): void {
  w.known(m);
  if (m.address !== undefined && m.address !== "") w.string(10, m.address);
  if (m.startHeight !== undefined && m.startHeight !== 0n) w.int64(16, m.startHeight);
  if (m.indexOffset !== undefined && m.indexOffset !== 0n) w.int64(24, m.indexOffset);
  if (m.jailedUntil !== undefined) { const at = w.open(34); writeProtobufTimestamp(w, m.jailedUntil); w.close(at); }
  if (m.tombstoned !== undefined && m.tombstoned !== false) w.bool(40, m.tombstoned);
  if (m.missedBlocksCounter !== undefined && m.missedBlocksCounter !== 0n) w.int64(48, m.missedBlocksCounter);
}

function readSlashingV1beta1ValidatorSigningInfo(r: RecordReader, end: number): ValidatorSigningInfo {
  const m: ValidatorSigningInfo = { $typeName: "chain.slashing.v1beta1.ValidatorSigningInfo", address: "", startHeight: 0n, indexOffset: 0n, tombstoned: false, missedBlocksCounter: 0n };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.address = r.string(); break;
      case 16: m.startHeight = r.int64(); break;
      case 24: m.indexOffset = r.int64(); break;
      case 34: if (m.jailedUntil !== undefined) r.unusual(); m.jailedUntil = readProtobufTimestamp(r, r.end()); break;
      case 40: m.tombstoned = r.bool(); break;
      case 48: m.missedBlocksCounter = r.int64(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeSlashingV1beta1SigningInfo(w: RecordWriter, m: MessageInitShape<typeof SigningInfoSchema>): void {
  w.known(m);
  if (m.address !== undefined && m.address !== "") w.string(10, m.address);
  if (m.validatorSigningInfo !== undefined) { const at = w.open(18); writeSlashingV1beta1ValidatorSigningInfo(w, m.validatorSigningInfo); w.close(at); }
}

function readSlashingV1beta1SigningInfo(r: RecordReader, end: number): SigningInfo {
  const m: SigningInfo = { $typeName: "chain.slashing.v1beta1.SigningInfo", address: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.address = r.string(); break;
      case 18: if (m.validatorSigningInfo !== undefined) r.unusual(); m.validatorSigningInfo = readSlashingV1beta1ValidatorSigningInfo(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeSlashingV1beta1MissedBlock(w: RecordWriter, m: MessageInitShape<typeof MissedBlockSchema>): void {
  w.known(m);
  if (m.index !== undefined && m.index !== 0n) w.int64(8, m.index);
  if (m.missed !== undefined && m.missed !== false) w.bool(16, m.missed);
}

function readSlashingV1beta1MissedBlock(r: RecordReader, end: number): MissedBlock {
  const m: MissedBlock = { $typeName: "chain.slashing.v1beta1.MissedBlock", index: 0n, missed: false };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.index = r.int64(); break;
      case 16: m.missed = r.bool(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeSlashingV1beta1ValidatorMissedBlocks(w: RecordWriter, m: MessageInitShape<typeof ValidatorMissedBlocksSchema>): void {
  w.known(m);
  if (m.address !== undefined && m.address !== "") w.string(10, m.address);
  for (const item of m.missedBlocks ?? []) { const at = w.open(18); writeSlashingV1beta1MissedBlock(w, item); w.close(at); }
}

function readSlashingV1beta1ValidatorMissedBlocks(r: RecordReader, end: number): ValidatorMissedBlocks {
  const m: ValidatorMissedBlocks = { $typeName: "chain.slashing.v1beta1.ValidatorMissedBlocks", address: "", missedBlocks: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.address = r.string(); break;
      case 18: m.missedBlocks.push(readSlashingV1beta1MissedBlock(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeSlashingV1beta1GenesisState(w: RecordWriter, m: MessageInitShape<typeof GenesisStateSchema$3>): void {
  w.known(m);
  if (m.params !== undefined) { const at = w.open(10); writeSlashingV1beta1Params(w, m.params); w.close(at); }
  for (const item of m.signingInfos ?? []) { const at = w.open(18); writeSlashingV1beta1SigningInfo(w, item); w.close(at); }
  for (const item of m.missedBlocks ?? []) { const at = w.open(26); writeSlashingV1beta1ValidatorMissedBlocks(w, item); w.close(at); }
}

function readSlashingV1beta1GenesisState(r: RecordReader, end: number): GenesisState$3 {
  const m: GenesisState$3 = { $typeName: "chain.slashing.v1beta1.GenesisState", signingInfos: [], missedBlocks: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: if (m.params !== undefined) r.unusual(); m.params = readSlashingV1beta1Params(r, r.end()); break;
      case 18: m.signingInfos.push(readSlashingV1beta1SigningInfo(r, r.end())); break;
      case 26: m.missedBlocks.push(readSlashingV1beta1ValidatorMissedBlocks(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeSlashingV1beta1MsgUnjail(w: RecordWriter, m: MessageInitShape<typeof MsgUnjailSchema>): void {
  w.known(m);
  if (m.validatorAddr !== undefined && m.validatorAddr !== "") w.string(10, m.validatorAddr);
}

function readSlashingV1beta1MsgUnjail(r: RecordReader, end: number): MsgUnjail {
  const m: MsgUnjail = { $typeName: "chain.slashing.v1beta1.MsgUnjail", validatorAddr: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.validatorAddr = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeSlashingV1beta1MsgUnjailResponse(w: RecordWriter, m: MessageInitShape<typeof MsgUnjailResponseSchema>): void {
  w.known(m);
}

function readSlashingV1beta1MsgUnjailResponse(r: RecordReader, end: number): MsgUnjailResponse {
  const m: MsgUnjailResponse = { $typeName: "chain.slashing.v1beta1.MsgUnjailResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeSlashingV1beta1MsgUpdateParams(w: RecordWriter, m: MessageInitShape<typeof MsgUpdateParamsSchema$1>): void {
  w.known(m);
  if (m.authority !== undefined && m.authority !== "") w.string(10, m.authority);
  if (m.params !== undefined) { const at = w.open(18); writeSlashingV1beta1Params(w, m.params); w.close(at); }
}

function readSlashingV1beta1MsgUpdateParams(r: RecordReader, end: number): MsgUpdateParams$1 {
  const m: MsgUpdateParams$1 = { $typeName: "chain.slashing.v1beta1.MsgUpdateParams", authority: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.authority = r.string(); break;
      case 18: if (m.params !== undefined) r.unusual(); m.params = readSlashingV1beta1Params(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeSlashingV1beta1MsgUpdateParamsResponse(w: RecordWriter, m: MessageInitShape<typeof MsgUpdateParamsResponseSchema$1>): void {
  w.known(m);
}

function readSlashingV1beta1MsgUpdateParamsResponse(r: RecordReader, end: number): MsgUpdateParamsResponse$1 {
  const m: MsgUpdateParamsResponse$1 = { $typeName: "chain.slashing.v1beta1.MsgUpdateParamsResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1CommissionRates(w: RecordWriter, m: MessageInitShape<typeof CommissionRatesSchema>): void {
  w.known(m);
  if (m.rate !== undefined && m.rate !== "") w.string(10, m.rate);
  if (m.maxRate !== undefined && m.maxRate !== "") w.string(18, m.maxRate);
  if (m.maxChangeRate !== undefined && m.maxChangeRate !== "") w.string(26, m.maxChangeRate);
}

function readStakingV1beta1CommissionRates(r: RecordReader, end: number): CommissionRates {
  const m: CommissionRates = { $typeName: "chain.staking.v1beta1.CommissionRates", rate: "", maxRate: "", maxChangeRate: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.rate = r.string(); break;
      case 18: m.maxRate = r.string(); break;
      case 26: m.maxChangeRate = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1Commission(w: RecordWriter, m: MessageInitShape<typeof CommissionSchema>): void {
  w.known(m);
  if (m.commissionRates !== undefined) { const at = w.open(10); writeStakingV1beta1CommissionRates(w, m.commissionRates); w.close(at); }
  if (m.updateTime !== undefined) { const at = w.open(18); writeProtobufTimestamp(w, m.updateTime); w.close(at); }
}

function readStakingV1beta1Commission(r: RecordReader, end: number): Commission {
  const m: Commission = { $typeName: "chain.staking.v1beta1.Commission" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: if (m.commissionRates !== undefined) r.unusual(); m.commissionRates = readStakingV1beta1CommissionRates(r, r.end()); break;
      case 18: if (m.updateTime !== undefined) r.unusual(); m.updateTime = readProtobufTimestamp(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1Description(w: RecordWriter, m: MessageInitShape<typeof DescriptionSchema>): void {
  w.known(m);
  if (m.moniker !== undefined && m.moniker !== "") w.string(10, m.moniker);
  if (m.identity !== undefined && m.identity !== "") w.string(18, m.identity);
  if (m.website !== undefined && m.website !== "") w.string(26, m.website);
  if (m.securityContact !== undefined && m.securityContact !== "") w.string(34, m.securityContact);
  if (m.details !== undefined && m.details !== "") w.string(42, m.details);
}

function readStakingV1beta1Description(r: RecordReader, end: number): Description {
  const m: Description = { $typeName: "chain.staking.v1beta1.Description", moniker: "", identity: "", website: "", securityContact: "", details: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.moniker = r.string(); break;
      case 18: m.identity = r.string(); break;
      case 26: m.website = r.string(); break;
      case 34: m.securityContact = r.string(); break;
      case 42: m.details = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1Validator(w: RecordWriter, m: MessageInitShape<typeof ValidatorSchema>): void {
  w.known(m);
  if (m.operatorAddress !== undefined && m.operatorAddress !== "") w.string(10, m.operatorAddress);
  if (m.consensusPubkey !== undefined) { const at = w.open(18); writeProtobufAny(w, m.consensusPubkey); w.close(at); }
  if (m.jailed !== undefined && m.jailed !== false) w.bool(24, m.jailed);
  if (m.status !== undefined && m.status !== 0) w.int32(32, m.status);
  if (m.tokens !== undefined && m.tokens !== "") w.string(42, m.tokens);
  if (m.delegatorShares !== undefined && m.delegatorShares !== "") w.string(50, m.delegatorShares);
  if (m.description !== undefined) { const at = w.open(58); writeStakingV1beta1Description(w, m.description); w.close(at); }
  if (m.unbondingHeight !== undefined && m.unbondingHeight !== 0n) w.int64(64, m.unbondingHeight);
  if (m.unbondingTime !== undefined) { const at = w.open(74); writeProtobufTimestamp(w, m.unbondingTime); w.close(at); }
  if (m.commission !== undefined) { const at = w.open(82); writeStakingV1beta1Commission(w, m.commission); w.close(at); }
  if (m.minSelfDelegation !== undefined && m.minSelfDelegation !== "") w.string(90, m.minSelfDelegation);
  if (m.unbondingOnHoldRefCount !== undefined && m.unbondingOnHoldRefCount !== 0n) w.int64(96, m.unbondingOnHoldRefCount);
  if (m.unbondingIds !== undefined && m.unbondingIds.length !== 0) w.unusual();
}

function readStakingV1beta1Validator(r: RecordReader, end: number): Validator {
  const m: Validator = { $typeName: "chain.staking.v1beta1.Validator", operatorAddress: "", jailed: false, status: 0, tokens: "", delegatorShares: "", unbondingHeight: 0n, minSelfDelegation: "", unbondingOnHoldRefCount: 0n, unbondingIds: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.operatorAddress = r.string(); break;
      case 18: if (m.consensusPubkey !== undefined) r.unusual(); m.consensusPubkey = readProtobufAny(r, r.end()); break;
      case 24: m.jailed = r.bool(); break;
      case 32: m.status = r.int32(); break;
      case 42: m.tokens = r.string(); break;
      case 50: m.delegatorShares = r.string(); break;
      case 58: if (m.description !== undefined) r.unusual(); m.description = readStakingV1beta1Description(r, r.end()); break;
      case 64: m.unbondingHeight = r.int64(); break;
      case 74: if (m.unbondingTime !== undefined) r.unusual(); m.unbondingTime = readProtobufTimestamp(r, r.end()); break;
      case 82: if (m.commission !== undefined) r.unusual(); m.commission = readStakingV1beta1Commission(r, r.end()); break;
      case 90: m.minSelfDelegation = r.string(); break;
      case 96: m.unbondingOnHoldRefCount = r.int64(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1Delegation(w: RecordWriter, m: MessageInitShape<typeof DelegationSchema>): void {
  w.known(m);
  if (m.delegatorAddress !== undefined && m.delegatorAddress !== "") w.string(10, m.delegatorAddress);
  if (m.validatorAddress !== undefined && m.validatorAddress !== "") w.string(18, m.validatorAddress);
  if (m.shares !== undefined && m.shares !== "") w.string(26, m.shares);
}

function readStakingV1beta1Delegation(r: RecordReader, end: number): Delegation {
  const m: Delegation = { $typeName: "chain.staking.v1beta1.Delegation", delegatorAddress: "", validatorAddress: "", shares: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.delegatorAddress = r.string(); break;
      case 18: m.validatorAddress = r.string(); break;
      case 26: m.shares = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1UnbondingDelegationEntry(w: RecordWriter, m: MessageInitShape<typeof UnbondingDelegationEntrySchema>): void {
  w.known(m);
  if (m.creationHeight !== undefined && m.creationHeight !== 0n) w.int64(8, m.creationHeight);
  if (m.completionTime !== undefined) { const at = w.open(18); writeProtobufTimestamp(w, m.completionTime); w.close(at); }
  if (m.initialBalance !== undefined && m.initialBalance !== "") w.string(26, m.initialBalance);
  if (m.balance !== undefined && m.balance !== "") w.string(34, m.balance);
  if (m.unbondingId !== undefined && m.unbondingId !== 0n) w.uint64(40, m.unbondingId);
  if (m.unbondingOnHoldRefCount !== undefined && m.unbondingOnHoldRefCount !== 0n) w.int64(48, m.unbondingOnHoldRefCount);
}

function readStakingV1beta1UnbondingDelegationEntry(r: RecordReader, end: number): UnbondingDelegationEntry {
  const m: UnbondingDelegationEntry = { $typeName: "chain.staking.v1beta1.UnbondingDelegationEntry", creationHeight: 0n, initialBalance: "", balance: "", unbondingId: 0n, unbondingOnHoldRefCount: 0n };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.creationHeight = r.int64(); break;
      case 18: if (m.completionTime !== undefined) r.unusual(); m.completionTime = readProtobufTimestamp(r, r.end()); break;
      case 26: m.initialBalance = r.string(); break;
      case 34: m.balance = r.string(); break;
      case 40: m.unbondingId = r.uint64(); break;
      case 48: m.unbondingOnHoldRefCount = r.int64(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1UnbondingDelegation(w: RecordWriter, m: MessageInitShape<typeof UnbondingDelegationSchema>): void {
  w.known(m);
  if (m.delegatorAddress !== undefined && m.delegatorAddress !== "") w.string(10, m.delegatorAddress);
  if (m.validatorAddress !== undefined && m.validatorAddress !== "") w.string(18, m.validatorAddress);
  for (const item of m.entries ?? []) { const at = w.open(26); writeStakingV1beta1UnbondingDelegationEntry(w, item); w.close(at); }
}

function readStakingV1beta1UnbondingDelegation(r: RecordReader, end: number): UnbondingDelegation {
  const m: UnbondingDelegation = { $typeName: "chain.staking.v1beta1.UnbondingDelegation", delegatorAddress: "", validatorAddress: "", entries: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.delegatorAddress = r.string(); break;
      case 18: m.validatorAddress = r.string(); break;
      case 26: m.entries.push(readStakingV1beta1UnbondingDelegationEntry(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1RedelegationEntry(w: RecordWriter, m: MessageInitShape<typeof RedelegationEntrySchema>): void {
  w.known(m);
  if (m.creationHeight !== undefined && m.creationHeight !== 0n) w.int64(8, m.creationHeight);
  if (m.completionTime !== undefined) { const at = w.open(18); writeProtobufTimestamp(w, m.completionTime); w.close(at); }
  if (m.initialBalance !== undefined && m.initialBalance !== "") w.string(26, m.initialBalance);
  if (m.sharesDst !== undefined && m.sharesDst !== "") w.string(34, m.sharesDst);
  if (m.unbondingId !== undefined && m.unbondingId !== 0n) w.uint64(40, m.unbondingId);
  if (m.unbondingOnHoldRefCount !== undefined && m.unbondingOnHoldRefCount !== 0n) w.int64(48, m.unbondingOnHoldRefCount);
}

function readStakingV1beta1RedelegationEntry(r: RecordReader, end: number): RedelegationEntry {
  const m: RedelegationEntry = { $typeName: "chain.staking.v1beta1.RedelegationEntry", creationHeight: 0n, initialBalance: "", sharesDst: "", unbondingId: 0n, unbondingOnHoldRefCount: 0n };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.creationHeight = r.int64(); break;
      case 18: if (m.completionTime !== undefined) r.unusual(); m.completionTime = readProtobufTimestamp(r, r.end()); break;
      case 26: m.initialBalance = r.string(); break;
      case 34: m.sharesDst = r.string(); break;
      case 40: m.unbondingId = r.uint64(); break;
      case 48: m.unbondingOnHoldRefCount = r.int64(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1Redelegation(w: RecordWriter, m: MessageInitShape<typeof RedelegationSchema>): void {
  w.known(m);
  if (m.delegatorAddress !== undefined && m.delegatorAddress !== "") w.string(10, m.delegatorAddress);
  if (m.validatorSrcAddress !== undefined && m.validatorSrcAddress !== "") w.string(18, m.validatorSrcAddress);
  if (m.validatorDstAddress !== undefined && m.validatorDstAddress !== "") w.string(26, m.validatorDstAddress);
  for (const item of m.entries ?? []) { const at = w.open(34); writeStakingV1beta1RedelegationEntry(w, item); w.close(at); }
}

function readStakingV1beta1Redelegation(r: RecordReader, end: number): Redelegation {
  const m: Redelegation = { $typeName: "chain.staking.v1beta1.Redelegation", delegatorAddress: "", validatorSrcAddress: "", validatorDstAddress: "", entries: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.delegatorAddress = r.string(); break;
      case 18: m.validatorSrcAddress = r.string(); break;
      case 26: m.validatorDstAddress = r.string(); break;
      case 34: m.entries.push(readStakingV1beta1RedelegationEntry(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1Params(w: RecordWriter, m: MessageInitShape<typeof ParamsSchema$2>): void {
  w.known(m);
  if (m.unbondingTime !== undefined) { const at = w.open(10); writeProtobufDuration(w, m.unbondingTime); w.close(at); }
  if (m.maxValidators !== undefined && m.maxValidators !== 0) w.uint32(16, m.maxValidators);
  if (m.maxEntries !== undefined && m.maxEntries !== 0) w.uint32(24, m.maxEntries);
  if (m.historicalEntries !== undefined && m.historicalEntries !== 0) w.uint32(32, m.historicalEntries);
  if (m.bondDenom !== undefined && m.bondDenom !== "") w.string(42, m.bondDenom);
  if (m.minCommissionRate !== undefined && m.minCommissionRate !== "") w.string(50, m.minCommissionRate);
}

function readStakingV1beta1Params(r: RecordReader, end: number): Params$2 {
  const m: Params$2 = { $typeName: "chain.staking.v1beta1.Params", maxValidators: 0, maxEntries: 0, historicalEntries: 0, bondDenom: "", minCommissionRate: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: if (m.unbondingTime !== undefined) r.unusual(); m.unbondingTime = readProtobufDuration(r, r.end()); break;
      case 16: m.maxValidators = r.uint32(); break;
      case 24: m.maxEntries = r.uint32(); break;
      case 32: m.historicalEntries = r.uint32(); break;
      case 42: m.bondDenom = r.string(); break;
      case 50: m.minCommissionRate = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1Pool(w: RecordWriter, m: MessageInitShape<typeof PoolSchema>): void {
  w.known(m);
  if (m.notBondedTokens !== undefined && m.notBondedTokens !== "") w.string(10, m.notBondedTokens);
  if (m.bondedTokens !== undefined && m.bondedTokens !== "") w.string(18, m.bondedTokens);
}

function readStakingV1beta1Pool(r: RecordReader, end: number): Pool {
  const m: Pool = { $typeName: "chain.staking.v1beta1.Pool", notBondedTokens: "", bondedTokens: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.notBondedTokens = r.string(); break;
      case 18: m.bondedTokens = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1DVPair(w: RecordWriter, m: MessageInitShape<typeof DVPairSchema>): void {
  w.known(m);
  if (m.delegatorAddress !== undefined && m.delegatorAddress !== "") w.string(10, m.delegatorAddress);
  if (m.validatorAddress !== undefined && m.validatorAddress !== "") w.string(18, m.validatorAddress);
}

function readStakingV1beta1DVPair(r: RecordReader, end: number): DVPair {
  const m: DVPair = { $typeName: "chain.staking.v1beta1.DVPair", delegatorAddress: "", validatorAddress: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.delegatorAddress = r.string(); break;
      case 18: m.validatorAddress = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1DVPairs(w: RecordWriter, m: MessageInitShape<typeof DVPairsSchema>): void {
  w.known(m);
  for (const item of m.pairs ?? []) { const at = w.open(10); writeStakingV1beta1DVPair(w, item); w.close(at); }
}

function readStakingV1beta1DVPairs(r: RecordReader, end: number): DVPairs {
  const m: DVPairs = { $typeName: "chain.staking.v1beta1.DVPairs", pairs: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.pairs.push(readStakingV1beta1DVPair(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1DVVTriplet(w: RecordWriter, m: MessageInitShape<typeof DVVTripletSchema>): void {
  w.known(m);
  if (m.delegatorAddress !== undefined && m.delegatorAddress !== "") w.string(10, m.delegatorAddress);
  if (m.validatorSrcAddress !== undefined && m.validatorSrcAddress !== "") w.string(18, m.validatorSrcAddress);
  if (m.validatorDstAddress !== undefined && m.validatorDstAddress !== "") w.string(26, m.validatorDstAddress);
}

function readStakingV1beta1DVVTriplet(r: RecordReader, end: number): DVVTriplet {
  const m: DVVTriplet = { $typeName: "chain.staking.v1beta1.DVVTriplet", delegatorAddress: "", validatorSrcAddress: "", validatorDstAddress: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.delegatorAddress = r.string(); break;
      case 18: m.validatorSrcAddress = r.string(); break;
      case 26: m.validatorDstAddress = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1DVVTriplets(w: RecordWriter, m: MessageInitShape<typeof DVVTripletsSchema>): void {
  w.known(m);
  for (const item of m.triplets ?? []) { const at = w.open(10); writeStakingV1beta1DVVTriplet(w, item); w.close(at); }
}

function readStakingV1beta1DVVTriplets(r: RecordReader, end: number): DVVTriplets {
  const m: DVVTriplets = { $typeName: "chain.staking.v1beta1.DVVTriplets", triplets: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.triplets.push(readStakingV1beta1DVVTriplet(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1ValAddresses(w: RecordWriter, m: MessageInitShape<typeof ValAddressesSchema>): void {
  w.known(m);
  for (const item of m.addresses ?? []) w.string(10, item);
}

function readStakingV1beta1ValAddresses(r: RecordReader, end: number): ValAddresses {
  const m: ValAddresses = { $typeName: "chain.staking.v1beta1.ValAddresses", addresses: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.addresses.push(r.string()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1LastValidatorPower(w: RecordWriter, m: MessageInitShape<typeof LastValidatorPowerSchema>): void {
  w.known(m);
  if (m.address !== undefined && m.address !== "") w.string(10, m.address);
  if (m.power !== undefined && m.power !== 0n) w.int64(16, m.power);
}

function readStakingV1beta1LastValidatorPower(r: RecordReader, end: number): LastValidatorPower {
  const m: LastValidatorPower = { $typeName: "chain.staking.v1beta1.LastValidatorPower", address: "", power: 0n };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.address = r.string(); break;
      case 16: m.power = r.int64(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1GenesisState(w: RecordWriter, m: MessageInitShape<typeof GenesisStateSchema$4>): void {
  w.known(m);
  if (m.params !== undefined) { const at = w.open(10); writeStakingV1beta1Params(w, m.params); w.close(at); }
  if (m.lastTotalPower !== undefined && m.lastTotalPower !== "") w.string(18, m.lastTotalPower);
  for (const item of m.lastValidatorPowers ?? []) { const at = w.open(26); writeStakingV1beta1LastValidatorPower(w, item); w.close(at); }
  for (const item of m.validators ?? []) { const at = w.open(34); writeStakingV1beta1Validator(w, item); w.close(at); }
  for (const item of m.delegations ?? []) { const at = w.open(42); writeStakingV1beta1Delegation(w, item); w.close(at); }
  for (const item of m.unbondingDelegations ?? []) { const at = w.open(50); writeStakingV1beta1UnbondingDelegation(w, item); w.close(at); }
  for (const item of m.redelegations ?? []) { const at = w.open(58); writeStakingV1beta1Redelegation(w, item); w.close(at); }
  if (m.exported !== undefined && m.exported !== false) w.bool(64, m.exported);
}

function readStakingV1beta1GenesisState(r: RecordReader, end: number): GenesisState$4 {
  const m: GenesisState$4 = { $typeName: "chain.staking.v1beta1.GenesisState", lastTotalPower: "", lastValidatorPowers: [], validators: [], delegations: [], unbondingDelegations: [], redelegations: [], exported: false };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: if (m.params !== undefined) r.unusual(); m.params = readStakingV1beta1Params(r, r.end()); break;
      case 18: m.lastTotalPower = r.string(); break;
      case 26: m.lastValidatorPowers.push(readStakingV1beta1LastValidatorPower(r, r.end())); break;
      case 34: m.validators.push(readStakingV1beta1Validator(r, r.end())); break;
      case 42: m.delegations.push(readStakingV1beta1Delegation(r, r.end())); break;
      case 50: m.unbondingDelegations.push(readStakingV1beta1UnbondingDelegation(r, r.end())); break;
      case 58: m.redelegations.push(readStakingV1beta1Redelegation(r, r.end())); break;
      case 64: m.exported = r.bool(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1DelegationResponse(w: RecordWriter, m: MessageInitShape<typeof DelegationResponseSchema>): void {
  w.known(m);
  if (m.delegation !== undefined) { const at = w.open(10); writeStakingV1beta1Delegation(w, m.delegation); w.close(at); }
  if (m.balance !== undefined) { const at = w.open(18); writeBaseV1beta1Coin(w, m.balance); w.close(at); }
}

function readStakingV1beta1DelegationResponse(r: RecordReader, end: number): DelegationResponse {
  const m: DelegationResponse = { $typeName: "chain.staking.v1beta1.DelegationResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: if (m.delegation !== undefined) r.unusual(); m.delegation = readStakingV1beta1Delegation(r, r.end()); break;
      case 18: if (m.balance !== undefined) r.unusual(); m.balance = readBaseV1beta1Coin(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1RedelegationEntryResponse(w: RecordWriter, m: MessageInitShape<typeof RedelegationEntryResponseSchema>): void {
  w.known(m);
  if (m.redelegationEntry !== undefined) { const at = w.open(10); writeStakingV1beta1RedelegationEntry(w, m.redelegationEntry); w.close(at); }
  if (m.balance !== undefined && m.balance !== "") w.string(34, m.balance);
}

function readStakingV1beta1RedelegationEntryResponse(r: RecordReader, end: number): RedelegationEntryResponse {
  const m: RedelegationEntryResponse = { $typeName: "chain.staking.v1beta1.RedelegationEntryResponse", balance: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: if (m.redelegationEntry !== undefined) r.unusual(); m.redelegationEntry = readStakingV1beta1RedelegationEntry(r, r.end()); break;
      case 34: m.balance = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1RedelegationResponse(w: RecordWriter, m: MessageInitShape<typeof RedelegationResponseSchema>): void {
  w.known(m);
  if (m.redelegation !== undefined) { const at = w.open(10); writeStakingV1beta1Redelegation(w, m.redelegation); w.close(at); }
  for (const item of m.entries ?? []) { const at = w.open(18); writeStakingV1beta1RedelegationEntryResponse(w, item); w.close(at); }
}

function readStakingV1beta1RedelegationResponse(r: RecordReader, end: number): RedelegationResponse {
  const m: RedelegationResponse = { $typeName: "chain.staking.v1beta1.RedelegationResponse", entries: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: if (m.redelegation !== undefined) r.unusual(); m.redelegation = readStakingV1beta1Redelegation(r, r.end()); break;
      case 18: m.entries.push(readStakingV1beta1RedelegationEntryResponse(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1MsgCreateValidator(w: RecordWriter, m: MessageInitShape<typeof MsgCreateValidatorSchema>): void {
  w.known(m);
  if (m.description !== undefined) { const at = w.open(10); writeStakingV1beta1Description(w, m.description); w.close(at); }
  if (m.commission !== undefined) { const at = w.open(18); writeStakingV1beta1CommissionRates(w, m.commission); w.close(at); }
  if (m.minSelfDelegation !== undefined && m.minSelfDelegation !== "") w.string(26, m.minSelfDelegation);
  if (m.delegatorAddress !== undefined && m.delegatorAddress !== "") w.string(34, m.delegatorAddress);
  if (m.validatorAddress !== undefined && m.validatorAddress !== "") w.string(42, m.validatorAddress);
  if (m.pubkey !== undefined) { const at = w.open(50); writeProtobufAny(w, m.pubkey); w.close(at); }
  if (m.value !== undefined) { const at = w.open(58); writeBaseV1beta1Coin(w, m.value); w.close(at); }
}

function readStakingV1beta1MsgCreateValidator(r: RecordReader, end: number): MsgCreateValidator {
  const m: MsgCreateValidator = { $typeName: "chain.staking.v1beta1.MsgCreateValidator", minSelfDelegation: "", delegatorAddress: "", validatorAddress: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: if (m.description !== undefined) r.unusual(); m.description = readStakingV1beta1Description(r, r.end()); break;
      case 18: if (m.commission !== undefined) r.unusual(); m.commission = readStakingV1beta1CommissionRates(r, r.end()); break;
      case 26: m.minSelfDelegation = r.string(); break;
      case 34: m.delegatorAddress = r.string(); break;
      case 42: m.validatorAddress = r.string(); break;
      case 50: if (m.pubkey !== undefined) r.unusual(); m.pubkey = readProtobufAny(r, r.end()); break;
      case 58: if (m.value !== undefined) r.unusual(); m.value = readBaseV1beta1Coin(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1MsgCreateValidatorResponse(w: RecordWriter, m: MessageInitShape<typeof MsgCreateValidatorResponseSchema>): void {
  w.known(m);
}

function readStakingV1beta1MsgCreateValidatorResponse(r: RecordReader, end: number): MsgCreateValidatorResponse {
  const m: MsgCreateValidatorResponse = { $typeName: "chain.staking.v1beta1.MsgCreateValidatorResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1MsgEditValidator(w: RecordWriter, m: MessageInitShape<typeof MsgEditValidatorSchema>): void {
  w.known(m);
  if (m.description !== undefined) { const at = w.open(10); writeStakingV1beta1Description(w, m.description); w.close(at); }
  if (m.validatorAddress !== undefined && m.validatorAddress !== "") w.string(18, m.validatorAddress);
  if (m.commissionRate !== undefined && m.commissionRate !== "") w.string(26, m.commissionRate);
  if (m.minSelfDelegation !== undefined && m.minSelfDelegation !== "") w.string(34, m.minSelfDelegation);
}

function readStakingV1beta1MsgEditValidator(r: RecordReader, end: number): MsgEditValidator {
  const m: MsgEditValidator = { $typeName: "chain.staking.v1beta1.MsgEditValidator", validatorAddress: "", commissionRate: "", minSelfDelegation: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: if (m.description !== undefined) r.unusual(); m.description = readStakingV1beta1Description(r, r.end()); break;
      case 18: m.validatorAddress = r.string(); break;
      case 26: m.commissionRate = r.string(); break;
      case 34: m.minSelfDelegation = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1MsgEditValidatorResponse(w: RecordWriter, m: MessageInitShape<typeof MsgEditValidatorResponseSchema>): void {
  w.known(m);
}

function readStakingV1beta1MsgEditValidatorResponse(r: RecordReader, end: number): MsgEditValidatorResponse {
  const m: MsgEditValidatorResponse = { $typeName: "chain.staking.v1beta1.MsgEditValidatorResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1MsgDelegate(w: RecordWriter, m: MessageInitShape<typeof MsgDelegateSchema>): void {
  w.known(m);
  if (m.delegatorAddress !== undefined && m.delegatorAddress !== "") w.string(10, m.delegatorAddress);
  if (m.validatorAddress !== undefined && m.validatorAddress !== "") w.string(18, m.validatorAddress);
  if (m.amount !== undefined) { const at = w.open(26); writeBaseV1beta1Coin(w, m.amount); w.close(at); }
}

function readStakingV1beta1MsgDelegate(r: RecordReader, end: number): MsgDelegate {
  const m: MsgDelegate = { $typeName: "chain.staking.v1beta1.MsgDelegate", delegatorAddress: "", validatorAddress: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.delegatorAddress = r.string(); break;
      case 18: m.validatorAddress = r.string(); break;
      case 26: if (m.amount !== undefined) r.unusual(); m.amount = readBaseV1beta1Coin(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1MsgDelegateResponse(w: RecordWriter, m: MessageInitShape<typeof MsgDelegateResponseSchema>): void {
  w.known(m);
}

function readStakingV1beta1MsgDelegateResponse(r: RecordReader, end: number): MsgDelegateResponse {
  const m: MsgDelegateResponse = { $typeName: "chain.staking.v1beta1.MsgDelegateResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1MsgBeginRedelegate(w: RecordWriter, m: MessageInitShape<typeof MsgBeginRedelegateSchema>): void {
  w.known(m);
  if (m.delegatorAddress !== undefined && m.delegatorAddress !== "") w.string(10, m.delegatorAddress);
  if (m.validatorSrcAddress !== undefined && m.validatorSrcAddress !== "") w.string(18, m.validatorSrcAddress);
  if (m.validatorDstAddress !== undefined && m.validatorDstAddress !== "") w.string(26, m.validatorDstAddress);
  if (m.amount !== undefined) { const at = w.open(34); writeBaseV1beta1Coin(w, m.amount); w.close(at); }
}

function readStakingV1beta1MsgBeginRedelegate(r: RecordReader, end: number): MsgBeginRedelegate {
  const m: MsgBeginRedelegate = { $typeName: "chain.staking.v1beta1.MsgBeginRedelegate", delegatorAddress: "", validatorSrcAddress: "", validatorDstAddress: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.delegatorAddress = r.string(); break;
      case 18: m.validatorSrcAddress = r.string(); break;
      case 26: m.validatorDstAddress = r.string(); break;
      case 34: if (m.amount !== undefined) r.unusual(); m.amount = readBaseV1beta1Coin(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1MsgBeginRedelegateResponse(w: RecordWriter, m: MessageInitShape<typeof MsgBeginRedelegateResponseSchema>): void {
  w.known(m);
  if (m.completionTime !== undefined) { const at = w.open(10); writeProtobufTimestamp(w, m.completionTime); w.close(at); }
}

function readStakingV1beta1MsgBeginRedelegateResponse(r: RecordReader, end: number): MsgBeginRedelegateResponse {
  const m: MsgBeginRedelegateResponse = { $typeName: "chain.staking.v1beta1.MsgBeginRedelegateResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: if (m.completionTime !== undefined) r.unusual(); m.completionTime = readProtobufTimestamp(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1MsgUndelegate(w: RecordWriter, m: MessageInitShape<typeof MsgUndelegateSchema>): void {
  w.known(m);
  if (m.delegatorAddress !== undefined && m.delegatorAddress !== "") w.string(10, m.delegatorAddress);
  if (m.validatorAddress !== undefined && m.validatorAddress !== "") w.string(18, m.validatorAddress);
  if (m.amount !== undefined) { const at = w.open(26); writeBaseV1beta1Coin(w, m.amount); w.close(at); }
}

function readStakingV1beta1MsgUndelegate(r: RecordReader, end: number): MsgUndelegate {
  const m: MsgUndelegate = { $typeName: "chain.staking.v1beta1.MsgUndelegate", delegatorAddress: "", validatorAddress: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.delegatorAddress = r.string(); break;
      case 18: m.validatorAddress = r.string(); break;
      case 26: if (m.amount !== undefined) r.unusual(); m.amount = readBaseV1beta1Coin(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1MsgUndelegateResponse(w: RecordWriter, m: MessageInitShape<typeof MsgUndelegateResponseSchema>): void {
  w.known(m);
  if (m.completionTime !== undefined) { const at = w.open(10); writeProtobufTimestamp(w, m.completionTime); w.close(at); }
  if (m.amount !== undefined) { const at = w.open(18); writeBaseV1beta1Coin(w, m.amount); w.close(at); }
}

function readStakingV1beta1MsgUndelegateResponse(r: RecordReader, end: number): MsgUndelegateResponse {
  const m: MsgUndelegateResponse = { $typeName: "chain.staking.v1beta1.MsgUndelegateResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: if (m.completionTime !== undefined) r.unusual(); m.completionTime = readProtobufTimestamp(r, r.end()); break;
      case 18: if (m.amount !== undefined) r.unusual(); m.amount = readBaseV1beta1Coin(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1MsgCancelUnbondingDelegation(w: RecordWriter, m: MessageInitShape<typeof MsgCancelUnbondingDelegationSchema>): void {
  w.known(m);
  if (m.delegatorAddress !== undefined && m.delegatorAddress !== "") w.string(10, m.delegatorAddress);
  if (m.validatorAddress !== undefined && m.validatorAddress !== "") w.string(18, m.validatorAddress);
  if (m.amount !== undefined) { const at = w.open(26); writeBaseV1beta1Coin(w, m.amount); w.close(at); }
  if (m.creationHeight !== undefined && m.creationHeight !== 0n) w.int64(32, m.creationHeight);
}

function readStakingV1beta1MsgCancelUnbondingDelegation(r: RecordReader, end: number): MsgCancelUnbondingDelegation {
  const m: MsgCancelUnbondingDelegation = { $typeName: "chain.staking.v1beta1.MsgCancelUnbondingDelegation", delegatorAddress: "", validatorAddress: "", creationHeight: 0n };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.delegatorAddress = r.string(); break;
      case 18: m.validatorAddress = r.string(); break;
      case 26: if (m.amount !== undefined) r.unusual(); m.amount = readBaseV1beta1Coin(r, r.end()); break;
      case 32: m.creationHeight = r.int64(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1MsgCancelUnbondingDelegationResponse(w: RecordWriter, m: MessageInitShape<typeof MsgCancelUnbondingDelegationResponseSchema>): void {
  w.known(m);
}

function readStakingV1beta1MsgCancelUnbondingDelegationResponse(r: RecordReader, end: number): MsgCancelUnbondingDelegationResponse {
  const m: MsgCancelUnbondingDelegationResponse = { $typeName: "chain.staking.v1beta1.MsgCancelUnbondingDelegationResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1MsgUpdateParams(w: RecordWriter, m: MessageInitShape<typeof MsgUpdateParamsSchema$2>): void {
  w.known(m);
  if (m.authority !== undefined && m.authority !== "") w.string(10, m.authority);
  if (m.params !== undefined) { const at = w.open(18); writeStakingV1beta1Params(w, m.params); w.close(at); }
}

function readStakingV1beta1MsgUpdateParams(r: RecordReader, end: number): MsgUpdateParams$2 {
  const m: MsgUpdateParams$2 = { $typeName: "chain.staking.v1beta1.MsgUpdateParams", authority: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.authority = r.string(); break;
      case 18: if (m.params !== undefined) r.unusual(); m.params = readStakingV1beta1Params(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeStakingV1beta1MsgUpdateParamsResponse(w: RecordWriter, m: MessageInitShape<typeof MsgUpdateParamsResponseSchema$2>): void {
  w.known(m);
}

function readStakingV1beta1MsgUpdateParamsResponse(r: RecordReader, end: number): MsgUpdateParamsResponse$2 {
  const m: MsgUpdateParamsResponse$2 = { $typeName: "chain.staking.v1beta1.MsgUpdateParamsResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeTxV1beta1NamedBody(w: RecordWriter, m: MessageInitShape<typeof NamedBodySchema>): void {
  w.known(m);
  for (const item of m.messages ?? []) { const at = w.open(10); writeProtobufAny(w, item); w.close(at); }
  if (m.memo !== undefined && m.memo !== "") w.string(18, m.memo);
}

function readTxV1beta1NamedBody(r: RecordReader, end: number): NamedBody {
  const m: NamedBody = { $typeName: "chain.tx.v1beta1.NamedBody", messages: [], memo: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.messages.push(readProtobufAny(r, r.end())); break;
      case 18: m.memo = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeTxV1beta1NamedSigner(w: RecordWriter, m: MessageInitShape<typeof NamedSignerSchema>): void {
  w.known(m);
  if (m.publicKey !== undefined && m.publicKey.length !== 0) w.bytes(10, m.publicKey);
  if (m.modeInfo !== undefined && m.modeInfo.length !== 0) w.bytes(18, m.modeInfo);
  if (m.sequence !== undefined && m.sequence !== 0n) w.uint64(24, m.sequence);
}

function readTxV1beta1NamedSigner(r: RecordReader, end: number): NamedSigner {
  const m: NamedSigner = { $typeName: "chain.tx.v1beta1.NamedSigner", publicKey: EMPTY, modeInfo: EMPTY, sequence: 0n };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.publicKey = r.bytes(); break;
      case 18: m.modeInfo = r.bytes(); break;
      case 24: m.sequence = r.uint64(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeTxV1beta1NamedFee(w: RecordWriter, m: MessageInitShape<typeof NamedFeeSchema>): void {
  w.known(m);
  if (m.payer !== undefined && m.payer !== "") w.string(26, m.payer);
}

function readTxV1beta1NamedFee(r: RecordReader, end: number): NamedFee {
  const m: NamedFee = { $typeName: "chain.tx.v1beta1.NamedFee", payer: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 26: m.payer = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeTxV1beta1NamedAuth(w: RecordWriter, m: MessageInitShape<typeof NamedAuthSchema>): void {
  w.known(m);
  if (m.signer !== undefined) { const at = w.open(10); writeTxV1beta1NamedSigner(w, m.signer); w.close(at); }
  if (m.fee !== undefined) { const at = w.open(18); writeTxV1beta1NamedFee(w, m.fee); w.close(at); }
}

function readTxV1beta1NamedAuth(r: RecordReader, end: number): NamedAuth {
  const m: NamedAuth = { $typeName: "chain.tx.v1beta1.NamedAuth" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: if (m.signer !== undefined) r.unusual(); m.signer = readTxV1beta1NamedSigner(r, r.end()); break;
      case 18: if (m.fee !== undefined) r.unusual(); m.fee = readTxV1beta1NamedFee(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeTxV1beta1NamedTx(w: RecordWriter, m: MessageInitShape<typeof NamedTxSchema>): void {
  w.known(m);
  if (m.body !== undefined) { const at = w.open(10); writeTxV1beta1NamedBody(w, m.body); w.close(at); }
  if (m.auth !== undefined) { const at = w.open(18); writeTxV1beta1NamedAuth(w, m.auth); w.close(at); }
  for (const item of m.signatures ?? []) w.bytes(26, item);
}

function readTxV1beta1NamedTx(r: RecordReader, end: number): NamedTx {
  const m: NamedTx = { $typeName: "chain.tx.v1beta1.NamedTx", signatures: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: if (m.body !== undefined) r.unusual(); m.body = readTxV1beta1NamedBody(r, r.end()); break;
      case 18: if (m.auth !== undefined) r.unusual(); m.auth = readTxV1beta1NamedAuth(r, r.end()); break;
      case 26: m.signatures.push(r.bytes()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeTxV1beta1TxMsgData(w: RecordWriter, m: MessageInitShape<typeof TxMsgDataSchema>): void {
  w.known(m);
  for (const item of m.msgResponses ?? []) { const at = w.open(18); writeProtobufAny(w, item); w.close(at); }
}

function readTxV1beta1TxMsgData(r: RecordReader, end: number): TxMsgData {
  const m: TxMsgData = { $typeName: "chain.tx.v1beta1.TxMsgData", msgResponses: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 18: m.msgResponses.push(readProtobufAny(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeTxV1beta1TxBody(w: RecordWriter, m: MessageInitShape<typeof TxBodySchema>): void {
  w.known(m);
  for (const item of m.messages ?? []) { const at = w.open(10); writeProtobufAny(w, item); w.close(at); }
  if (m.memo !== undefined && m.memo !== "") w.string(18, m.memo);
  if (m.timeoutHeight !== undefined && m.timeoutHeight !== 0n) w.uint64(24, m.timeoutHeight);
  if (m.unordered !== undefined && m.unordered !== false) w.bool(32, m.unordered);
  if (m.timeoutTimestamp !== undefined) { const at = w.open(42); writeProtobufTimestamp(w, m.timeoutTimestamp); w.close(at); }
  for (const item of m.extensionOptions ?? []) { const at = w.open(8186); writeProtobufAny(w, item); w.close(at); }
  for (const item of m.nonCriticalExtensionOptions ?? []) { const at = w.open(16378); writeProtobufAny(w, item); w.close(at); }
}

function readTxV1beta1TxBody(r: RecordReader, end: number): TxBody {
  const m: TxBody = { $typeName: "chain.tx.v1beta1.TxBody", messages: [], memo: "", timeoutHeight: 0n, unordered: false, extensionOptions: [], nonCriticalExtensionOptions: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.messages.push(readProtobufAny(r, r.end())); break;
      case 18: m.memo = r.string(); break;
      case 24: m.timeoutHeight = r.uint64(); break;
      case 32: m.unordered = r.bool(); break;
      case 42: if (m.timeoutTimestamp !== undefined) r.unusual(); m.timeoutTimestamp = readProtobufTimestamp(r, r.end()); break;
      case 8186: m.extensionOptions.push(readProtobufAny(r, r.end())); break;
      case 16378: m.nonCriticalExtensionOptions.push(readProtobufAny(r, r.end())); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeTxV1beta1Fee(w: RecordWriter, m: MessageInitShape<typeof FeeSchema>): void {
  w.known(m);
  for (const item of m.amount ?? []) { const at = w.open(10); writeBaseV1beta1Coin(w, item); w.close(at); }
  if (m.gasLimit !== undefined && m.gasLimit !== 0n) w.uint64(16, m.gasLimit);
  if (m.payer !== undefined && m.payer !== "") w.string(26, m.payer);
  if (m.granter !== undefined && m.granter !== "") w.string(34, m.granter);
}

function readTxV1beta1Fee(r: RecordReader, end: number): Fee {
  const m: Fee = { $typeName: "chain.tx.v1beta1.Fee", amount: [], gasLimit: 0n, payer: "", granter: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.amount.push(readBaseV1beta1Coin(r, r.end())); break;
      case 16: m.gasLimit = r.uint64(); break;
      case 26: m.payer = r.string(); break;
      case 34: m.granter = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeTxV1beta1Tip(w: RecordWriter, m: MessageInitShape<typeof TipSchema>): void {
  w.known(m);
  for (const item of m.amount ?? []) { const at = w.open(10); writeBaseV1beta1Coin(w, item); w.close(at); }
  if (m.tipper !== undefined && m.tipper !== "") w.string(18, m.tipper);
}

function readTxV1beta1Tip(r: RecordReader, end: number): Tip {
  const m: Tip = { $typeName: "chain.tx.v1beta1.Tip", amount: [], tipper: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.amount.push(readBaseV1beta1Coin(r, r.end())); break;
      case 18: m.tipper = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeTxV1beta1TxRaw(w: RecordWriter, m: MessageInitShape<typeof TxRawSchema>): void {
  w.known(m);
  if (m.bodyBytes !== undefined && m.bodyBytes.length !== 0) w.bytes(10, m.bodyBytes);
  if (m.authInfoBytes !== undefined && m.authInfoBytes.length !== 0) w.bytes(18, m.authInfoBytes);
  for (const item of m.signatures ?? []) w.bytes(26, item);
}

function readTxV1beta1TxRaw(r: RecordReader, end: number): TxRaw {
  const m: TxRaw = { $typeName: "chain.tx.v1beta1.TxRaw", bodyBytes: EMPTY, authInfoBytes: EMPTY, signatures: [] };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.bodyBytes = r.bytes(); break;
      case 18: m.authInfoBytes = r.bytes(); break;
      case 26: m.signatures.push(r.bytes()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeTxV1beta1SignDoc(w: RecordWriter, m: MessageInitShape<typeof SignDocSchema>): void {
  w.known(m);
  if (m.bodyBytes !== undefined && m.bodyBytes.length !== 0) w.bytes(10, m.bodyBytes);
  if (m.authInfoBytes !== undefined && m.authInfoBytes.length !== 0) w.bytes(18, m.authInfoBytes);
  if (m.chainId !== undefined && m.chainId !== "") w.string(26, m.chainId);
  if (m.accountNumber !== undefined && m.accountNumber !== 0n) w.uint64(32, m.accountNumber);
}

function readTxV1beta1SignDoc(r: RecordReader, end: number): SignDoc {
  const m: SignDoc = { $typeName: "chain.tx.v1beta1.SignDoc", bodyBytes: EMPTY, authInfoBytes: EMPTY, chainId: "", accountNumber: 0n };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.bodyBytes = r.bytes(); break;
      case 18: m.authInfoBytes = r.bytes(); break;
      case 26: m.chainId = r.string(); break;
      case 32: m.accountNumber = r.uint64(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeUpgradeV1beta1Plan(w: RecordWriter, m: MessageInitShape<typeof PlanSchema>): void {
  w.known(m);
  if (m.name !== undefined && m.name !== "") w.string(10, m.name);
  if (m.time !== undefined) { const at = w.open(18); writeProtobufTimestamp(w, m.time); w.close(at); }
  if (m.height !== undefined && m.height !== 0n) w.int64(24, m.height);
  if (m.info !== undefined && m.info !== "") w.string(34, m.info);
  if (m.upgradedClientState !== undefined) { const at = w.open(42); writeProtobufAny(w, m.upgradedClientState); w.close(at); }
}

function readUpgradeV1beta1Plan(r: RecordReader, end: number): Plan {
  const m: Plan = { $typeName: "chain.upgrade.v1beta1.Plan", name: "", height: 0n, info: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.name = r.string(); break;
      case 18: if (m.time !== undefined) r.unusual(); m.time = readProtobufTimestamp(r, r.end()); break;
      case 24: m.height = r.int64(); break;
      case 34: m.info = r.string(); break;
      case 42: if (m.upgradedClientState !== undefined) r.unusual(); m.upgradedClientState = readProtobufAny(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeUpgradeV1beta1ModuleVersion(w: RecordWriter, m: MessageInitShape<typeof ModuleVersionSchema>): void {
  w.known(m);
  if (m.name !== undefined && m.name !== "") w.string(10, m.name);
  if (m.version !== undefined && m.version !== 0n) w.uint64(16, m.version);
}

function readUpgradeV1beta1ModuleVersion(r: RecordReader, end: number): ModuleVersion {
  const m: ModuleVersion = { $typeName: "chain.upgrade.v1beta1.ModuleVersion", name: "", version: 0n };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.name = r.string(); break;
      case 16: m.version = r.uint64(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeUpgradeV1beta1SoftwareUpgradeProposal(w: RecordWriter, m: MessageInitShape<typeof SoftwareUpgradeProposalSchema>): void {
  w.known(m);
  if (m.title !== undefined && m.title !== "") w.string(10, m.title);
  if (m.description !== undefined && m.description !== "") w.string(18, m.description);
  if (m.plan !== undefined) { const at = w.open(26); writeUpgradeV1beta1Plan(w, m.plan); w.close(at); }
}

function readUpgradeV1beta1SoftwareUpgradeProposal(r: RecordReader, end: number): SoftwareUpgradeProposal {
  const m: SoftwareUpgradeProposal = { $typeName: "chain.upgrade.v1beta1.SoftwareUpgradeProposal", title: "", description: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.title = r.string(); break;
      case 18: m.description = r.string(); break;
      case 26: if (m.plan !== undefined) r.unusual(); m.plan = readUpgradeV1beta1Plan(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeUpgradeV1beta1CancelSoftwareUpgradeProposal(w: RecordWriter, m: MessageInitShape<typeof CancelSoftwareUpgradeProposalSchema>): void {
  w.known(m);
  if (m.title !== undefined && m.title !== "") w.string(10, m.title);
  if (m.description !== undefined && m.description !== "") w.string(18, m.description);
}

function readUpgradeV1beta1CancelSoftwareUpgradeProposal(r: RecordReader, end: number): CancelSoftwareUpgradeProposal {
  const m: CancelSoftwareUpgradeProposal = { $typeName: "chain.upgrade.v1beta1.CancelSoftwareUpgradeProposal", title: "", description: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.title = r.string(); break;
      case 18: m.description = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeUpgradeV1beta1MsgSoftwareUpgrade(w: RecordWriter, m: MessageInitShape<typeof MsgSoftwareUpgradeSchema>): void {
  w.known(m);
  if (m.authority !== undefined && m.authority !== "") w.string(10, m.authority);
  if (m.plan !== undefined) { const at = w.open(18); writeUpgradeV1beta1Plan(w, m.plan); w.close(at); }
}

function readUpgradeV1beta1MsgSoftwareUpgrade(r: RecordReader, end: number): MsgSoftwareUpgrade {
  const m: MsgSoftwareUpgrade = { $typeName: "chain.upgrade.v1beta1.MsgSoftwareUpgrade", authority: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.authority = r.string(); break;
      case 18: if (m.plan !== undefined) r.unusual(); m.plan = readUpgradeV1beta1Plan(r, r.end()); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeUpgradeV1beta1MsgSoftwareUpgradeResponse(w: RecordWriter, m: MessageInitShape<typeof MsgSoftwareUpgradeResponseSchema>): void {
  w.known(m);
}

function readUpgradeV1beta1MsgSoftwareUpgradeResponse(r: RecordReader, end: number): MsgSoftwareUpgradeResponse {
  const m: MsgSoftwareUpgradeResponse = { $typeName: "chain.upgrade.v1beta1.MsgSoftwareUpgradeResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeUpgradeV1beta1MsgCancelUpgrade(w: RecordWriter, m: MessageInitShape<typeof MsgCancelUpgradeSchema>): void {
  w.known(m);
  if (m.authority !== undefined && m.authority !== "") w.string(10, m.authority);
}

function readUpgradeV1beta1MsgCancelUpgrade(r: RecordReader, end: number): MsgCancelUpgrade {
  const m: MsgCancelUpgrade = { $typeName: "chain.upgrade.v1beta1.MsgCancelUpgrade", authority: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.authority = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeUpgradeV1beta1MsgCancelUpgradeResponse(w: RecordWriter, m: MessageInitShape<typeof MsgCancelUpgradeResponseSchema>): void {
  w.known(m);
}

function readUpgradeV1beta1MsgCancelUpgradeResponse(r: RecordReader, end: number): MsgCancelUpgradeResponse {
  const m: MsgCancelUpgradeResponse = { $typeName: "chain.upgrade.v1beta1.MsgCancelUpgradeResponse" };
  while (r.at < end) {
    switch (r.tag()) {
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeProtobufStringValue(w: RecordWriter, m: MessageInitShape<typeof StringValueSchema>): void {
  w.known(m);
  if (m.value !== undefined && m.value !== "") w.string(10, m.value);
}

function readProtobufStringValue(r: RecordReader, end: number): StringValue {
  const m: StringValue = { $typeName: "google.protobuf.StringValue", value: "" };
  while (r.at < end) {
    switch (r.tag()) {
      case 10: m.value = r.string(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

function writeProtobufInt64Value(w: RecordWriter, m: MessageInitShape<typeof Int64ValueSchema>): void {
  w.known(m);
  if (m.value !== undefined && m.value !== 0n) w.int64(8, m.value);
}

function readProtobufInt64Value(r: RecordReader, end: number): Int64Value {
  const m: Int64Value = { $typeName: "google.protobuf.Int64Value", value: 0n };
  while (r.at < end) {
    switch (r.tag()) {
      case 8: m.value = r.int64(); break;
      default: r.unusual();
    }
  }
  r.ended(end);
  return m;
}

/** The functions of each message that has them, by its full name. */
export const RECORDS: { readonly [typeName: string]: RecordCode | undefined } = {
  "chain.base.v1beta1.Coin": { write: writeBaseV1beta1Coin, read: readBaseV1beta1Coin },
  "chain.bank.v1beta1.Balance": { write: writeBankV1beta1Balance, read: readBankV1beta1Balance },
  "chain.bank.v1beta1.GenesisState": { write: writeBankV1beta1GenesisState, read: readBankV1beta1GenesisState },
  "chain.bank.v1beta1.MsgSend": { write: writeBankV1beta1MsgSend, read: readBankV1beta1MsgSend },
  "chain.bank.v1beta1.MsgSendResponse": { write: writeBankV1beta1MsgSendResponse, read: readBankV1beta1MsgSendResponse },
  "chain.consensus.v1.PartSetHeader": { write: writeConsensusV1PartSetHeader, read: readConsensusV1PartSetHeader },
  "chain.consensus.v1.BlockID": { write: writeConsensusV1BlockID, read: readConsensusV1BlockID },
  "google.protobuf.Timestamp": { write: writeProtobufTimestamp, read: readProtobufTimestamp },
  "chain.consensus.v1.Vote": { write: writeConsensusV1Vote, read: readConsensusV1Vote },
  "chain.consensus.v1.DuplicateVoteEvidence": { write: writeConsensusV1DuplicateVoteEvidence, read: readConsensusV1DuplicateVoteEvidence },
  "chain.crypto.ed25519.PubKey": { write: writeCryptoEd25519PubKey, read: readCryptoEd25519PubKey },
  "chain.crypto.secp256k1.PubKey": { write: writeCryptoSecp256k1PubKey, read: readCryptoSecp256k1PubKey },
  "chain.evidence.v1beta1.Equivocation": { write: writeEvidenceV1beta1Equivocation, read: readEvidenceV1beta1Equivocation },
  "chain.evidence.v1beta1.CounterfactualSigning": { write: writeEvidenceV1beta1CounterfactualSigning, read: readEvidenceV1beta1CounterfactualSigning },
  "chain.evidence.v1beta1.ScriptedEvidence": { write: writeEvidenceV1beta1ScriptedEvidence, read: readEvidenceV1beta1ScriptedEvidence },
  "google.protobuf.Any": { write: writeProtobufAny, read: readProtobufAny },
  "chain.evidence.v1beta1.GenesisState": { write: writeEvidenceV1beta1GenesisState, read: readEvidenceV1beta1GenesisState },
  "chain.evidence.v1beta1.MsgSubmitEvidence": { write: writeEvidenceV1beta1MsgSubmitEvidence, read: readEvidenceV1beta1MsgSubmitEvidence },
  "chain.evidence.v1beta1.MsgSubmitEvidenceResponse": { write: writeEvidenceV1beta1MsgSubmitEvidenceResponse, read: readEvidenceV1beta1MsgSubmitEvidenceResponse },
  "chain.gov.v1.WeightedVoteOption": { write: writeGovV1WeightedVoteOption, read: readGovV1WeightedVoteOption },
  "chain.gov.v1.Deposit": { write: writeGovV1Deposit, read: readGovV1Deposit },
  "chain.gov.v1.TallyResult": { write: writeGovV1TallyResult, read: readGovV1TallyResult },
  "chain.gov.v1.Proposal": { write: writeGovV1Proposal, read: readGovV1Proposal },
  "chain.gov.v1.Vote": { write: writeGovV1Vote, read: readGovV1Vote },
  "google.protobuf.Duration": { write: writeProtobufDuration, read: readProtobufDuration },
  "chain.gov.v1.Params": { write: writeGovV1Params, read: readGovV1Params },
  "chain.gov.v1.DepositParams": { write: writeGovV1DepositParams, read: readGovV1DepositParams },
  "chain.gov.v1.VotingParams": { write: writeGovV1VotingParams, read: readGovV1VotingParams },
  "chain.gov.v1.TallyParams": { write: writeGovV1TallyParams, read: readGovV1TallyParams },
  "chain.gov.v1.GenesisState": { write: writeGovV1GenesisState, read: readGovV1GenesisState },
  "chain.gov.v1.MsgSubmitProposal": { write: writeGovV1MsgSubmitProposal, read: readGovV1MsgSubmitProposal },
  "chain.gov.v1.MsgSubmitProposalResponse": { write: writeGovV1MsgSubmitProposalResponse, read: readGovV1MsgSubmitProposalResponse },
  "chain.gov.v1.MsgExecLegacyContent": { write: writeGovV1MsgExecLegacyContent, read: readGovV1MsgExecLegacyContent },
  "chain.gov.v1.MsgExecLegacyContentResponse": { write: writeGovV1MsgExecLegacyContentResponse, read: readGovV1MsgExecLegacyContentResponse },
  "chain.gov.v1.MsgVote": { write: writeGovV1MsgVote, read: readGovV1MsgVote },
  "chain.gov.v1.MsgVoteResponse": { write: writeGovV1MsgVoteResponse, read: readGovV1MsgVoteResponse },
  "chain.gov.v1.MsgVoteWeighted": { write: writeGovV1MsgVoteWeighted, read: readGovV1MsgVoteWeighted },
  "chain.gov.v1.MsgVoteWeightedResponse": { write: writeGovV1MsgVoteWeightedResponse, read: readGovV1MsgVoteWeightedResponse },
  "chain.gov.v1.MsgDeposit": { write: writeGovV1MsgDeposit, read: readGovV1MsgDeposit },
  "chain.gov.v1.MsgDepositResponse": { write: writeGovV1MsgDepositResponse, read: readGovV1MsgDepositResponse },
  "chain.gov.v1.MsgUpdateParams": { write: writeGovV1MsgUpdateParams, read: readGovV1MsgUpdateParams },
  "chain.gov.v1.MsgUpdateParamsResponse": { write: writeGovV1MsgUpdateParamsResponse, read: readGovV1MsgUpdateParamsResponse },
  "chain.gov.v1.MsgCancelProposal": { write: writeGovV1MsgCancelProposal, read: readGovV1MsgCancelProposal },
  "chain.gov.v1.MsgCancelProposalResponse": { write: writeGovV1MsgCancelProposalResponse, read: readGovV1MsgCancelProposalResponse },
  "chain.gov.v1beta1.MsgSubmitProposal": { write: writeGovV1beta1MsgSubmitProposal, read: readGovV1beta1MsgSubmitProposal },
  "chain.gov.v1beta1.MsgSubmitProposalResponse": { write: writeGovV1beta1MsgSubmitProposalResponse, read: readGovV1beta1MsgSubmitProposalResponse },
  "chain.gov.v1beta1.MsgVote": { write: writeGovV1beta1MsgVote, read: readGovV1beta1MsgVote },
  "chain.gov.v1beta1.MsgVoteResponse": { write: writeGovV1beta1MsgVoteResponse, read: readGovV1beta1MsgVoteResponse },
  "chain.gov.v1beta1.WeightedVoteOption": { write: writeGovV1beta1WeightedVoteOption, read: readGovV1beta1WeightedVoteOption },
  "chain.gov.v1beta1.MsgVoteWeighted": { write: writeGovV1beta1MsgVoteWeighted, read: readGovV1beta1MsgVoteWeighted },
  "chain.gov.v1beta1.MsgVoteWeightedResponse": { write: writeGovV1beta1MsgVoteWeightedResponse, read: readGovV1beta1MsgVoteWeightedResponse },
  "chain.gov.v1beta1.MsgDeposit": { write: writeGovV1beta1MsgDeposit, read: readGovV1beta1MsgDeposit },
  "chain.gov.v1beta1.MsgDepositResponse": { write: writeGovV1beta1MsgDepositResponse, read: readGovV1beta1MsgDepositResponse },
  "chain.gov.v1beta1.TextProposal": { write: writeGovV1beta1TextProposal, read: readGovV1beta1TextProposal },
  "chain.gov.v1beta1.Deposit": { write: writeGovV1beta1Deposit, read: readGovV1beta1Deposit },
  "chain.gov.v1beta1.TallyResult": { write: writeGovV1beta1TallyResult, read: readGovV1beta1TallyResult },
  "chain.gov.v1beta1.Proposal": { write: writeGovV1beta1Proposal, read: readGovV1beta1Proposal },
  "chain.gov.v1beta1.Vote": { write: writeGovV1beta1Vote, read: readGovV1beta1Vote },
  "chain.gov.v1beta1.DepositParams": { write: writeGovV1beta1DepositParams, read: readGovV1beta1DepositParams },
  "chain.gov.v1beta1.VotingParams": { write: writeGovV1beta1VotingParams, read: readGovV1beta1VotingParams },
  "chain.gov.v1beta1.TallyParams": { write: writeGovV1beta1TallyParams, read: readGovV1beta1TallyParams },
  "chain.slashing.v1beta1.Params": { write: writeSlashingV1beta1Params, read: readSlashingV1beta1Params },
  "chain.slashing.v1beta1.ValidatorSigningInfo": { write: writeSlashingV1beta1ValidatorSigningInfo, read: readSlashingV1beta1ValidatorSigningInfo },
  "chain.slashing.v1beta1.SigningInfo": { write: writeSlashingV1beta1SigningInfo, read: readSlashingV1beta1SigningInfo },
  "chain.slashing.v1beta1.MissedBlock": { write: writeSlashingV1beta1MissedBlock, read: readSlashingV1beta1MissedBlock },
  "chain.slashing.v1beta1.ValidatorMissedBlocks": { write: writeSlashingV1beta1ValidatorMissedBlocks, read: readSlashingV1beta1ValidatorMissedBlocks },
  "chain.slashing.v1beta1.GenesisState": { write: writeSlashingV1beta1GenesisState, read: readSlashingV1beta1GenesisState },
  "chain.slashing.v1beta1.MsgUnjail": { write: writeSlashingV1beta1MsgUnjail, read: readSlashingV1beta1MsgUnjail },
  "chain.slashing.v1beta1.MsgUnjailResponse": { write: writeSlashingV1beta1MsgUnjailResponse, read: readSlashingV1beta1MsgUnjailResponse },
  "chain.slashing.v1beta1.MsgUpdateParams": { write: writeSlashingV1beta1MsgUpdateParams, read: readSlashingV1beta1MsgUpdateParams },
  "chain.slashing.v1beta1.MsgUpdateParamsResponse": { write: writeSlashingV1beta1MsgUpdateParamsResponse, read: readSlashingV1beta1MsgUpdateParamsResponse },
  "chain.staking.v1beta1.CommissionRates": { write: writeStakingV1beta1CommissionRates, read: readStakingV1beta1CommissionRates },
  "chain.staking.v1beta1.Commission": { write: writeStakingV1beta1Commission, read: readStakingV1beta1Commission },
  "chain.staking.v1beta1.Description": { write: writeStakingV1beta1Description, read: readStakingV1beta1Description },
  "chain.staking.v1beta1.Validator": { write: writeStakingV1beta1Validator, read: readStakingV1beta1Validator },
  "chain.staking.v1beta1.Delegation": { write: writeStakingV1beta1Delegation, read: readStakingV1beta1Delegation },
  "chain.staking.v1beta1.UnbondingDelegationEntry": { write: writeStakingV1beta1UnbondingDelegationEntry, read: readStakingV1beta1UnbondingDelegationEntry },
  "chain.staking.v1beta1.UnbondingDelegation": { write: writeStakingV1beta1UnbondingDelegation, read: readStakingV1beta1UnbondingDelegation },
  "chain.staking.v1beta1.RedelegationEntry": { write: writeStakingV1beta1RedelegationEntry, read: readStakingV1beta1RedelegationEntry },
  "chain.staking.v1beta1.Redelegation": { write: writeStakingV1beta1Redelegation, read: readStakingV1beta1Redelegation },
  "chain.staking.v1beta1.Params": { write: writeStakingV1beta1Params, read: readStakingV1beta1Params },
  "chain.staking.v1beta1.Pool": { write: writeStakingV1beta1Pool, read: readStakingV1beta1Pool },
  "chain.staking.v1beta1.DVPair": { write: writeStakingV1beta1DVPair, read: readStakingV1beta1DVPair },
  "chain.staking.v1beta1.DVPairs": { write: writeStakingV1beta1DVPairs, read: readStakingV1beta1DVPairs },
  "chain.staking.v1beta1.DVVTriplet": { write: writeStakingV1beta1DVVTriplet, read: readStakingV1beta1DVVTriplet },
  "chain.staking.v1beta1.DVVTriplets": { write: writeStakingV1beta1DVVTriplets, read: readStakingV1beta1DVVTriplets },
  "chain.staking.v1beta1.ValAddresses": { write: writeStakingV1beta1ValAddresses, read: readStakingV1beta1ValAddresses },
  "chain.staking.v1beta1.LastValidatorPower": { write: writeStakingV1beta1LastValidatorPower, read: readStakingV1beta1LastValidatorPower },
  "chain.staking.v1beta1.GenesisState": { write: writeStakingV1beta1GenesisState, read: readStakingV1beta1GenesisState },
  "chain.staking.v1beta1.DelegationResponse": { write: writeStakingV1beta1DelegationResponse, read: readStakingV1beta1DelegationResponse },
  "chain.staking.v1beta1.RedelegationEntryResponse": { write: writeStakingV1beta1RedelegationEntryResponse, read: readStakingV1beta1RedelegationEntryResponse },
  "chain.staking.v1beta1.RedelegationResponse": { write: writeStakingV1beta1RedelegationResponse, read: readStakingV1beta1RedelegationResponse },
  "chain.staking.v1beta1.MsgCreateValidator": { write: writeStakingV1beta1MsgCreateValidator, read: readStakingV1beta1MsgCreateValidator },
  "chain.staking.v1beta1.MsgCreateValidatorResponse": { write: writeStakingV1beta1MsgCreateValidatorResponse, read: readStakingV1beta1MsgCreateValidatorResponse },
  "chain.staking.v1beta1.MsgEditValidator": { write: writeStakingV1beta1MsgEditValidator, read: readStakingV1beta1MsgEditValidator },
  "chain.staking.v1beta1.MsgEditValidatorResponse": { write: writeStakingV1beta1MsgEditValidatorResponse, read: readStakingV1beta1MsgEditValidatorResponse },
  "chain.staking.v1beta1.MsgDelegate": { write: writeStakingV1beta1MsgDelegate, read: readStakingV1beta1MsgDelegate },
  "chain.staking.v1beta1.MsgDelegateResponse": { write: writeStakingV1beta1MsgDelegateResponse, read: readStakingV1beta1MsgDelegateResponse },
  "chain.staking.v1beta1.MsgBeginRedelegate": { write: writeStakingV1beta1MsgBeginRedelegate, read: readStakingV1beta1MsgBeginRedelegate },
  "chain.staking.v1beta1.MsgBeginRedelegateResponse": { write: writeStakingV1beta1MsgBeginRedelegateResponse, read: readStakingV1beta1MsgBeginRedelegateResponse },
  "chain.staking.v1beta1.MsgUndelegate": { write: writeStakingV1beta1MsgUndelegate, read: readStakingV1beta1MsgUndelegate },
  "chain.staking.v1beta1.MsgUndelegateResponse": { write: writeStakingV1beta1MsgUndelegateResponse, read: readStakingV1beta1MsgUndelegateResponse },
  "chain.staking.v1beta1.MsgCancelUnbondingDelegation": { write: writeStakingV1beta1MsgCancelUnbondingDelegation, read: readStakingV1beta1MsgCancelUnbondingDelegation },
  "chain.staking.v1beta1.MsgCancelUnbondingDelegationResponse": { write: writeStakingV1beta1MsgCancelUnbondingDelegationResponse, read: readStakingV1beta1MsgCancelUnbondingDelegationResponse },
  "chain.staking.v1beta1.MsgUpdateParams": { write: writeStakingV1beta1MsgUpdateParams, read: readStakingV1beta1MsgUpdateParams },
  "chain.staking.v1beta1.MsgUpdateParamsResponse": { write: writeStakingV1beta1MsgUpdateParamsResponse, read: readStakingV1beta1MsgUpdateParamsResponse },
  "chain.tx.v1beta1.NamedBody": { write: writeTxV1beta1NamedBody, read: readTxV1beta1NamedBody },
  "chain.tx.v1beta1.NamedSigner": { write: writeTxV1beta1NamedSigner, read: readTxV1beta1NamedSigner },
  "chain.tx.v1beta1.NamedFee": { write: writeTxV1beta1NamedFee, read: readTxV1beta1NamedFee },
  "chain.tx.v1beta1.NamedAuth": { write: writeTxV1beta1NamedAuth, read: readTxV1beta1NamedAuth },
  "chain.tx.v1beta1.NamedTx": { write: writeTxV1beta1NamedTx, read: readTxV1beta1NamedTx },
  "chain.tx.v1beta1.TxMsgData": { write: writeTxV1beta1TxMsgData, read: readTxV1beta1TxMsgData },
  "chain.tx.v1beta1.TxBody": { write: writeTxV1beta1TxBody, read: readTxV1beta1TxBody },
  "chain.tx.v1beta1.Fee": { write: writeTxV1beta1Fee, read: readTxV1beta1Fee },
  "chain.tx.v1beta1.Tip": { write: writeTxV1beta1Tip, read: readTxV1beta1Tip },
  "chain.tx.v1beta1.TxRaw": { write: writeTxV1beta1TxRaw, read: readTxV1beta1TxRaw },
  "chain.tx.v1beta1.SignDoc": { write: writeTxV1beta1SignDoc, read: readTxV1beta1SignDoc },
  "chain.upgrade.v1beta1.Plan": { write: writeUpgradeV1beta1Plan, read: readUpgradeV1beta1Plan },
  "chain.upgrade.v1beta1.ModuleVersion": { write: writeUpgradeV1beta1ModuleVersion, read: readUpgradeV1beta1ModuleVersion },
  "chain.upgrade.v1beta1.SoftwareUpgradeProposal": { write: writeUpgradeV1beta1SoftwareUpgradeProposal, read: readUpgradeV1beta1SoftwareUpgradeProposal },
  "chain.upgrade.v1beta1.CancelSoftwareUpgradeProposal": { write: writeUpgradeV1beta1CancelSoftwareUpgradeProposal, read: readUpgradeV1beta1CancelSoftwareUpgradeProposal },
  "chain.upgrade.v1beta1.MsgSoftwareUpgrade": { write: writeUpgradeV1beta1MsgSoftwareUpgrade, read: readUpgradeV1beta1MsgSoftwareUpgrade },
  "chain.upgrade.v1beta1.MsgSoftwareUpgradeResponse": { write: writeUpgradeV1beta1MsgSoftwareUpgradeResponse, read: readUpgradeV1beta1MsgSoftwareUpgradeResponse },
  "chain.upgrade.v1beta1.MsgCancelUpgrade": { write: writeUpgradeV1beta1MsgCancelUpgrade, read: readUpgradeV1beta1MsgCancelUpgrade },
  "chain.upgrade.v1beta1.MsgCancelUpgradeResponse": { write: writeUpgradeV1beta1MsgCancelUpgradeResponse, read: readUpgradeV1beta1MsgCancelUpgradeResponse },
  "google.protobuf.StringValue": { write: writeProtobufStringValue, read: readProtobufStringValue },
  "google.protobuf.Int64Value": { write: writeProtobufInt64Value, read: readProtobufInt64Value },
};
