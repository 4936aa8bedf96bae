/**
 * Syntax of references in the texts of steps: `$name` as the whole text, `${name}` anywhere. Their
 * meaning is in references.ts.
 */

/** Value of `${$}`: the mark itself, for texts in which it does not start a reference. */
export const MARK = "$";

export const WHOLE = /^\$([A-Za-z_][\w-]*(?:\.evidence)?)$/;
export const INSIDE = /\$\{([^{}]*)\}/g;

/**
 * Returns true if text contains a reference, so that its value is known only when the step runs.
 */
export const isReference = (text: string): boolean => WHOLE.test(text) || text.includes("${");

/**
 * Escapes marks in a text that would start a reference, for places where references are replaced.
 */
export const literal = (text: string): string =>
  WHOLE.test(text)
    ? `\${${MARK}}${text.slice(1)}`
    : text.replace(/\$(?=\$*\{)/g, () => `\${${MARK}}`);

/** Removes the references from a text. */
export const literalParts = (text: string): string =>
  WHOLE.test(text) ? "" : text.replace(INSIDE, "");
