import { createStore, type StoreApi } from "zustand/vanilla";

export interface Notice {
  readonly id: number;
  readonly text: string;
  /** A notice of tone `doing` is shown only while the action runs. */
  readonly tone: "info" | "doing" | "error";
  readonly undo?: Undo | undefined;
  /** For a refusal: true if it was because the chain has halted. */
  readonly halted?: boolean | undefined;
  /** The hash of the transaction that it refers to. */
  readonly tx?: string | undefined;
}

/**
 * Restores the replaced world, unless it is on screen again; or an earlier state of the one on
 * screen.
 */
export interface Undo {
  /** Id under which the other world is saved; empty if it is the one on screen. */
  readonly world: string;
  /** True if the undo key does the same, as long as the world on screen has no further actions. */
  readonly byKey?: boolean;
  readonly take: () => unknown;
}

/** An optional action, which never starts automatically. */
export interface Offer {
  readonly text: string;
  readonly label: string;
  readonly take: () => void;
}

export interface Notices {
  /** On screen until it is accepted. */
  readonly offer?: Offer;
  /** On screen until they fade or are dismissed. */
  readonly shown: readonly Notice[];
  /** The newest sentence for the live region. */
  readonly spoken: string;
}

/** Reason why a world that another tab plays cannot be changed. */
export const WATCHED = globalThis.document?.documentElement.dataset.node
  ? "You watch this chain, and change nothing."
  : "Another tab plays this world. Open another world to change something here.";

const SHOWN_AT_ONCE = 3;
let ids = 0;

export const createNoticeStore = () => createStore<Notices>(() => ({ shown: [], spoken: "" }));

/**
 * Shows a sentence, which can be dismissed by its id; an error stays until then, or until it is
 * outdated.
 */
export function notify(
  notices: StoreApi<Notices>,
  text: string,
  tone: Notice["tone"] = "info",
  undo?: Undo,
  about?: Pick<Notice, "halted" | "tx">,
): number {
  ids += 1;
  const notice = { id: ids, text, tone, undo, ...about };
  // Results of earlier actions are outdated now.
  const still = (old: Notice): boolean =>
    old.halted === undefined ? tone !== "info" || old.tone !== "info" : tone !== "info" && !about;
  notices.setState(({ shown }) => ({
    shown: [...shown.filter(still), notice].slice(-SHOWN_AT_ONCE),
  }));
  return notice.id;
}

/** Reports a refused action; the reason of a halt is left to the band. */
export function refused(notices: StoreApi<Notices>, reason: string, tx?: string): void {
  const [before, halted] = reason.split("the chain is halted at");
  const short = `${before || "Not done: "}the chain has halted.`;
  const about = { halted: halted !== undefined, tx };
  notify(notices, about.halted ? short : reason, "error", undefined, about);
}

export function dismiss(notices: StoreApi<Notices>, id: number): void {
  notices.setState(({ shown }) => ({ shown: shown.filter((notice) => notice.id !== id) }));
}
