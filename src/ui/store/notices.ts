import { create } from "zustand";
import type { Frame } from "./types.ts";

export interface Notice {
  readonly id: number;
  readonly text: string;
  /** What is being done is true only as long as it is. */
  readonly tone: "info" | "doing" | "error";
}

interface Notices {
  /** On screen until they fade or are dismissed. */
  readonly shown: readonly Notice[];
  /** The newest sentence for the live region. */
  readonly spoken: string;
}

const SHOWN_AT_ONCE = 3;
let ids = 0;

export const useNotices = create<Notices>(() => ({ shown: [], spoken: "" }));

/** Puts a sentence on the screen, to be dismissed by its id; an error stays until it is. */
export function notify(text: string, tone: Notice["tone"] = "info"): number {
  ids += 1;
  const notice = { id: ids, text, tone };
  useNotices.setState(({ shown }) => ({ shown: [...shown, notice].slice(-SHOWN_AT_ONCE) }));
  return notice.id;
}

/**
 * Takes off the screen what another world has made untrue, and what is being done when nothing is being
 * done any more, or nothing can be.
 */
export function forgetUntrue(
  before: Frame | undefined,
  { world, player, chainStatus }: Frame,
): void {
  const { shown } = useNotices.getState();
  const another = before !== undefined && before.world !== world;
  const doing = player?.busy && chainStatus?.state !== "halted";
  const left = shown.filter(({ tone }) =>
    tone === "doing" ? doing && !another : tone === "error" || !another,
  );
  if (left.length < shown.length) useNotices.setState({ shown: left });
}

/** Tells of changes in the world to those who do not see them. */
export const announce = (sentences: readonly string[]): void =>
  useNotices.setState({ spoken: sentences.join(" ") });

export function dismiss(id: number): void {
  useNotices.setState(({ shown }) => ({ shown: shown.filter((notice) => notice.id !== id) }));
}
