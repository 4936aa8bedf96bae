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
  isTimestamp,
  SECOND,
  type Time,
  timestampError,
  toTimestamp,
} from "../primitives/time.ts";
import { Panic, plainError } from "./errors.ts";

export const timestamp = (time: Time): Timestamp => create(TimestampSchema, toTimestamp(time));

/**
 * The moment a duration after a block, which a module writes to its state. Throws what `refused` makes of the text
 * if no Timestamp can hold it: by default a panic, as the SDK's codec has it (rules/consensus 5.7).
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

/** The time in a message; the epoch if it has none. */
export const timeOf = (message: Timestamp | undefined): Time =>
  message === undefined ? 0n : fromTimestamp(message);

/** Unlike a timestamp's, the two parts have the same sign. */
export const durationMessage = (duration: Duration): DurationMessage =>
  create(DurationSchema, { seconds: duration / SECOND, nanos: Number(duration % SECOND) });

/** The duration in a message; 0 if it has none. */
export const durationOf = (message: DurationMessage | undefined): Duration =>
  message === undefined ? 0n : fromTimestamp(message);
