import type { WorldSpec } from "../engine/simulation/genesis/world-spec.ts";
import type { WatchedProperty } from "../scenario/properties/watch.ts";
import type { Offence } from "../scenario/step-context.ts";
import type { Namespace } from "../view/namespaces.ts";

/** The initial state of a world; with its journal it determines everything else. Never changes. */
export interface WorldGenesis {
  readonly spec: WorldSpec;
  /** The scenario file that the world came from and its name; empty if there is none. */
  readonly text: string;
  readonly file: string;
}

/** A moment in the history of a world. */
export interface Position {
  /** Consensus rounds run since genesis. */
  readonly rounds: number;
  /** Commands issued since genesis: entries of the journal. */
  readonly entries: number;
}

/** Start position of a beat, and the progress of the file's properties there. */
export interface BeatStart extends Position {
  readonly watched?: readonly WatchedProperty[];
}

/** Position at which a step began. */
export interface StepStart extends Position {
  /** Namespace under which it queues transactions; absent in saves of earlier versions. */
  readonly namespace?: Namespace;
}

/** The playing state of a world: all state of a session that spec and journal do not contain. */
export interface SavedPlay {
  readonly rounds: number;
  readonly playing: boolean;
  readonly speed: number;
  /** Requested single blocks that are still to be made. */
  readonly blocks: number;
  /** The running step is waiting for `play`. */
  readonly held: boolean;
  /** Start of the running step: the replay ends here, then the step runs again. */
  readonly began?: StepStart;
  /** Named results of steps: the value, and the hash of its evidence if known. */
  readonly results: readonly SavedResult[];
  /** Absent for a world without a scenario file. */
  readonly story?: SavedStory;
  /** Steps in JSON that are running or waiting, beside the story's. */
  readonly steps: readonly string[];
}

export interface SavedResult {
  readonly name: string;
  readonly value?: string;
  readonly evidence?: string;
  /** Identifies the offence that the evidence proves; finds the evidence once it is stored. */
  readonly offence?: Offence;
}

export type StoryState = "none" | "running" | "passed" | "failed";

export interface SavedStory {
  readonly state: StoryState;
  /** Position of the step that runs or ran last. */
  readonly current: number;
  /** Message of the failed step; empty if none failed. */
  readonly message: string;
  /** True if the world is between two beats; `current` is then the next step. */
  readonly resting?: boolean;
  readonly autoplay?: boolean;
  readonly speed?: number;
  /** Start positions of the beats that have begun; -1 where none was recorded. */
  readonly starts?: readonly BeatStart[];
  /** Progress of the file's properties. */
  readonly watched?: readonly WatchedProperty[];
  /**
   * Commands up to the end of the last beat; absent before the first, and if it was not recorded.
   */
  readonly told?: number;
  /** Commands up to the last manual one before the last beat; absent if there is none. */
  readonly own?: number;
  /** Number of the file's steps in the world's scenario; absent if it has all of them. */
  readonly until?: number;
}

/** A moment to which a world is rewound, and how it was played then. */
export interface RewindTarget extends Position {
  readonly story: SavedStory;
  readonly results: readonly SavedResult[];
}

/** The parent world of a branch, which may be deleted, and the last height that both share. */
export interface Parent {
  readonly world: string;
  readonly height: number;
}

/**
 * The state that is written with every save of a world, in the same transaction as the journal
 * entries that it counts.
 */
export interface Head extends SavedPlay {
  /** Increases with every save. */
  readonly seq: number;
  readonly name: string;
  /** Branch point; absent unless the world is a branch. */
  readonly parent?: Parent;
  /** A person's note about the world; absent if there is none. */
  readonly note?: string;
  /** True if a value was changed by hand in the world; absent if none was. */
  readonly impossible?: boolean;
  readonly createdMs: number;
  readonly savedMs: number;
  /** Number of entries of the journal, and the hash over the genesis and all of them. */
  readonly entries: number;
  readonly chain: Uint8Array;
  /** Hash of the genesis. */
  readonly beginning: Uint8Array;
  /** Height after `rounds`. */
  readonly height: number;
  readonly appHash: Uint8Array;
  /** Bytes of the journal's entries. */
  readonly bytes: number;
}
