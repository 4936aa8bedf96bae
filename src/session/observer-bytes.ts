/**
 * Serializes the recordings of an observer into a keyframe, with as few bytes per activity as
 * possible.
 */

import type { Activity } from "../gen/lab/v1/lab_plain.ts";
import { textOf } from "../view/lab/frame/activity.ts";
import type { Observer, ObserverState } from "../view/lab/frame/observer.ts";
import { decode, encode } from "./history/codec.ts";

/** An activity: its text is stored only if it does not follow from its parts. */
type StoredActivity = readonly [
  seq: number,
  height: number,
  kind: string,
  where: string,
  module: string,
  outcome: string,
  what: string,
  found: string,
  ...text: string[],
];

type StoredObserver = Omit<ObserverState, "activity"> & {
  readonly activity: readonly StoredActivity[];
};

export function observerBytes(observer: Observer): Uint8Array {
  const { activity, ...state } = observer.state();
  return encode({ ...state, activity: activity.map(storedActivity) });
}

/** Throws where the bytes are damaged. */
export function observerState(bytes: Uint8Array): ObserverState {
  const { activity, ...state } = decode(bytes) as StoredObserver;
  return { ...state, activity: activity.map(activityOf) };
}

function storedActivity(activity: Activity): StoredActivity {
  const { seq, height, kind, where, module, text, outcome, what, found } = activity;
  const parts = [seq, height, kind, where, module, outcome, what, found] as const;
  return text === textOf(activity) ? parts : [...parts, text];
}

/** An activity with its fields in the observer's order. */
function activityOf(stored: StoredActivity): Activity {
  const [seq, height, kind, where, module, outcome, what, found, said] = stored;
  const text = said ?? textOf({ kind, what, found });
  return { seq, height, kind, where, module, text, outcome, what, found };
}
