import { create } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { consAddress, fromConsAddress } from "../../../base/bech32.ts";
import { EMPTY } from "../../../base/bytes.ts";
import {
  fromTimestamp,
  GO_ZERO_TIME,
  goTimeString,
  isTimestamp,
  SECOND,
  type Time,
  toTimestamp,
} from "../../../base/time.ts";
import {
  type Equivocation as EquivocationMessage,
  EquivocationSchema,
} from "../../../gen/chain/evidence/v1beta1/evidence_pb.ts";
import type { Misbehavior } from "../../framework/context.ts";
import { plainError } from "../../framework/errors.ts";
import { messageEvidence } from "./message-evidence.ts";
import type { EvidenceType, ValidatorEvidence } from "./types.ts";

export const ROUTE_EQUIVOCATION = "equivocation";

/** A double sign of a validator at one height (rules/evidence 1.2, 1.3). */
export class Equivocation
  extends messageEvidence(EquivocationSchema, ROUTE_EQUIVOCATION)
  implements ValidatorEvidence
{
  /** Time in the message; Go's zero time if absent. */
  readonly time: Time;

  /** @throws if the time is outside the years 1 to 9999 */
  constructor(message: EquivocationMessage) {
    const time = message.time === undefined ? GO_ZERO_TIME : fromTimestamp(message.time);
    // The time is always encoded, even if it was omitted: it is part of the hash.
    super(
      message.time === undefined
        ? create(EquivocationSchema, { ...message, time: timestamp(time) })
        : message,
    );
    this.time = time;
    if (!isTimestamp(time) || toTimestamp(time).nanos !== (message.time?.nanos ?? 0)) {
      throw plainError(`timestamp: seconds:${message.time?.seconds}: out of range`);
    }
  }

  static of(height: number, time: Time, power: number, consensusAddress: string): Equivocation {
    return new Equivocation(
      create(EquivocationSchema, {
        height: BigInt(height),
        time: timestamp(time),
        power: BigInt(power),
        consensusAddress,
      }),
    );
  }

  /** Converts a report of the consensus engine; its kind and the total power are dropped. */
  static fromMisbehavior(m: Misbehavior): Equivocation {
    return Equivocation.of(m.height, m.time, m.power, consAddress(m.address));
  }

  getHeight(): bigint {
    return this.message.height;
  }
  getValidatorPower(): bigint {
    return this.message.power;
  }
  getTotalPower(): bigint {
    return 0n;
  }
  getConsensusAddress(): Uint8Array {
    return addressOrEmpty(this.message.consensusAddress);
  }

  validateBasic(): void {
    const { height, power, consensusAddress } = this.message;
    if (this.time < SECOND) {
      throw plainError(`invalid equivocation time: ${goTimeString(this.time)}`);
    }
    if (height < 1n) throw plainError(`invalid equivocation height: ${height}`);
    if (power < 1n) throw plainError(`invalid equivocation validator power: ${power}`);
    if (consensusAddress === "") {
      throw plainError("invalid equivocation validator consensus address: ");
    }
  }
}

export const equivocationType: EvidenceType<typeof EquivocationSchema> = {
  schema: EquivocationSchema,
  from: (message) => new Equivocation(message),
};

/** Parses a consensus address; empty, as upstream, if it is invalid. */
export function addressOrEmpty(text: string): Uint8Array {
  try {
    return fromConsAddress(text);
  } catch {
    return EMPTY;
  }
}

const timestamp = (time: Time) => create(TimestampSchema, toTimestamp(time));
