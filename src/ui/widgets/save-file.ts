import type { WorldFile } from "../store/types.ts";

/** Hands the browser a file to save. */
export function saveFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

/** Hands the browser a world's file to save. */
export const saveWorld = ({ name, content }: WorldFile): void =>
  saveFile(name, new Uint8Array(content), "application/octet-stream");
