/** Characters of a message at most: with its escapes it must go into headers, of which clients take 64 KB or less. */
const CHARACTERS = 1_000;

/** A message that headers have room for. Half of a pair of surrogates, which cannot be escaped, is replaced. */
export const shortened = (message: string): string =>
  (message.length > CHARACTERS ? `${message.slice(0, CHARACTERS)}…` : message).replace(
    /\p{Surrogate}/gu,
    "\ufffd",
  );
