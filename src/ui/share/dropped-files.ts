/** Files opened in the page; one dropped file at a time is shown before any of it runs. */
import { errorText } from "../../base/error-text.ts";
import { checkFileSize, fileText } from "../../base/file-text.ts";
import { INPUT } from "../../base/limits.ts";
import type { Page } from "../store/page.ts";
import type { Shared } from "./link.ts";

const SCENARIO = /\.(ya?ml|json)$/i;

/** Reads a scenario, or the file of a world. Rejects with its problem. */
export async function sharedOf(file: File): Promise<Shared> {
  const { name, size } = file;
  const isScenario = SCENARIO.test(name);
  if (isScenario) checkFileSize(size);
  else if (size > INPUT.worldBytes)
    throw new Error(`expected at most ${INPUT.worldBytes} bytes, found ${size}`);
  const content = new Uint8Array(await file.arrayBuffer());
  return isScenario
    ? { kind: "scenario", file: name, text: fileText(content) }
    : { kind: "world", file: name, content };
}

/** Accepts dropped files from now on. Returns a function that stops this. */
export function acceptDroppedFiles({ dialog }: Page): () => void {
  const isFiles = ({ dataTransfer }: DragEvent): boolean =>
    dataTransfer?.types.includes("Files") ?? false;
  const over = (event: DragEvent): void => {
    // Otherwise the browser would navigate to the file.
    if (isFiles(event)) event.preventDefault();
  };
  const drop = async (event: DragEvent): Promise<void> => {
    if (!isFiles(event)) return;
    event.preventDefault();
    const [file, ...others] = event.dataTransfer?.files ?? [];
    if (file === undefined) return;
    const shared = await sharedOf(file).catch((error: unknown) => ({
      problem: `${file.name} cannot be read: ${errorText(error)}.`,
    }));
    const unread = others.map(({ name }) => name);
    dialog.setState({ name: "shared", shared: { ...shared, unread } });
  };
  addEventListener("dragover", over);
  addEventListener("drop", drop);
  return () => {
    removeEventListener("dragover", over);
    removeEventListener("drop", drop);
  };
}
