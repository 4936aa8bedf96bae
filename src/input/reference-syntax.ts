/**
 * Syntax of references in the texts of steps: `$name` as the complete text, `${name}` anywhere.
 * Their meaning is defined in references.ts.
 */

/** Value of `${$}`: the mark itself, for texts in which it begins no reference. */
export const MARK = "$";

export const WHOLE = /^\$([A-Za-z_][\w-]*(?:\.evidence)?)$/;
export const INSIDE = /\$\{([^{}]*)\}/g;

/** True if a text contains a reference, so that its value is known only when the step runs. */
export const isReference = (text: string): boolean => WHOLE.test(text) || text.includes("${");

/** The text as it is written where references are replaced: one that begins none is written as it is. */
export const literal = (text: string): string =>
  WHOLE.test(text)
    ? `\${${MARK}}${text.slice(1)}`
    : text.replace(/\$(?=\$*\{)/g, () => `\${${MARK}}`);

/** The text without its references. */
export const literalParts = (text: string): string =>
  WHOLE.test(text) ? "" : text.replace(INSIDE, "");
