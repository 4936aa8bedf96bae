/** Errors that JavaScript throws for bugs, and that modelled software never throws on purpose. */
const LANGUAGE_ERRORS = [TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError];

/**
 * Returns true for a bug in this code: an error of one of JavaScript's own classes, or a value that
 * is neither an Error nor a string.
 */
export const isBug = (error: unknown): boolean =>
  error instanceof Error
    ? LANGUAGE_ERRORS.some((language) => error instanceof language)
    : typeof error !== "string";

/**
 * Returns the message of any thrown value for users. Messages of bugs are replaced, since users
 * cannot use them.
 */
export function errorText(error: unknown): string {
  if (isBug(error)) {
    const kind = error instanceof Error ? error.name : typeof error;
    return `this is a bug of Chainlab (${kind}); please report it, with what led to it`;
  }
  if (!(error instanceof Error)) return String(error) || "no reason was given";
  // Some errors of the platform have only a name.
  return error.message || error.name;
}
