import { utf8 } from "./bytes.ts";
import { sha256 } from "./sha256.ts";

/** The first 20 bytes of SHA-256: the length of every address of a key or module. */
export function hash20(bytes: Uint8Array): Uint8Array {
  return sha256(bytes).slice(0, 20);
}

/** A module's account has no key; its address is derived from its name (upgrade facts §3.5). */
export function moduleAddress(name: string): Uint8Array {
  return hash20(utf8(name));
}
