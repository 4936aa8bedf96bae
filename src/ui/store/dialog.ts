import { createStore } from "zustand/vanilla";

export type DialogName =
  | "double-sign"
  | "faults"
  | "upgrade"
  | "proposal"
  | "text-proposal"
  | "stake"
  | "own-chain"
  | "run-until"
  | "stories"
  | "worlds"
  | "help";

export interface OpenDialog {
  readonly name: DialogName | undefined;
  /** What it is about: a node, a validator, a proposal by its id, or `cancel` for an upgrade. */
  readonly subject: string;
}

/** At most one dialog is open. */
export const createDialogStore = () =>
  createStore<OpenDialog>(() => ({ name: undefined, subject: "" }));
