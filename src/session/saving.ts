/**
 * Save state of the actions: `saving` while some are not on disk yet, `unsaved` where nothing can
 * be saved, `opening` while a saved world is being restored.
 */
export type SaveState = "saved" | "saving" | "unsaved" | "opening";

export type NoticeKind =
  /** A record of the world was damaged, missing, foreign or too new. */
  | "damaged"
  /** A restored world did not come to its stored app hash. */
  | "mismatch"
  /** The storage was cleared or evicted while the world was played. */
  | "cleared"
  /** The storage is full. */
  | "full"
  /** The storage cannot be used at all. */
  | "unavailable"
  /** A world that another has taken the place of is not all saved. */
  | "left"
  /** The storage failed while a world was opened. */
  | "unopened"
  /** The world that a tab watched was deleted by the one that played it. */
  | "deleted"
  /** Old blocks are let go of, since they cannot be saved. */
  | "letting_go"
  /** The world as it was before it went back is kept as another. */
  | "kept_aside"
  /** The world came from the storage of an earlier version. */
  | "moved";

export type NoticeAction =
  /** Continues from here; the notice is closed. */
  | "continue"
  /** Gives the world as a file, with what was set aside of it. */
  | "export"
  /** Begins a new world; this one stays in the list. */
  | "start_anew"
  /** Tries to save again, or to open the world again. */
  | "retry";

/** A problem, with the actions that the user can take. */
export interface Notice {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly text: string;
  readonly actions: readonly NoticeAction[];
}

/** A file with what is saved of a world, and the name that it is to have. */
export interface ExportedWorld {
  readonly name: string;
  readonly content: Uint8Array;
}

/** The save state that the page shows. */
export interface Saving {
  readonly state: SaveState;
  /** Why the last save failed; undefined unless it did. */
  readonly failure: NoticeKind | undefined;
  /** Actions that are not on disk yet. */
  readonly pending: number;
  /** Oldest first; one leaves the list when it is answered. */
  readonly notices: readonly Notice[];
  /** Resolves when every action up to now is on disk, or when it is known that it cannot be written. */
  settled(): Promise<void>;
  /**
   * Answers a notice. Resolves to the file that "export" gives. Rejects for an unknown notice or action, and
   * when what is tried again fails again.
   */
  answer(notice: string, action: NoticeAction): Promise<ExportedWorld | undefined>;
}
