import { createStore } from "zustand/vanilla";
import type { LabRequest } from "../../gen/lab/v1/lab_plain.ts";
import type { Shared } from "../share/link.ts";
import type { Tamper } from "./types.ts";

export type DialogName =
  | "double-sign"
  | "faults"
  | "upgrade"
  | "proposal"
  | "text-proposal"
  | "stake"
  | "own-chain"
  | "run-until"
  | "fork"
  | "otherwise"
  | "stories"
  | "worlds"
  | "share"
  | "shared"
  | "palette"
  | "why"
  | "why-both"
  | "help";

export interface OpenDialog {
  readonly name: DialogName | undefined;
  /** What it is about: a node, a validator, a proposal by its id, `cancel` for an upgrade, what is to be explained as kind/id. */
  readonly subject: string;
  /** What was handed to this page and waits to be opened, or why it cannot be read. */
  readonly shared?: (Shared | { readonly problem: string }) & {
    /** Names of files that were dropped with it, of which nothing is read. */
    readonly unread?: readonly string[];
  };
  /** What is done in the branch that is made. */
  readonly afterFork?: (() => unknown) | undefined;
  /** What is changed by hand as the branch begins, and after which block. */
  readonly tamper?: (Tamper & { readonly height: number }) | undefined;
  /** The tab of the drawer; it is closed without one. */
  readonly drawer: DrawerTab | undefined;
  /** The tab with which the closed drawer is opened again. */
  readonly folded: DrawerTab;
  /** What the world on screen is compared with; undefined before anything was chosen. */
  readonly compared?: Compared | undefined;
  /** In which two something is explained. */
  readonly sides?: ComparedSides | undefined;
  /** Whether the page shows what a story is about while it is told. */
  readonly follows: boolean;
}

/** The second of two that are compared, as the address has it. */
export interface Compared {
  /** `world:ID`, `height` for this world, `story:FILE`, or `file:NAME` of one that was opened here. */
  readonly other: string;
  /** Its own height; 0: as the first. A link: the one that has the same time as the height of the first, or follows the same command. */
  readonly at: number | Link;
}

export type Link = "time" | "command";

/** Two that are compared, at their heights. */
export type ComparedSides = Readonly<
  Record<"a" | "b", { readonly asked: LabRequest<"compareWorlds">["a"]; readonly name: string }>
>;

export type DrawerTab = "step" | "event" | "log" | "node" | "api" | "terminal";

/** What stands beside the view: at most one dialog, and the drawer. */
export const createDialogStore = () =>
  createStore<OpenDialog>(() => ({
    name: undefined,
    subject: "",
    drawer: "step",
    folded: "step",
    follows: true,
  }));
