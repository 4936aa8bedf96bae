/** Errors that the language throws for wrong code, and no modelled software throws on purpose. */
const LANGUAGE_ERRORS = [TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError];

/** True for a bug: the error is one of JavaScript's own classes, or no error at all. */
export const isBug = (error: unknown): boolean =>
  error instanceof Error
    ? LANGUAGE_ERRORS.some((language) => error instanceof language)
    : typeof error !== "string";

/** The message of anything thrown, as people read it. Those of bugs say nothing to them. */
export function errorText(error: unknown): string {
  if (isBug(error)) {
    const kind = error instanceof Error ? error.name : typeof error;
    return `this is a bug of Chainlab (${kind}); please report it, with what led to it`;
  }
  if (!(error instanceof Error)) return String(error) || "no reason was given";
  // Some of the platform's have a name alone.
  return error.message || error.name;
}
