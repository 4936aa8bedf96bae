import type { StoreApi } from "zustand/vanilla";
import type { DrawerTab, OpenDialog } from "./dialog.ts";

interface Tab {
  readonly tab: DrawerTab;
  readonly title: string;
  /** Pressed with Shift. */
  readonly key: string;
}

/** The tabs of the drawer, from left to right. */
export const DRAWER_TABS: readonly Tab[] = [
  { tab: "step", title: "Decisions", key: "S" },
  { tab: "event", title: "Events", key: "E" },
  { tab: "log", title: "Logs", key: "L" },
  { tab: "node", title: "Node log", key: "O" },
  { tab: "api", title: "API", key: "A" },
  { tab: "terminal", title: "Terminal", key: "T" },
];

/** Closes the drawer, or reopens it with its last tab. */
export function foldDrawer(dialog: StoreApi<OpenDialog>): void {
  const { drawer, folded } = dialog.getState();
  dialog.setState(drawer ? { drawer: undefined, folded: drawer } : { drawer: folded });
}
