/** A number if it is written as one; otherwise the text as it is, for the engine to refuse. */
export const asNumber = (text: string): number | string =>
  /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
