/** A name under which something is asked, so that it can be stopped: no other page of a node has the same. */
export const newQuestion = (): string =>
  [...crypto.getRandomValues(new Uint8Array(12))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
