import { createStore } from "zustand/vanilla";

/** Position in the State view. */
export interface StatePosition {
  readonly world: string;
  /** Height of the block after which the state is shown. */
  readonly height: number;
  readonly store: string;
  /** In hex; empty: none is selected. */
  readonly key: string;
  /** Height to compare with; 0: none. */
  readonly before: number;
}

/** Last position in the State view, restored when the view is shown again. */
export const statePosition = createStore<{ readonly last: StatePosition | undefined }>(() => ({
  last: undefined,
}));

/** Shows a key in the State view. */
export const showKey = ({ world, height, store, key }: Omit<StatePosition, "before">): void =>
  statePosition.setState({ last: { world, height, store, key, before: 0 } });
