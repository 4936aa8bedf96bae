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
  readonly words?: string;
  /** True if it changes the world. */
  readonly controls?: true;
}

export const KEY_TEXTS: readonly KeyText[] = [
  { key: "Space", does: "play, pause; in a story autoplay", action: " ", controls: true },
  {
    key: "→",
    does: "one block; in a story the next step, in the past the next block",
    action: "ArrowRight",
    words: "step",
    controls: true,
  },
  {
    key: "←",
    does: "back in the history by a block; in a story the previous step",
    action: "ArrowLeft",
    words: "travel past before",
  },
  {
    key: "Shift →",
    does: "ten blocks",
    action: "Shift+ArrowRight",
    words: "step",
    controls: true,
  },
  {
    key: "Shift ←",
    does: "back in the history by ten blocks",
    action: "Shift+ArrowLeft",
    words: "travel past",
  },
  { key: "Home", does: "the first block", action: "Home", words: "travel past genesis begin" },
  { key: "End", does: "back to live: the newest block", action: "End", words: "travel now" },
  { key: "[", does: "previous event", action: "[", words: "travel past evidence slash" },
  { key: "]", does: "next event", action: "]", words: "travel evidence slash halt" },
  {
    key: "f",
    does: "fork: a branch from the block that is shown",
    action: "f",
    words: "branch second history try",
    controls: true,
  },
  {
    key: "z",
    does: "undo the last action (opens a branch); after Shift C, back to the world before",
    action: "z",
    words: "back take",
  },
  {
    key: "Shift Z",
    does: "redo: forward again to where undo came from",
    action: "Z",
    words: "again",
  },
  {
    key: "d",
    does: "make a validator double-sign",
    action: "d",
    words: "equivocation evidence slash tombstone",
    controls: true,
  },
  {
    key: "i",
    does: "inject a fault: a crash, a partition, a second node with the same key",
    action: "i",
    words: "twin mute slow clock",
    controls: true,
  },
  {
    key: "u",
    does: "propose an upgrade",
    action: "u",
    words: "plan proposal vote",
    controls: true,
  },
  {
    key: "q",
    does: "submit a text proposal",
    action: "q",
    words: "governance question submit",
    controls: true,
  },
  {
    key: "b",
    does: "vote on a proposal, deposit or withdraw it: the selected one, or the newest",
    action: "b",
    words: "governance ballot",
    controls: true,
  },
  {
    key: "g",
    does: "delegate, unbond or redelegate stake",
    action: "g",
    words: "staking power validator",
    controls: true,
  },
  {
    key: "r",
    does: "run until something happens",
    action: "r",
    words: "advance height",
    controls: true,
  },
  { key: "s", does: "stories", action: "s", words: "scenario lesson open file" },
  {
    key: "w",
    does: "worlds: open, rename, copy, delete, export, import",
    action: "w",
    words: "branch save",
  },
  {
    key: "y",
    does: "why: the decisions behind what is selected, or behind the newest block",
    action: "y",
    words: "explain reason rule because",
  },
  {
    key: "l",
    does: "share: as a link, a file, a test, a command",
    action: "l",
    words: "copy send",
  },
  {
    key: "c",
    does: "begin a chain of your own",
    action: "c",
    words: "genesis validators new world",
  },
  {
    key: "Shift C",
    does: "reset the first world",
    action: "C",
    words: "start over reset new",
  },
  {
    key: "o",
    does: "replay with one change",
    action: "o",
    words: "branch fork another profile binary genesis parameter again replay",
  },
  {
    key: "v",
    does: "compare with another world, height, story or file",
    action: "v",
    words: "difference diff branch side",
  },
  {
    key: "h",
    does: "the lab: a hypothesis, and the shortest story that breaks it",
    action: "h",
    words: "search property never always find shrink coverage outcomes qa",
  },
  {
    key: "e",
    does: "the scenario editor: steps as a list and as text",
    action: "e",
    words: "write edit yaml breakpoint pin",
  },
  {
    key: "Shift R",
    does: "record what was done in this world, as a scenario",
    action: "R",
    words: "recording i did steps journal test",
  },
  {
    key: "x",
    does: "stop what is running, and leave the story",
    action: "x",
    words: "give up",
    controls: true,
  },
  {
    key: "← → on the timeline",
    does: "the block before or after; with Shift, the next mark; Page Up and Page Down, ten blocks; Enter, its details",
  },
  {
    key: "p",
    does: "present: only the story's sentence and the view, large",
    action: "p",
    words: "projector",
  },
  {
    key: "t",
    does: "the next theme: as the system, light, dark, projector",
    action: "t",
    words: "setting colours",
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
    words: "fold hide panel",
  },
  {
    key: "/",
    does: "the palette: every action, view, validator, block, proposal and story; pressed again, the search of the view",
  },
  { key: "k", does: "the rules of the chain", action: "k", words: "why documents docs" },
  { key: "m", does: "what this model leaves out", action: "m", words: "rules missing not help" },
  { key: "?", does: "keys and terms", action: "?", words: "help" },
];
