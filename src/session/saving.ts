/**
 * Whether what was done is on disk: `saving` while actions wait for it, `unsaved` where nothing can be
 * saved.
 */
export type SaveState = "saved" | "saving" | "unsaved";

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
  /** Old blocks are let go of, since they cannot be saved. */
  | "letting_go"
  /** The world came from the storage of an earlier version. */
  | "moved";

export type NoticeAction =
  /** Goes on from here; the notice is closed. */
  | "continue"
  /** Gives what was set aside, or the world where nothing was, as a file. */
  | "export"
  /** Begins a new world; this one stays in the list. */
  | "start_anew"
  /** Tries to save again. */
  | "retry";

/** What was found or went wrong, and what can be done about it. */
export interface Notice {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly text: string;
  readonly actions: readonly NoticeAction[];
}

/** How saving stands, as the page shows it. */
export interface Saving {
  readonly state: SaveState;
  /** Actions that are not on disk yet. */
  readonly pending: number;
  /** Oldest first; one leaves the list when it is answered. */
  readonly notices: readonly Notice[];
  /** Resolves when every action up to now is on disk, or when it is known that it cannot be written. */
  settled(): Promise<void>;
  /** Answers a notice. Resolves to the file that "export" gives. Rejects for an unknown notice or action. */
  answer(notice: string, action: NoticeAction): Promise<Uint8Array | undefined>;
}
