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
  /** Subject: node, validator, proposal id, `cancel` for an upgrade, `kind/id` to explain. */
  readonly subject: string;
  /** Shared content that waits to be opened, or why it cannot be read. */
  readonly shared?: (Shared | { readonly problem: string }) & {
    /** Names of files that were dropped with it, of which nothing is read. */
    readonly unread?: readonly string[];
  };
  /** Action to run in the branch once it is created. */
  readonly afterFork?: (() => unknown) | undefined;
  /** Manual edit at the start of the branch, and the height of the block after which it is made. */
  readonly tamper?: (Tamper & { readonly height: number }) | undefined;
  /** The tab of the drawer; it is closed without one. */
  readonly drawer: DrawerTab | undefined;
  /** The tab with which the closed drawer is opened again. */
  readonly folded: DrawerTab;
  /** The other side of the comparison; undefined until one is chosen. */
  readonly compared?: Compared | undefined;
  /** In which two something is explained. */
  readonly sides?: ComparedSides | undefined;
  /** True if the page follows a running story to its subjects. */
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

/** Creates the store of the open dialog, of which there is at most one, and of the drawer. */
export const createDialogStore = () =>
  createStore<OpenDialog>(() => ({
    name: undefined,
    subject: "",
    drawer: "step",
    folded: "step",
    follows: true,
  }));
