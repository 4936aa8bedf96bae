import { utf8 } from "./bytes.ts";
import { sha256 } from "./sha256.ts";

/** First 20 bytes of SHA-256: the length of all key and module addresses. */
export function hash20(bytes: Uint8Array): Uint8Array {
  return sha256(bytes).slice(0, 20);
}

const moduleAddresses = new Map<string, Uint8Array>();

/**
 * A module's account has no key; its address is derived from its name (rules/upgrade 3.1) and
 * cached, since there are few names.
 */
export function moduleAddress(name: string): Uint8Array {
  let address = moduleAddresses.get(name);
  if (address === undefined) {
    address = hash20(utf8(name));
    moduleAddresses.set(name, address);
  }
  return address;
}
