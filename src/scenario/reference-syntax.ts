/**
 * How references are written in the texts of steps: `$name` as a whole, `${name}` anywhere. What they
 * mean is in references.ts.
 */

export const WHOLE = /^\$([A-Za-z_][\w-]*(?:\.evidence)?)$/;
export const INSIDE = /\$\{([^{}]*)\}/g;

/** Whether text holds a reference, so that its value is known only when the step runs. */
export const isReference = (text: string): boolean => WHOLE.test(text) || text.includes("${");

/** The text without its references. */
export const literalParts = (text: string): string =>
  WHOLE.test(text) ? "" : text.replace(INSIDE, "");
