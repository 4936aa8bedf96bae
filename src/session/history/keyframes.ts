import * as v from "valibot";
import type { Pack } from "../../engine/simulation/keyframe/keyframe-pack.ts";
import type { Position } from "../saved.ts";
import { decode, encode } from "./codec.ts";
import type { KeyframeKey, TreesKey } from "./keys.ts";
import { type Damage, frameRecord, RECORD, readRecord } from "./record.ts";

/** The state of a whole world at a moment. A cache: genesis and journal reproduce it. */
export interface Keyframe extends Position {
  /** The build that made it; no other build can read it. */
  readonly build: string;
  /** Hash over the genesis and the journal's entries up to this position. */
  readonly chain: Uint8Array;
  /** The simulation's state and the observer's. */
  readonly simulation: Uint8Array;
  readonly observer: Uint8Array;
}

/** A keyframe with the tree nodes that it shares with others. */
export interface CompleteKeyframe extends Pick<Keyframe, "simulation" | "observer"> {
  readonly pack: Pack | undefined;
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const schema: v.GenericSchema<unknown, Keyframe> = v.object({
  build: v.string(),
  rounds: count,
  entries: count,
  chain: v.instance(Uint8Array),
  simulation: v.instance(Uint8Array),
  observer: v.instance(Uint8Array),
});

export const keyframeRecord = (keyframe: Keyframe): Uint8Array =>
  frameRecord(RECORD.keyframe, encode(keyframe));

export function readKeyframeRecord(
  { key, rounds, entries }: KeyframeKey,
  record: Uint8Array | undefined,
): { readonly keyframe: Keyframe } | { readonly damage: Damage } {
  const read = readRecord(RECORD.keyframe, key, record);
  if ("damage" in read) return read;
  try {
    const keyframe = v.parse(schema, decode(read.payload));
    if (keyframe.rounds === rounds && keyframe.entries === entries) return { keyframe };
  } catch {
    // Reported as invalid content.
  }
  return { damage: { kind: "damaged", key } };
}

/**
 * An action costs as much as this many quiet rounds of 100 validators: a delegation takes 60 µs of
 * processor time, a round 7.
 */
const ROUNDS_PER_ENTRY = 8;

/** The work of replaying a world up to a position, in quiet rounds. */
export const workUpTo = ({ rounds, entries }: Position): number =>
  rounds + ROUNDS_PER_ENTRY * entries;

/** Newest keyframes that are never removed. */
const NEWEST = 3;
/** Work between two stored keyframes: a seek replays half of it on average. */
const SPACING = 1024;
/** Maximum bytes of a world's keyframes, with their trees; a longer world has fewer of them. */
const MOST_BYTES = 192 << 20;

/**
 * The keyframes to remove. One is stored per `SPACING` of work, which doubles as long as they take
 * too many bytes, so that any moment is reached with little replay; and one for each doubling of
 * the distance from the end.
 * @param keyframes ascending
 * @param trees that some of them need
 */
export function superfluous(
  keyframes: readonly KeyframeKey[],
  trees: readonly TreesKey[] = [],
  most = MOST_BYTES,
): readonly KeyframeKey[] {
  const end = workToLast(keyframes);
  for (let spacing = SPACING; ; spacing *= 2) {
    const removed = new Set(between(keyframes, spacing));
    const rest = keyframes.filter((one) => !removed.has(one));
    const all = [...rest, ...needed(trees, rest)];
    const bytes = all.reduce((sum, one) => sum + one.bytes, 0);
    if (bytes <= most || spacing > end) return [...removed];
  }
}

/** The trees that some keyframes need. */
export function needed(
  trees: readonly TreesKey[],
  keyframes: readonly KeyframeKey[],
): readonly TreesKey[] {
  const rounds = new Set(keyframes.map((keyframe) => keyframe.trees));
  return trees.filter((one) => rounds.has(one.rounds));
}

const workToLast = (keyframes: readonly KeyframeKey[]): number => {
  const last = keyframes.at(-1);
  return last ? workUpTo(last) : 0;
};

/** Older keyframes that are neither the first of their spacing nor of a doubling. */
function between(keyframes: readonly KeyframeKey[], spacing: number): readonly KeyframeKey[] {
  const end = workToLast(keyframes);
  let doublingsBefore = -1;
  let placeBefore = -1;
  return keyframes.slice(0, -NEWEST).filter((keyframe) => {
    const work = workUpTo(keyframe);
    const doublings = Math.floor(Math.log2(Math.max(end - work, 1)));
    const place = Math.floor(work / spacing);
    const isFirst = doublings !== doublingsBefore || place !== placeBefore;
    doublingsBefore = doublings;
    placeBefore = place;
    return !isFirst;
  });
}
