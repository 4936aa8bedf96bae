import { UNSEEN } from "./visible-text.ts";

/** Returns the same JSON with invisible characters as escapes: a program reads the same values. */
export const visibleJson = (json: string): string =>
  json.replace(UNSEEN, (found) =>
    Array.from({ length: found.length }, (_, i) => `\\u${code(found.charCodeAt(i))}`).join(""),
  );

const code = (character: number): string => character.toString(16).padStart(4, "0");
