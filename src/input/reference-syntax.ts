/**
 * How references are written in the texts of steps: `$name` as a whole, `${name}` anywhere. What they
 * mean is in references.ts.
 */

/** What `${$}` means: the mark itself, for texts in which it begins no reference. */
export const MARK = "$";

export const WHOLE = /^\$([A-Za-z_][\w-]*(?:\.evidence)?)$/;
export const INSIDE = /\$\{([^{}]*)\}/g;

/** Whether text holds a reference, so that its value is known only when the step runs. */
export const isReference = (text: string): boolean => WHOLE.test(text) || text.includes("${");

/** The text as it is written where references are replaced: one that begins none is written as it is. */
export const literal = (text: string): string =>
  WHOLE.test(text)
    ? `\${${MARK}}${text.slice(1)}`
    : text.replace(/\$(?=\$*\{)/g, () => `\${${MARK}}`);

/** The text without its references. */
export const literalParts = (text: string): string =>
  WHOLE.test(text) ? "" : text.replace(INSIDE, "");
