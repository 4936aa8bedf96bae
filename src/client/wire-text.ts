/** Messages of a port as text, for text-only connections: JSON with bytes in base64. */
import type { ToPage, ToWorker } from "./wire.ts";

/** The only key of an object that represents bytes. No message has a field of that name. */
const BYTES = "@bytes";
/** Bytes that are converted to characters at once. */
const PIECE = 8_192;

export function toText(message: ToPage | ToWorker): string {
  return JSON.stringify(message, function (this: Record<string, unknown>, key, value) {
    const text = this[key];
    return text instanceof Uint8Array ? { [BYTES]: toBase64(text) } : value;
  });
}

/** Throws if the text is not JSON, or the bytes in it are not base64. */
export function fromText(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== "object" || value === null) return value;
    const bytes = (value as Record<string, unknown>)[BYTES];
    return typeof bytes === "string" ? fromBase64(bytes) : value;
  });
}

function toBase64(bytes: Uint8Array): string {
  let characters = "";
  for (let i = 0; i < bytes.length; i += PIECE) {
    characters += String.fromCharCode(...bytes.subarray(i, i + PIECE));
  }
  return btoa(characters);
}

function fromBase64(text: string): Uint8Array {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}
