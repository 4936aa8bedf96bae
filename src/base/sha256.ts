/**
 * The engine's only SHA-256. It starts with a portable implementation, so that it is available
 * immediately; a composition root then replaces it with a faster one: WebAssembly, or that of its
 * host. All return the same bytes, so the timing does not matter.
 */
import { sha256 as portable } from "@noble/hashes/sha2.js";

export interface Sha256 {
  /** Always returns a new 32-byte array. */
  bytes(input: Uint8Array): Uint8Array;
  /**
   * Writes the hash of an array's first bytes at an offset of another one, which may be the same.
   */
  into(input: Uint8Array, length: number, target: Uint8Array, at: number): void;
  /**
   * The hash as text with one character per byte: an array would take four times as much memory.
   */
  text(input: Uint8Array): string;
}

let used: Sha256 = {
  bytes: portable,
  into: (input, length, target, at) => target.set(portable(input.subarray(0, length)), at),
  text: (input) => String.fromCharCode(...portable(input)),
};

/** Always returns a new 32-byte array. */
export function sha256(input: Uint8Array): Uint8Array {
  return used.bytes(input);
}

/** Writes the hash of an array's first bytes at an offset of another one, without allocating. */
export function sha256Into(
  input: Uint8Array,
  length: number,
  target: Uint8Array,
  at: number,
): void {
  used.into(input, length, target, at);
}

/** The hash as text of 32 characters, one per byte. */
export function sha256Text(input: Uint8Array): string {
  return used.text(input);
}

/** Writes the bytes of a hash in text form. */
export function writeHash(hash: string, target: Uint8Array, at: number): void {
  for (let i = 0; i < 32; i++) target[at + i] = hash.charCodeAt(i);
}

export function setSha256(implementation: Sha256): void {
  used = implementation;
}

/**
 * Once it resolves, hashes are computed by WebAssembly. Rejects, without any change, if WebAssembly
 * is not available.
 */
export async function accelerateSha256(): Promise<void> {
  const { sodium } = await import("./sodium.ts");
  used = (await sodium).sha256;
}
