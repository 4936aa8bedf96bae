import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import type { Context } from "../../framework/context.ts";

export const MODULE_NAME = "evidence";
/** Name under which the module writes to a node's log. */
export const LOG_MODULE = "x/evidence";

/** Interface of every concrete evidence type (rules/evidence 1.1). */
export interface Evidence {
  /** Key by which the Router finds the handler. */
  route(): string;
  type(): string;
  string(): string;
  /** Identity: SHA-256 of the protobuf bytes, 32 bytes. Storage and lookup key. */
  hash(): Uint8Array;
  /** Throws with the reason if the evidence is invalid regardless of the state. */
  validateBasic(): void;
  /** Height of the infraction: an int64 as submitted, so that texts can repeat it. */
  getHeight(): bigint;
  /** Protobuf message, packed as in transactions and the store. */
  pack(): Any;
}

export interface ValidatorEvidence extends Evidence {
  /** Consensus address at the time of the infraction; empty if the text is not an address. */
  getConsensusAddress(): Uint8Array;
  /** Power of the validator at the time of the infraction. */
  getValidatorPower(): bigint;
  /** Total power of the validator set at that time; 0 if the type does not contain it. */
  getTotalPower(): bigint;
}

/** Handles one evidence type completely; throws the reason if the evidence is not valid. */
export type Handler = (ctx: Context, evidence: Evidence) => void;

/** A concrete evidence type in the codec registry. */
export interface EvidenceType<D extends DescMessage = DescMessage> {
  readonly schema: D;
  /** Throws if the message is not valid evidence of this type. */
  from(message: MessageShape<D>): Evidence;
}

/** An evidence type from outside the module, with its route and handler (rules/evidence 1.6). */
export interface EvidenceRegistration {
  readonly type: EvidenceType;
  /** Route of its evidence. The handler is registered if the chain has this route. */
  readonly route: string;
  readonly handler: Handler;
}
