/**
 * Links with a complete scenario or world: compressed in the fragment, which browsers send to no
 * server. `#/shared/1/scenario/…` contains the version of the format, the kind, and the content as
 * base64url of a zlib stream, whose checksum reveals damage.
 */
import { fileText } from "../../base/file-text.ts";
import { INPUT } from "../../base/limits.ts";

/** Content of a share link: a scenario or a saved world. */
export type Shared =
  | { readonly kind: "scenario"; readonly file: string; readonly text: string }
  | { readonly kind: "world"; readonly file: string; readonly content: Uint8Array };

/** The first part of such an address, in place of a view. */
export const SHARED = "shared";
const VERSION = 1;
const MOST_NAME = 100;

/** True if a hash is that of a share link, valid or not. */
export const isShared = (hash: string): boolean => hash.startsWith(`#/${SHARED}/`);

/** The hash of a link. Callers limit its length: see `INPUT.linkCharacters`. */
export async function linkHash(shared: Shared): Promise<string> {
  const body = shared.kind === "scenario" ? utf8(shared.text) : shared.content;
  const name = utf8(`${linkedName(shared.file)}\n`);
  const content = new Blob([name, new Uint8Array(body)]);
  const deflated = content.stream().pipeThrough(new CompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(deflated).arrayBuffer());
  return `#/${SHARED}/${VERSION}/${shared.kind}/${base64url(bytes)}`;
}

/** The name in a link: on one line, and within the displayed length. No surrogate pair is split. */
const linkedName = (file: string): string =>
  file
    .toWellFormed()
    .replaceAll("\n", " ")
    .slice(0, MOST_NAME)
    .replace(/[\uD800-\uDBFF]$/, "");

/** Decodes a share link. Rejects with an Error that describes the problem. */
export async function readLink(hash: string): Promise<Shared> {
  if (hash.length > INPUT.linkCharacters) {
    throw new Error(
      `The link is too long: expected at most ${INPUT.linkCharacters} characters, found ${hash.length}.`,
    );
  }
  const [, , version = "", kind = "", data = "", ...rest] = hash.split("/");
  if (/^\d{1,9}$/.test(version) && Number(version) > VERSION) {
    throw new Error(
      `The link was made by a later version of Chainlab: its format is ${version}, this page reads ${VERSION}.`,
    );
  }
  if (version !== String(VERSION) || rest.length > 0) throw damaged("it does not say its format");
  if (kind !== "scenario" && kind !== "world") throw damaged("it does not say what it holds");
  const bytes = await inflated(fromBase64url(data));
  const end = bytes.indexOf(10);
  if (end < 0) throw damaged("the name of the file is missing");
  const file = fileText(bytes.subarray(0, end));
  const content = bytes.subarray(end + 1);
  return kind === "world" ? { kind, file, content } : { kind, file, text: fileText(content) };
}

const damaged = (what: string): Error =>
  new Error(`The link is damaged, or a part of it is missing: ${what}.`);

/** Decompresses up to the size limit of a link: a few bytes can expand to gigabytes. */
async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream("deflate"))
    .getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw damaged("its checksum is wrong");
    });
    if (done) break;
    pieces.push(value);
    length += value.length;
    if (length > INPUT.linkBytes) {
      void reader.cancel().catch(() => {});
      throw new Error(`The link holds too much: expected at most ${INPUT.linkBytes} bytes.`);
    }
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** Half a surrogate pair, which UTF-8 cannot encode, becomes one replacement character. */
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function base64url(bytes: Uint8Array): string {
  let characters = "";
  for (const byte of bytes) characters += String.fromCharCode(byte);
  return btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]+$/.test(text)) throw damaged("it has characters that no link has");
  try {
    const characters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(characters, (character) => character.charCodeAt(0));
  } catch {
    throw damaged("its end is missing");
  }
}
