/** Times and durations of the engine, in nanoseconds, as the messages that protobuf has for them. */
import { create } from "@bufbuild/protobuf";
import {
  type Duration as DurationMessage,
  DurationSchema,
  type Timestamp,
  TimestampSchema,
} from "@bufbuild/protobuf/wkt";
import {
  type Duration,
  fromTimestamp,
  SECOND,
  type Time,
  toTimestamp,
} from "../primitives/time.ts";

export const timestamp = (time: Time): Timestamp => create(TimestampSchema, toTimestamp(time));

/** The time in a message; the epoch if it has none. */
export const timeOf = (message: Timestamp | undefined): Time =>
  message === undefined ? 0n : fromTimestamp(message);

/** Unlike a timestamp's, the two parts have the same sign. */
export const durationMessage = (duration: Duration): DurationMessage =>
  create(DurationSchema, { seconds: duration / SECOND, nanos: Number(duration % SECOND) });

/** The duration in a message; 0 if it has none. */
export const durationOf = (message: DurationMessage | undefined): Duration =>
  message === undefined ? 0n : fromTimestamp(message);
