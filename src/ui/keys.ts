/**
 * Keyboard shortcuts of the page. They never fire while the user types or a dialog is open. A
 * lazily loaded part, retried like any other.
 */
import { useEffect } from "react";
import { DRAWER_TABS, foldDrawer } from "./store/drawer-tabs.ts";
import { earlyKeys } from "./store/early-keys.ts";
import type { FrameState } from "./store/frame-store.ts";
import { nextMark } from "./store/next-mark.ts";
import { WATCHED } from "./store/notices.ts";
import { type Page, usePage } from "./store/page.ts";
import { goTo, read } from "./store/route.ts";
import { arrive, goLive, shownHeight, travelBy, travelTo } from "./store/travel.ts";
import { beginTyping, typeAhead } from "./store/typed-ahead.ts";
import { redo, undo } from "./store/undo.ts";
import { VIEWS } from "./views/views.ts";
import { LEFT_OUT_URL, RULES } from "./widgets/rule-texts.ts";

/** Keys that only look at a world, or open another. */
const LOOKING = /^([cCeklmopRstvwyzZADELOST?/1-9[\]]|Escape|ArrowLeft|Home|End)$/;

/** Actions by key; an action on the chain runs in a branch while the past is shown. */
export const keyActions = (
  page: Page,
  { actions, actions: { inBranch } }: Page = page,
): Readonly<Record<string, () => void>> => ({
  " ": () => inBranch(() => togglePlay(page)),
  ArrowRight: () => onward(page, 1),
  "Shift+ArrowRight": () => onward(page, 10),
  ArrowLeft: () => travelBy(page, -1),
  "Shift+ArrowLeft": () => travelBy(page, -10),
  Home: () => travelTo(page, 0),
  End: () => goLive(page),
  "[": () => toMark(page, -1),
  "]": () => toMark(page, 1),
  z: () => void undo(page).catch(actions.report),
  Z: () => void redo(page),
  d: () => inBranch(() => actions.openDialog("double-sign", selectedNode())),
  f: () => actions.openDialog("fork"),
  i: () => inBranch(() => actions.openDialog("faults", selectedNode())),
  u: () => inBranch(() => actions.openDialog("upgrade")),
  q: () => inBranch(() => actions.openDialog("text-proposal")),
  b: () => toProposal(page),
  g: () => inBranch(() => actions.openDialog("stake", stakedValidator(page))),
  x: () => inBranch(actions.stopSteps),
  c: () => actions.openDialog("own-chain"),
  C: () => void import("./store/new-worlds.ts").then(({ beginAnew }) => beginAnew(page)),
  o: () => actions.openDialog("otherwise"),
  v: () =>
    void import("./panels/compare/open.ts").then(({ compareWith }) => compareWith(page, undefined)),
  h: () => void import("./views/documents.ts").then(({ showDocument }) => showDocument("lab")),
  e: () => void import("./views/documents.ts").then(({ showDocument }) => showDocument("scenario")),
  R: () => void import("./panels/scenario/open.ts").then(({ recordWorld }) => recordWorld(page)),
  k: () => open(`${RULES}index.html`, "_blank", "noreferrer"),
  m: () => open(LEFT_OUT_URL, "_blank", "noreferrer"),
  r: () => inBranch(() => actions.openDialog("run-until")),
  s: () => actions.openDialog("stories"),
  w: () => actions.openDialog("worlds"),
  p: () => goTo({ presenting: !read().presenting }),
  t: () => void import("./store/theme.ts").then(({ nextTheme }) => actions.notify(nextTheme())),
  "?": () => actions.openDialog("help"),
  Escape: () => goTo(read().presenting ? { presenting: false } : { selection: undefined }),
  y: () => actions.openDialog("why", explainedBy(page)),
  l: () => actions.openDialog("share"),
  "/": () => {
    beginTyping();
    actions.openDialog("palette");
  },
  D: () => foldDrawer(page.dialog),
  ...Object.fromEntries(
    DRAWER_TABS.map(({ tab, key }) => [key, () => page.dialog.setState({ drawer: tab })]),
  ),
  // Views change: the view of a number is determined when it is pressed.
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [i + 1, () => VIEWS[i] && goTo({ view: VIEWS[i].name })]),
  ),
});

const togglePlay = ({ frames, actions }: Page): Promise<void> =>
  frames.getState().frame?.story?.state === "running"
    ? actions.toggleAutoplay()
    : actions.togglePlay();

/**
 * Selectors of elements that handle keys themselves: fields; for arrows also sliders; for Home and
 * End also scrolling regions; for Space also buttons.
 */
const TYPING = "input, textarea, select, [contenteditable]";
const MOVED = `${TYPING}, [role=slider]`;
const SCROLLED = `${MOVED}, [tabindex="0"]`;
const PRESSABLE = `${MOVED}, button, summary`;

