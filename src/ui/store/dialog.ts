import { createStore } from "zustand/vanilla";

export type DialogName =
  | "double-sign"
  | "faults"
  | "upgrade"
  | "run-until"
  | "stories"
  | "worlds"
  | "help";

export interface OpenDialog {
  readonly name: DialogName | undefined;
  /** What it is about: the node that was selected, or `cancel` for an upgrade. */
  readonly subject: string;
}

/** At most one dialog is open. */
export const createDialogStore = () =>
  createStore<OpenDialog>(() => ({ name: undefined, subject: "" }));
