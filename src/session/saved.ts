import type { JournalEntry } from "../engine/simulation/command.ts";
import type { WorldSpec } from "../engine/simulation/genesis/world-spec.ts";
import type { StoryState } from "./story.ts";

/** A saved session: plain data that survives a structured clone. */
export interface SavedSession {
  readonly spec: WorldSpec;
  /** Append-only within a world. */
  readonly journal: readonly JournalEntry[];
  /** Consensus rounds run since genesis. */
  readonly rounds: number;
  readonly playing: boolean;
  readonly speed: number;
  /** The running step is waiting for `play`. */
  readonly held: boolean;
  /** Where the running step began: replay goes to here, then the step runs again. */
  readonly began?: { readonly rounds: number; readonly journal: number };
  /** Named results of steps: the value, and the hash of its evidence if known. */
  readonly results: readonly SavedResult[];
  readonly story?: SavedStory;
  /** Steps in JSON that are running or waiting, beside the story's. */
  readonly steps: readonly string[];
}

export interface SavedResult {
  readonly name: string;
  readonly value?: string;
  readonly evidence?: string;
}

export interface SavedStory {
  /** The scenario file. */
  readonly text: string;
  readonly file: string;
  readonly state: StoryState;
  /** Position of the step that runs or ran last. */
  readonly current: number;
  /** Message of the failed step; empty if none failed. */
  readonly message: string;
}
