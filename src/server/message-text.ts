/**
 * Maximum characters of a message: with its escapes it must fit into headers, which clients limit
 * to 64 KB or less.
 */
const CHARACTERS = 1_000;

/**
 * Shortens a message to fit into headers. Half a surrogate pair, which cannot be escaped, is
 * replaced.
 */
export const shortened = (message: string): string =>
  (message.length > CHARACTERS ? `${message.slice(0, CHARACTERS)}…` : message).replace(
    /\p{Surrogate}/gu,
    "\ufffd",
  );
