/**
 * The engine's only SHA-256. It begins with a portable implementation, so that everything is there at once;
 * a composition root then swaps in a faster one: WebAssembly, or what its host has. All give the same bytes, so
 * nothing depends on when that happens.
 */
import { sha256 as portable } from "@noble/hashes/sha2.js";

/** An implementation. */
export interface Sha256 {
  /** Always a fresh 32-byte array. */
  bytes(input: Uint8Array): Uint8Array;
  /** Writes the hash of an array's first bytes to a place in another one, which may be the same. */
  into(input: Uint8Array, length: number, target: Uint8Array, at: number): void;
  /** The same bytes as text, a character for each: an array takes four times as much to keep. */
  text(input: Uint8Array): string;
}

let used: Sha256 = {
  bytes: portable,
  into: (input, length, target, at) => target.set(portable(input.subarray(0, length)), at),
  text: (input) => String.fromCharCode(...portable(input)),
};

/** Always a fresh 32-byte array. */
export function sha256(input: Uint8Array): Uint8Array {
  return used.bytes(input);
}

/** Writes the hash of an array's first bytes to a place in another one, so that no array is made for it. */
export function sha256Into(
  input: Uint8Array,
  length: number,
  target: Uint8Array,
  at: number,
): void {
  used.into(input, length, target, at);
}

/** The same as text of 32 characters, one for each byte. */
export function sha256Text(input: Uint8Array): string {
  return used.text(input);
}

/** Writes the bytes of a hash that is text. */
export function writeHash(hash: string, target: Uint8Array, at: number): void {
  for (let i = 0; i < 32; i++) target[at + i] = hash.charCodeAt(i);
}

/** Hashes with this from now on. */
export function setSha256(given: Sha256): void {
  used = given;
}

/**
 * Once it resolves, hashing is as fast as WebAssembly allows. Rejects, and nothing changes, where
 * there is none.
 */
export async function accelerateSha256(): Promise<void> {
  const { sodium } = await import("./sodium.ts");
  used = (await sodium).sha256;
}
