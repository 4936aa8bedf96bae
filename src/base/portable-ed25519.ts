/** Ed25519 that runs anywhere. */
import { hashes } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";

// The library requires its user to set the hash; without it only asynchronous calls work.
hashes.sha512 = sha512;

export { getPublicKey, sign, verify } from "@noble/ed25519";
