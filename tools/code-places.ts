/**
 * Keeps the places that ARCHITECTURE.md names true: `` `Network.advance` (`src/…/network.ts:176`) ``
 * gets the line on which the last part of the name is declared. Run as a program it rewrites the
 * document.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
export const DOCUMENT = `${ROOT}ARCHITECTURE.md`;

const PLACE = /`([\w.#]+)` \(`([\w./-]+\.tsx?):\d*`\)/g;

/** The document with fresh line numbers. Throws for a name that its file does not declare. */
export function withPlaces(document: string, read = readSource): string {
  return document.replace(PLACE, (_, name: string, file: string) => {
    const line = declaredAt(read(file), name.split(".").at(-1) ?? name);
    if (line === undefined) throw new Error(`ARCHITECTURE.md: ${file} declares no ${name}`);
    return `\`${name}\` (\`${file}:${line}\`)`;
  });
}

/** Line of the first declaration of a function, class, constant or member, from 1. */
function declaredAt(source: string, name: string): number | undefined {
  const modifiers = String.raw`\s*(?:export |default |private |static |readonly |async |get |const |function\*? |class |interface |type )*`;
  const declaration = new RegExp(`^${modifiers}${name}(?:<[^>]*>)?(?:\\(|\\s*[:={]|\\s)`);
  const index = source.split("\n").findIndex((line) => declaration.test(line));
  return index < 0 ? undefined : index + 1;
}

function readSource(file: string): string {
  return readFileSync(`${ROOT}${file}`, "utf8");
}
