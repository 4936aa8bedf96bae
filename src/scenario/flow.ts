import { isMap } from "./fields.ts";

/** Formats a value on one line, without the outermost braces. */
export function flow(value: unknown): string {
  const line = (inner: unknown): string =>
    Array.isArray(inner)
      ? `[${inner.map(line).join(", ")}]`
      : isMap(inner)
        ? `{ ${flow(inner)} }`
        : String(inner);
  return isMap(value)
    ? Object.entries(value)
        .map(([key, inner]) => `${key}: ${line(inner)}`)
        .join(", ")
    : line(value);
}
