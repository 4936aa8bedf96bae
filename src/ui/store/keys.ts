/**
 * The keys of the page. They never fire while a person types, nor while a dialog is open. A part of the page, which is
 * tried again like any other that could not be loaded.
 */
import { useEffect } from "react";
import { VIEWS } from "../views/views.ts";
import { earlyKeys } from "./early-keys.ts";
import { WATCHED } from "./notices.ts";
import { type Page, usePage } from "./page.ts";
import { goTo, read } from "./route.ts";

/** Keys that only look at a world, or open another. */
const LOOKING = /^([lpstw?/1-9]|Escape)$/;

export const keyActions = ({ actions }: Page): Readonly<Record<string, () => void>> => ({
  " ": actions.togglePlay,
  ArrowRight: () => actions.stepBlocks(1),
  "Shift+ArrowRight": () => actions.stepBlocks(10),
  d: () => actions.openDialog("double-sign", selectedNode()),
  f: () => actions.openDialog("faults", selectedNode()),
  u: () => actions.openDialog("upgrade"),
  r: () => actions.openDialog("run-until"),
  s: () => actions.openDialog("stories"),
  w: () => actions.openDialog("worlds"),
  p: () => goTo({ presenting: !read().presenting }),
  t: () => void import("./theme.ts").then(({ nextTheme }) => actions.notify(nextTheme())),
  "?": () => actions.openDialog("help"),
  Escape: () => goTo(read().presenting ? { presenting: false } : { selection: undefined }),
  l: () => actions.openDialog("share"),
  "/": () => actions.openDialog("palette"),
  ...Object.fromEntries(VIEWS.map(({ name }, i) => [i + 1, () => goTo({ view: name })])),
});

/** What has its own use for a key: fields, and for Space and arrows whatever can be pressed or moved. */
const TYPING = "input, textarea, select, [contenteditable], [role=slider]";
const PRESSABLE = `${TYPING}, button, summary`;

export default function Keys(): undefined {
  const page = usePage();
  useEffect(() => listenForKeys(page), [page]);
}

/** Listens until the returned function is called. */
export function listenForKeys(page: Page): () => void {
  const actions = keyActions(page);
  /** There is no button to be grey: what it would say is said once. */
  const refuse = (): void => {
    if (page.notices.getState().shown.some(({ text }) => text === WATCHED)) return;
    page.actions.notify(WATCHED, "error");
  };
  /** What the pointer has pressed has the focus, and no use for Space; what is reached by keys has. */
  let clicked: Element | null = null;
  const until = new AbortController();
  const { signal } = until;
  addEventListener(
    "focusin",
    () => {
      clicked = null;
    },
    { signal },
  );
  addEventListener(
    "click",
    ({ detail, target }) => {
      clicked = detail > 0 ? (target as Element).closest("button, summary") : null;
    },
    { signal },
  );
  const press = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (page.dialog.getState().name) return;
    const target = event.target as Element;
    const user = target.closest(event.key === " " ? PRESSABLE : TYPING);
    if (user && user !== clicked) return;
    const shift = event.shiftKey && event.key.length > 1 ? "Shift+" : "";
    const action = actions[shift + event.key];
    if (!action) return;
    // What the browser closes with it, it closes too.
    if (event.key !== "Escape") event.preventDefault();
    const watching = page.frames.getState().frame?.player?.kept?.role === "watching";
    if (watching && !LOOKING.test(event.key)) refuse();
    else action();
  };
  addEventListener("keydown", press, { signal });
  earlyKeys().forEach(press);
  return () => until.abort();
}

function selectedNode(): string {
  const { selection } = read();
  return selection?.kind === "node" ? selection.id : "";
}
