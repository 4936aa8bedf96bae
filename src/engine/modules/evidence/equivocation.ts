import { create, toBinary } from "@bufbuild/protobuf";
import { type Any, TimestampSchema } from "@bufbuild/protobuf/wkt";
import {
  type Equivocation as EquivocationMessage,
  EquivocationSchema,
} from "../../../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { packAny } from "../../framework/codec.ts";
import type { Misbehavior } from "../../framework/context.ts";
import { plainError } from "../../framework/errors.ts";
import { protoText } from "../../framework/proto-text.ts";
import { consAddress, fromConsAddress } from "../../primitives/bech32.ts";
import { EMPTY } from "../../primitives/bytes.ts";
import { sha256 } from "../../primitives/sha256.ts";
import {
  fromTimestamp,
  GO_ZERO_TIME,
  goTimeString,
  SECOND,
  type Time,
  toTimestamp,
} from "../../primitives/time.ts";
import type { EvidenceType, ValidatorEvidence } from "./types.ts";

export const ROUTE_EQUIVOCATION = "equivocation";

/** First second of the year 10000: from here on a Timestamp cannot be written. */
const END_OF_TIME = 253_402_300_800n * SECOND;

/** A validator signed twice at one height. Texts and bytes: evidence facts §1.2. */
export class Equivocation implements ValidatorEvidence {
  readonly message: EquivocationMessage;
  /** The time it carries; what Go calls the zero time if the message has none. */
  readonly time: Time;

  /** @throws if the time lies outside the years 1 to 9999 */
  constructor(message: EquivocationMessage) {
    this.time = message.time === undefined ? GO_ZERO_TIME : fromTimestamp(message.time);
    if (this.time < GO_ZERO_TIME || this.time >= END_OF_TIME) {
      throw plainError(`timestamp: seconds:${message.time?.seconds}: out of range`);
    }
    // The time is always on the wire, also when it was left out: it is part of the hash.
    this.message =
      message.time === undefined
        ? create(EquivocationSchema, { ...message, time: timestamp(this.time) })
        : message;
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

  /** What the consensus engine reports; its kind and the total power are dropped. */
  static fromMisbehavior(m: Misbehavior): Equivocation {
    return Equivocation.of(m.height, m.time, m.power, consAddress(m.address));
  }

  route(): string {
    return ROUTE_EQUIVOCATION;
  }
  type(): string {
    return ROUTE_EQUIVOCATION;
  }
  string(): string {
    return protoText(EquivocationSchema, this.message);
  }
  hash(): Uint8Array {
    return sha256(toBinary(EquivocationSchema, this.message));
  }
  pack(): Any {
    return packAny(EquivocationSchema, this.message);
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

/** As upstream, an address that cannot be read is silently none. */
export function addressOrEmpty(text: string): Uint8Array {
  try {
    return fromConsAddress(text);
  } catch {
    return EMPTY;
  }
}

const timestamp = (time: Time) => create(TimestampSchema, toTimestamp(time));
