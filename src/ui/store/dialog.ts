import { create } from "zustand";

export type DialogName = "double-sign" | "trouble" | "upgrade" | "run-until" | "stories" | "help";

interface OpenDialog {
  readonly name: DialogName | undefined;
  /** What it is about: the node that was selected, or `cancel` for an upgrade. */
  readonly subject: string;
}

/** At most one dialog is open. */
export const useDialog = create<OpenDialog>(() => ({ name: undefined, subject: "" }));

export const openDialog = (name: DialogName, subject = ""): void =>
  useDialog.setState({ name, subject });

export const closeDialog = (): void => useDialog.setState({ name: undefined });
