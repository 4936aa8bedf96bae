import { toHex, utf8 } from "../../../base/bytes.ts";
import { sha256 } from "../../../base/sha256.ts";
import type { WorldSpec } from "../genesis/world-spec.ts";

const hashes = new WeakMap<WorldSpec, Uint8Array>();

/**
 * Identifies a world: equal for equal specs, independent of field order. Computed once per spec.
 */
export function specHash(spec: WorldSpec): Uint8Array {
  let hash = hashes.get(spec);
  if (hash === undefined) {
    hash = sha256(utf8(JSON.stringify(spec, canonical).toWellFormed()));
    hashes.set(spec, hash);
  }
  return hash;
}

/** Sorts fields by name; converts bytes, and numbers that JSON cannot represent, to text. */
function canonical(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Uint8Array) return toHex(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
