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
  /** Shared content that can be opened, or the reason why it cannot be read. */
  readonly shared?: (Shared | { readonly problem: string }) & {
    /** Names of files that were dropped with it, and are ignored. */
    readonly unread?: readonly string[];
  };
  /** Action to run in the branch once it is created. */
  readonly afterFork?: (() => unknown) | undefined;
  /** Manual edit at the start of the branch, and the height of the block after which it is made. */
  readonly tamper?: (Tamper & { readonly height: number }) | undefined;
  /** The open tab of the drawer; undefined if it is closed. */
  readonly drawer: DrawerTab | undefined;
  /** The tab with which the closed drawer is reopened. */
  readonly folded: DrawerTab;
  /** The other side of the comparison; undefined until one is chosen. */
  readonly compared?: Compared | undefined;
  /** The sides of an explanation of both. */
  readonly sides?: ComparedSides | undefined;
  /** True if the page follows a running story to its subjects. */
  readonly follows: boolean;
}

/** The other side of a comparison, as in the address. */
export interface Compared {
  /** `world:ID`, `height` for this world, `story:FILE`, or `file:NAME` for a file opened here. */
  readonly other: string;
  /**
   * Its own height; 0: as the first. A link: the height with the same time, or after the same
   * command.
   */
  readonly at: number | Link;
}

export type Link = "time" | "command";

/** The two compared sides, at their heights. */
export type ComparedSides = Readonly<
  Record<"a" | "b", { readonly request: LabRequest<"compareWorlds">["a"]; readonly name: string }>
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
