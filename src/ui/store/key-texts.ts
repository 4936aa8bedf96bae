/** Descriptions of the page's keys, for the help and the palette. The keys are in `ui/keys.ts`. */
import { DRAWER_TABS } from "./drawer-tabs.ts";

interface KeyText {
  /** As printed on a keyboard. */
  readonly key: string;
  readonly does: string;
  /**
   * Its name in `keyActions`, if the palette offers it too; other keys depend on the focused
   * element.
   */
  readonly action?: string;
  /** Additional search words. */
  readonly keywords?: string;
  /** True if it changes the world. */
  readonly needsControl?: true;
}

export const KEY_TEXTS: readonly KeyText[] = [
  { key: "Space", does: "play, pause; in a story autoplay", action: " ", needsControl: true },
  {
    key: "→",
    does: "one block; in a story the next step, in the past the next block",
    action: "ArrowRight",
    keywords: "step",
    needsControl: true,
  },
  {
    key: "←",
    does: "back in the history by a block; in a story the previous step",
    action: "ArrowLeft",
    keywords: "travel past before",
  },
  {
    key: "Shift →",
    does: "ten blocks",
    action: "Shift+ArrowRight",
    keywords: "step",
    needsControl: true,
  },
  {
    key: "Shift ←",
    does: "back in the history by ten blocks",
    action: "Shift+ArrowLeft",
    keywords: "travel past",
  },
  { key: "Home", does: "the first block", action: "Home", keywords: "travel past genesis begin" },
  { key: "End", does: "back to live: the newest block", action: "End", keywords: "travel now" },
  { key: "[", does: "previous event", action: "[", keywords: "travel past evidence slash" },
  { key: "]", does: "next event", action: "]", keywords: "travel evidence slash halt" },
  {
    key: "f",
    does: "fork: a branch from the block that is shown",
    action: "f",
    keywords: "branch second history try",
    needsControl: true,
  },
  {
    key: "z",
    does: "undo the last action (opens a branch); after Shift C, back to the world before",
    action: "z",
    keywords: "back take",
  },
  {
    key: "Shift Z",
    does: "redo: forward again to where undo came from",
    action: "Z",
    keywords: "again",
  },
  {
    key: "d",
    does: "make a validator double-sign",
    action: "d",
    keywords: "equivocation evidence slash tombstone",
    needsControl: true,
  },
  {
    key: "i",
    does: "inject a fault: a crash, a partition, a second node with the same key",
    action: "i",
    keywords: "twin mute slow clock",
    needsControl: true,
  },
  {
    key: "u",
    does: "propose an upgrade",
    action: "u",
    keywords: "plan proposal vote",
    needsControl: true,
  },
  {
    key: "q",
    does: "submit a text proposal",
    action: "q",
    keywords: "governance question submit",
    needsControl: true,
  },
  {
    key: "b",
    does: "vote on a proposal, deposit or withdraw it: the selected one, or the newest",
    action: "b",
    keywords: "governance ballot",
    needsControl: true,
  },
  {
    key: "g",
    does: "delegate, unbond or redelegate stake",
    action: "g",
    keywords: "staking power validator",
    needsControl: true,
  },
  {
    key: "r",
    does: "run until something happens",
    action: "r",
    keywords: "advance height",
    needsControl: true,
  },
  { key: "s", does: "stories", action: "s", keywords: "scenario lesson open file" },
  {
    key: "w",
    does: "worlds: open, rename, copy, delete, export, import",
    action: "w",
    keywords: "branch save",
  },
  {
    key: "y",
    does: "why: the decisions behind what is selected, or behind the newest block",
    action: "y",
    keywords: "explain reason rule because",
  },
  {
    key: "l",
    does: "share: as a link, a file, a test, a command",
    action: "l",
    keywords: "copy send",
  },
  {
    key: "c",
    does: "begin a chain of your own",
    action: "c",
    keywords: "genesis validators new world",
  },
  {
    key: "Shift C",
    does: "reset the first world",
    action: "C",
    keywords: "start over reset new",
  },
  {
    key: "o",
    does: "replay with one change",
    action: "o",
    keywords: "branch fork another profile binary genesis parameter again replay",
  },
  {
    key: "v",
    does: "compare with another world, height, story or file",
    action: "v",
    keywords: "difference diff branch side",
  },
  {
    key: "h",
    does: "the lab: a hypothesis, and the shortest story that breaks it",
    action: "h",
    keywords: "search property never always find shrink coverage outcomes qa",
  },
  {
    key: "e",
    does: "the scenario editor: steps as a list and as text",
    action: "e",
    keywords: "write edit yaml breakpoint pin",
  },
  {
    key: "Shift R",
    does: "record what was done in this world, as a scenario",
    action: "R",
    keywords: "recording i did steps journal test",
  },
  {
    key: "x",
    does: "stop what is running, and leave the story",
    action: "x",
    keywords: "give up",
    needsControl: true,
  },
  {
    key: "← → on the timeline",
    does: "the block before or after; with Shift, the next mark; Page Up and Page Down, ten blocks; Enter, its details",
  },
  {
    key: "p",
    does: "present: only the story's sentence and the view, large",
    action: "p",
    keywords: "projector",
  },
  {
    key: "t",
    does: "the next theme: as the system, light, dark, projector",
    action: "t",
    keywords: "setting colours",
  },
  {
    key: "N, Shift N",
    does: "where two worlds are compared: the next block that differs, and the one before",
  },
  { key: "Esc", does: "close a dialog, the presenter, or the details of what is selected" },
  { key: "1 to 9", does: "the views, from left to right" },
  {
    key: `Shift ${DRAWER_TABS.map(({ key }) => key).join(", ")}`,
    does: `the tabs of the drawer: ${DRAWER_TABS.map(({ title }) => title).join(", ")}`,
  },
  {
    key: "Shift D",
    does: "close the drawer, or open it again",
    action: "D",
    keywords: "fold hide panel",
  },
  {
    key: "/",
    does: "the palette: every action, view, validator, block, proposal and story; pressed again, the search of the view",
  },
  { key: "k", does: "the rules of the chain", action: "k", keywords: "why documents docs" },
  { key: "m", does: "what this model leaves out", action: "m", keywords: "rules missing not help" },
  { key: "?", does: "keys and terms", action: "?", keywords: "help" },
];
