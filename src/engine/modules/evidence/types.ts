import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import type { Context } from "../../framework/context.ts";

export const MODULE_NAME = "evidence";
/** Name under which the module writes to a node's log. */
export const LOG_MODULE = "x/evidence";

/** Interface of every concrete evidence type (rules/evidence 1.1). */
export interface Evidence {
  /** Key by which the Router finds the Handler. */
  route(): string;
  type(): string;
  string(): string;
  /** Identity: SHA-256 of the protobuf bytes, 32 bytes. Storage and lookup key. */
  hash(): Uint8Array;
  /** Throws with the reason if the evidence cannot be right, whatever the state. */
  validateBasic(): void;
  /** Height at which the infraction occurred: an int64 as submitted, so that texts can repeat it. */
  getHeight(): bigint;
  /** The protobuf message, packed as transactions and the store carry it. */
  pack(): Any;
}

/** Evidence against a validator. */
export interface ValidatorEvidence extends Evidence {
  /** Consensus address at the time of the infraction; empty if the text in it is no address. */
  getConsensusAddress(): Uint8Array;
  /** Total power of that validator at the time of the infraction. */
  getValidatorPower(): bigint;
  /** Total power of the validator set then; 0 where the type does not carry it. */
  getTotalPower(): bigint;
}

/** Handles one evidence type completely; throws the reason if the evidence is not valid. */
export type Handler = (ctx: Context, evidence: Evidence) => void;

/** A concrete evidence type as the codec registry knows it. */
export interface EvidenceType<D extends DescMessage = DescMessage> {
  readonly schema: D;
  /** Throws if the message cannot be this evidence at all. */
  from(message: MessageShape<D>): Evidence;
}

/** An evidence type from outside the module, with its route and Handler (rules/evidence 1.6). */
export interface EvidenceRegistration {
  readonly type: EvidenceType;
  /** The route of its evidence. The Handler is registered if the chain has this route. */
  readonly route: string;
  readonly handler: Handler;
}
