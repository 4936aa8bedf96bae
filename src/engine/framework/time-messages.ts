/** Converts times and durations, in nanoseconds, to and from protobuf's messages. */
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
  isTimestamp,
  SECOND,
  type Time,
  timestampError,
  toTimestamp,
} from "../../base/time.ts";
import { Panic, plainError } from "./errors.ts";

export const timestamp = (time: Time): Timestamp => create(TimestampSchema, toTimestamp(time));

/**
 * Returns the time of a block plus a duration, to be written to a module's state. If it is out of
 * range of a Timestamp, throws the error that `refused` creates from the text: by default a panic,
 * as in the SDK's codec (rules/consensus 5.7).
 */
export function timeAfter(
  time: Time,
  duration: Duration,
  refused: (text: string) => Error = (text) => new Panic(text),
): Time {
  const end = time + duration;
  if (!isTimestamp(end)) throw refused(timestampError(end));
  return end;
}

/**
 * Returns the error of a module that writes through collections for a value that cannot be encoded.
 */
export const encodingError = (text: string): Error =>
  plainError(`collections: encoding error: value encode: ${text}`);

/** Time of a message; the epoch if absent. */
export const timeOf = (message: Timestamp | undefined): Time =>
  message === undefined ? 0n : fromTimestamp(message);

/** Unlike in a timestamp, the two parts have the same sign. */
export const durationMessage = (duration: Duration): DurationMessage =>
  create(DurationSchema, { seconds: duration / SECOND, nanos: Number(duration % SECOND) });

/** Duration of a message; 0 if absent. */
export const durationOf = (message: DurationMessage | undefined): Duration =>
  message === undefined ? 0n : fromTimestamp(message);
