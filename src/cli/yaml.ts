import { visibleJson } from "../base/visible-json.ts";

/**
 * An answer in the format of chains' command lines: YAML with sorted keys, text quoted if it would
 * be read as a number, a time or null.
 */
export function toYaml(value: unknown): string {
  if (isList(value) || isMap(value)) return `${lines(value).join("\n")}\n`;
  return `${scalar(value)}\n`;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !isList(value);

function lines(value: readonly unknown[] | Readonly<Record<string, unknown>>): string[] {
  if (isList(value)) return value.length === 0 ? ["[]"] : value.flatMap(item);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? ["{}"] : entries.flatMap(([key, field]) => entry(key, field));
}

function entry(name: string, field: unknown): string[] {
  // `@` cannot start a plain scalar.
  const key = name.startsWith("@") ? `'${name}'` : name;
  if (isList(field) && field.length > 0) return [`${key}:`, ...lines(field)];
  if (isMap(field) && Object.keys(field).length > 0) {
    return [`${key}:`, ...lines(field).map((line) => `  ${line}`)];
  }
  return [`${key}: ${isList(field) || isMap(field) ? lines(field).join("") : scalar(field)}`];
}

function item(value: unknown): string[] {
  const own = isList(value) || isMap(value) ? lines(value) : [scalar(value)];
  return own.map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`));
}

/** Plain scalars are unchanged; text that YAML would read as another type is quoted. */
function scalar(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value ?? null);
  const plain = /^[A-Za-z_/][A-Za-z0-9_./ -]*$/.test(value) && !value.endsWith(" ");
  const word = /^(true|false|null|yes|no|on|off|y|n)$/i.test(value);
  return plain && !word ? value : visibleJson(JSON.stringify(value));
}
