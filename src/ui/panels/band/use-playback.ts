import { useEffect, useLayoutEffect } from "react";
import { useActions, usePage } from "../../store/page.ts";
import { goTo, KINDS } from "../../store/route.ts";
import type { Beat, Story } from "../../store/types.ts";
import { isPhone } from "../../widgets/is-phone.ts";

/**
 * Elements that use arrow keys themselves. Elsewhere the story's keys take precedence over the
 * page's.
 */
const OWN_ARROWS =
  "input:not([type=checkbox]), textarea, select, [contenteditable], [role=slider], [role=dialog], [role=application]";

const TABS: Readonly<Record<string, "step" | "event" | "log" | "node">> = {
  why: "step",
  events: "event",
  logs: "log",
  node_log: "node",
};

/**
 * The previous and next actions of a story, also by arrow keys; while the page follows, it shows
 * each beat's subject.
 * @param hasPast true if the arrows belong to the shown past, even before its band has replaced the
 * story's
 */
export function usePlayback(story: Story, follows: boolean, hasPast = false) {
  const { goToBeat, beatAfter } = useActions();
  const { beat, beats, state } = story;
  const last = beats.length - 1;
  // A story that was opened and has not started is before its first beat.
  const waits = beats[beat]?.state === "pending";
  const next =
    state !== "running"
      ? undefined
      : waits
        ? () => goToBeat(beat, false)
        : () => {
            const from = beatAfter(beat);
            return goToBeat(Math.min(from + 1, last), from === last);
          };
  const back = beat > 0 ? () => goToBeat(Math.max(beatAfter(beat) - 1, 0), true) : undefined;
  useFollowing(story, follows);
  // If only the story uses the arrows, they make no block after its last sentence.
  useArrows(next ?? (hasPast ? undefined : () => {}), back, hasPast);
  return { next, back };
}

/** Shows the beat's subject: its view, the selection, the drawer's tab and the framed part. */
function useFollowing(story: Story, follows: boolean): void {
  const { dialog } = usePage();
  const beat: Beat | undefined = follows ? story.beats[story.beat] : undefined;
  const { view = "", drawer = "", highlight = "", selectionId: id = "" } = beat ?? {};
  const kind = KINDS.find((one) => one === beat?.selectionKind);
  const ofChain = beat?.selectionKind === "chain";
  // biome-ignore lint/correctness/useExhaustiveDependencies: each beat shows again what it is about
  useEffect(() => {
    // On a phone the selection would cover the drawer.
    const isCovered = highlight === "drawer" && isPhone();
    const selection = kind && id && !isCovered ? { kind, id } : undefined;
    if (view) goTo({ view, ...(selection || ofChain || isCovered ? { selection } : {}) });
    // By default the drawer is closed, which leaves room for the view.
    if (view) dialog.setState({ drawer: TABS[drawer] });
  }, [story.beat, view, kind, id, ofChain, drawer, highlight, dialog]);
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (highlight) dataset.highlight = highlight;
    return () => {
      delete dataset.highlight;
    };
  }, [highlight]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each beat brings it into sight again
  useEffect(() => (highlight ? scrolledIntoView(highlight) : undefined), [story.beat, highlight]);
}

/** Events with which the user scrolls the view. */
const OWN_SCROLLING = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/**
 * Scrolls to a part of the page as soon as it exists, and again while the content above it grows or
 * the view becomes lower, until the user scrolls. Returns a function that stops it.
 */
function scrolledIntoView(part: string): () => void {
  const input = new AbortController();
  const { signal } = input;
  const find = (): void => {
    const element = document.querySelector(`[data-part="${part}"]`);
    if (!element) return;
    coming.disconnect();
    const sizes = new ResizeObserver(() => {
      const chosen = element.querySelector(":is(article, details)[data-chosen]");
      (chosen ?? element).scrollIntoView({ block: "nearest" });
    });
    signal.addEventListener("abort", () => sizes.disconnect());
    const view = element.closest("#view");
    for (const one of [element, view, ...(view?.children ?? [])]) if (one) sizes.observe(one);
    for (const act of OWN_SCROLLING) view?.addEventListener(act, () => input.abort(), { signal });
  };
  const coming = new MutationObserver(find);
  coming.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener("abort", () => coming.disconnect());
  find();
  return () => input.abort();
}

type Way = (() => unknown) | undefined;

function useArrows(next: Way, back: Way, hasPast: boolean): void {
  const { frames } = usePage();
  // Set together with the render: between the page and the presenter a key would make a block.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const act = { ArrowRight: next, ArrowLeft: back }[event.key];
      if (!act || document.querySelector("[role=dialog]")) return;
      if ((event.target as Element).closest(OWN_ARROWS)) return;
      if (hasPast && frames.getState().travel) return;
      event.preventDefault();
      void act();
    };
    addEventListener("keydown", press, { capture: true });
    return () => removeEventListener("keydown", press, { capture: true });
  }, [next, back, hasPast, frames]);
}
