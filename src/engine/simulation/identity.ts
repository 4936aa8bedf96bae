import { concat, u64be, utf8 } from "../primitives/bytes.ts";
import { type KeyPair, keyFromSeed } from "../primitives/ed25519.ts";
import { sha256 } from "../primitives/sha256.ts";

/** The account of a name, 20 bytes. A validator's operator account goes by the validator's name. */
export const accountOf = (name: string): Uint8Array =>
  sha256(utf8(`chainlab/account/${name}`)).slice(0, 20);

/** The consensus key of a validator: the same name and seed give the same key, always. */
export const consensusKeyOf = (name: string, seed: number): KeyPair =>
  keyFromSeed(sha256(concat(utf8("chainlab/consensus/"), u64be(seed), utf8(name))));
