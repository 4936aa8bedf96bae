import { createStore } from "zustand/vanilla";

/** What the State view is about. */
export interface StatePlace {
  readonly world: string;
  /** After which block. */
  readonly height: number;
  readonly store: string;
  /** In hex; empty: none is chosen. */
  readonly key: string;
  /** What it is compared with; 0: with nothing. */
  readonly before: number;
}

/** Where a person is in the State view, or was, for when it is shown again. */
export const statePlace = createStore<{ readonly left: StatePlace | undefined }>(() => ({
  left: undefined,
}));

/** Has the State view show a key. */
export const showKey = ({ world, height, store, key }: Omit<StatePlace, "before">): void =>
  statePlace.setState({ left: { world, height, store, key, before: 0 } });
