import type { WorldFile } from "../store/types.ts";

/** Saves a file through the browser. */
export function saveFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

/** Saves a world's file through the browser. */
export const saveWorld = ({ name, content }: WorldFile): void =>
  saveFile(name, new Uint8Array(content), "application/octet-stream");
