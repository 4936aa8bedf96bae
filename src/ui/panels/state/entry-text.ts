/** Readable values of store entries: the non-default fields of a message. */

interface EntryField {
  readonly name: string;
  readonly value: string;
}

/**
 * The fields of a value that is a message; one without a name for other text; none for an empty
 * text.
 */
export function fieldsOf(text: string): readonly EntryField[] {
  if (text === "") return [];
  const parsed = parse(text);
  if (!isRecord(parsed)) return [{ name: "", value: text }];
  return Object.entries(parsed).flatMap(([name, value]) => {
    const shown = shownOf(value);
    return shown === "" ? [] : [{ name: wordsOf(name), value: shown }];
  });
}

/** On one line, the most important first. */
export const lineOf = (text: string): string =>
  fieldsOf(text)
    .map(({ name, value }) => (name === "" ? value : `${name} ${value}`))
    .join(" · ");

/** Returns the fields that differ between two values, as in the newer one, or all of its fields. */
export function changedFields(before: string, after: string): readonly EntryField[] {
  const [old, now] = [parse(before), parse(after)];
  if (!isRecord(old) || !isRecord(now)) return before === after ? [] : fieldsOf(after);
  return [...new Set([...Object.keys(now), ...Object.keys(old)])]
    .filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
    .map((name) => ({ name: wordsOf(name), value: shownOf(now[name]) || defaultOf(now[name]) }));
}

/** Label of a value that the wire omits. */
function defaultOf(value: unknown): string {
  if (value === false || value === 0 || value === "0") return String(value);
  if (value === "") return "empty";
  return Array.isArray(value) ? "none" : "not set";
}

/** The number in a value that is a number, or in the field with that name. */
export function numberIn(text: string, field: string): number | undefined {
  const value = fieldsOf(text).find(({ name }) => name === field)?.value ?? "";
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Empty for a default value. */
function shownOf(value: unknown): string {
  if (value === null || value === undefined || value === "" || value === false) return "";
  if (value === 0 || value === "0") return "";
  if (Array.isArray(value)) return value.map(shownOf).filter(Boolean).join(", ");
  if (!isRecord(value)) return String(value);
  const parts = Object.entries(value).map(([name, one]) => [wordsOf(name), shownOf(one)] as const);
  return parts.flatMap(([name, one]) => (one === "" ? [] : [`${name} ${one}`])).join(", ");
}

/** `unbonding height` of `unbondingHeight`. */
const wordsOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
