import { isMap } from "./fields.ts";

/** The written form of a value on one line, the outermost braces left out. */
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
