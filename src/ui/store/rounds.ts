/**
 * The newest round in stages: the proposer, the prevotes, the precommits, the outcome. The engine
 * runs a round at once; if there is time between two rounds it is drawn step by step.
 */
import { createStore } from "zustand/vanilla";
import type { Round } from "./types.ts";

/** Drawing stages of a round. */
export const STAGE = { proposal: 0, prevotes: 1, precommits: 2, outcome: 3 } as const;
export type Stage = (typeof STAGE)[keyof typeof STAGE];

export interface DrawnRound {
  readonly height: number;
  readonly round: Round;
  /**
   * Durations in seconds of this round and the previous ones at this height; oldest first, a few.
   */
  readonly waited: readonly { readonly round: number; readonly seconds: number }[];
  readonly stage: Stage;
}

export interface RoundState {
  readonly drawn: DrawnRound | undefined;
}
/** Returns the proposer of the drawn round; undefined once its block is decided. */
export const proposerDrawn = ({ drawn }: RoundState): string | undefined =>
  drawn?.round.outcome === "decided" ? undefined : drawn?.round.proposer;

export const createRoundStore = () => createStore<RoundState>(() => ({ drawn: undefined }));
