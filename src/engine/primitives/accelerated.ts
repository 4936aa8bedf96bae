/** What hashing and signing load to be faster, as one file. */
export { createSHA256 } from "hash-wasm";
export { sign } from "./expanded-keys.ts";
