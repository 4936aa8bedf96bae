/**
 * Save state of the actions: `saving` while some are not on disk yet, `unsaved` where nothing can
 * be saved, `opening` while a saved world is being restored.
 */
export type SaveState = "saved" | "saving" | "unsaved" | "opening";

export type NoticeKind =
  /** A record of the world was damaged, missing, foreign or too new. */
  | "damaged"
  /** The app hash of a restored world differs from its stored one. */
  | "mismatch"
  /** The storage was cleared or evicted while the world was played. */
  | "cleared"
  | "full"
  /** The storage cannot be used at all. */
  | "unavailable"
  /** A world that is no longer played is not completely saved. */
  | "left"
  /** The storage failed while a world was opened. */
  | "unopened"
  /** The world that a tab watched was deleted by the one that played it. */
  | "deleted"
  /** Old blocks are evicted, since they cannot be saved. */
  | "letting_go"
  /** The world as it was before a rewind is saved as another. */
  | "kept_aside"
  /** The world came from the storage of an earlier version. */
  | "moved";

export type NoticeAction =
  /** Continues from here; the notice is closed. */
  | "continue"
  /** Exports the world as a file, with its quarantined records. */
  | "export"
  /** Creates a new world; this one stays in the list. */
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

/** A file with the saved data of a world, and its file name. */
export interface ExportedWorld {
  readonly name: string;
  readonly content: Uint8Array;
}

/** The save state that the page shows. */
export interface Saving {
  readonly state: SaveState;
  /** Reason of the last failure to save; undefined if it succeeded. */
  readonly failure: NoticeKind | undefined;
  /** Actions that are not on disk yet. */
  readonly pending: number;
  /** Oldest first; a notice is removed when it is answered. */
  readonly notices: readonly Notice[];
  /** Resolves when every action up to now is on disk, or cannot be written. */
  settled(): Promise<void>;
  /**
   * Answers a notice. Resolves to the file for "export". Rejects for an unknown notice or action,
   * and if a retry fails again.
   */
  answer(notice: string, action: NoticeAction): Promise<ExportedWorld | undefined>;
}