/** Elements that take the focus when pressed. */
const PRESSED = 'button, summary, [tabindex="0"]:not([role=slider])';
const TO_AN_END = /^(Home|End)$/;

/** Returns the focused element, if it handles the key itself. */
function userOf({ key, target }: KeyboardEvent): Element | null {
  const element = target as Element;
  if (key === " ") return element.closest(PRESSABLE);
  if (!TO_AN_END.test(key)) return element.closest(key.startsWith("Arrow") ? MOVED : TYPING);
  const user = element.closest(SCROLLED);
  // A fully visible region has no end to scroll to.
  const isIdle = user && !user.matches(MOVED) && user.scrollHeight <= user.clientHeight;
  return isIdle ? null : user;
}

export default function Keys(): undefined {
  const page = usePage();
  useEffect(() => {
    // Earlier keys are lost: automated tests wait for this attribute.
    document.documentElement.dataset.keys = "";
    return listenForKeys(page);
  }, [page]);
}

/** Listens until the returned function is called. */
export function listenForKeys(page: Page): () => void {
  const actions = keyActions(page);
  /** There is no disabled button: its reason is shown once as a notice. */
  const refuse = (): void => {
    if (page.notices.getState().shown.some(({ text }) => text === WATCHED)) return;
    page.actions.notify(WATCHED, "error");
  };
  /** Element focused by the pointer: the page handles Space, Home and End, not the element. */
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
      clicked = detail > 0 ? (target as Element).closest(PRESSED) : null;
    },
    { signal },
  );
  const press = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { name } = page.dialog.getState();
    if (name === "palette") typeAhead(event);
    // An open dialog has closed itself; one that is still loading cannot.
    if (name && event.key === "Escape" && !event.isComposing) page.actions.closeDialog();
    if (name) return;
    const user = userOf(event);
    if (user && user !== clicked) return;
    const shift = event.shiftKey && event.key.length > 1 ? "Shift+" : "";
    const action = actions[shift + event.key];
    if (!action) return;
    // Escape keeps its default action: the browser may close something as well.
    if (event.key !== "Escape") event.preventDefault();
    if (event.key !== "End") arrive(page);
    const watching = page.frames.getState().frame?.player?.kept?.role === "watching";
    const { travel } = page.frames.getState();
    const looks = LOOKING.test(event.key) || (travel && event.key === "ArrowRight");
    if (watching && !looks) refuse();
    else action();
  };
  addEventListener("keydown", press, { signal });
  earlyKeys().forEach(press);
  return () => until.abort();
}

/** Moves forward in the past, or makes more blocks. */
function onward(page: Page, blocks: number): void {
  if (page.frames.getState().travel) travelBy(page, blocks);
  else page.actions.stepBlocks(blocks);
}

function toMark(page: Page, way: -1 | 1): void {
  const state = page.frames.getState();
  const height = nextMark(state, shownHeight(state), way);
  if (height !== undefined) travelTo(page, height);
}

/**
 * Returns the subject to explain: the selection, or else the shown block, or the one that a halted
 * chain cannot commit.
 */
function explainedBy({ frames }: Page): string {
  const { selection } = read();
  if (selection !== undefined) {
    const { kind, id } = selection;
    return kind === "node" ? validatorOf(frames.getState(), id) : `${kind}/${id}`;
  }
  const { frame } = frames.getState();
  const waits = frame?.chainStatus?.state === "halted" ? 1 : 0;
  return `block/${(frame?.chain?.height ?? 0) + waits}`;
}

/** The validator whose key a node has. */
const validatorOf = ({ frame }: FrameState, name: string): string =>
  `validator/${frame?.nodes.find((node) => node.name === name)?.validator ?? name}`;

/** Opens the form of the selected proposal, or of the newest. */
function toProposal({ actions, frames }: Page): void {
  const { selection } = read();
  const ids = frames.getState().frame?.proposals.map(({ id }) => id) ?? [];
  const selected = ids.find((id) => selection?.kind === "proposal" && selection.id === String(id));
  if (ids.length === 0) actions.notify("There is no proposal to vote on.");
  else {
    const id = selected ?? Math.max(...ids);
    actions.inBranch(() => actions.openDialog("proposal", String(id)));
  }
}

/** The selected validator, or the first. */
function stakedValidator({ frames }: Page): string {
  const validators = frames.getState().frame?.validators ?? [];
  const selected = validators.find(({ name }) => name === selectedNode());
  return (selected ?? validators[0])?.name ?? "";
}

function selectedNode(): string {
  const { selection } = read();
  return selection?.kind === "node" ? selection.id : "";
}
