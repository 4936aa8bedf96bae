/** The keys of the page. They never fire while someone types, nor while a dialog is open. */
import { stepBlocks, togglePlay } from "./actions.ts";
import { openDialog, useDialog } from "./dialog.ts";
import { read } from "./route.ts";

const ACTIONS: Readonly<Record<string, () => void>> = {
  " ": togglePlay,
  ArrowRight: () => stepBlocks(1),
  "Shift+ArrowRight": () => stepBlocks(10),
  d: () => openDialog("double-sign", selectedNode()),
  t: () => openDialog("trouble", selectedNode()),
  u: () => openDialog("upgrade"),
  r: () => openDialog("run-until"),
  s: () => openDialog("stories"),
  "?": () => openDialog("help"),
};

/** What has its own use for a key: fields, and for Space and arrows whatever can be pressed or moved. */
const TYPING = "input, textarea, select, [contenteditable], [role=slider]";
const PRESSABLE = `${TYPING}, button, summary`;

export function listenForKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (useDialog.getState().name) return;
    const target = event.target as Element;
    if (target.closest(event.key === " " ? PRESSABLE : TYPING)) return;
    const shift = event.shiftKey && event.key.length > 1 ? "Shift+" : "";
    const action = ACTIONS[shift + event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function selectedNode(): string {
  const { selection } = read();
  return selection?.kind === "node" ? selection.id : "";
}
