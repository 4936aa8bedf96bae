/**
 * Keys of accounts, derived from a mnemonic (BIP 39) along a path (BIP 32), as in Cosmos wallets.
 */
import { HDKey } from "@scure/bip32";
import { generateMnemonic, mnemonicToSeedSync, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { accAddress, fromAccAddress, valAddress } from "../../base/bech32.ts";
import { toHex } from "../../base/bytes.ts";
import { fromBase64, toBase64 } from "../base64.ts";
import { addressOfKey } from "./check-tx.ts";

export interface AccountKey {
  readonly address: string;
  /** The compressed secp256k1 key in base64. */
  readonly publicKey: string;
  /** The private key: 32 bytes in hex. */
  readonly secret: string;
}

/** Entropy bits of 24 words. */
const BITS = 256;

export const newMnemonic = (): string => generateMnemonic(wordlist, BITS);

/** Derives a key from a mnemonic. Throws an Error if the mnemonic or the path is invalid. */
export function keyOf(mnemonic: string, path: string): AccountKey {
  const words = mnemonic.trim().toLowerCase().split(/\s+/).join(" ");
  if (!validateMnemonic(words, wordlist)) {
    throw new Error(
      "expected 12 to 24 words of the English list of BIP 39, the last of which fits the others",
    );
  }
  if (!/^m(\/\d{1,10}'?){1,8}$/.test(path)) {
    throw new Error(`expected a path such as m/44'/118'/0'/0/0, found "${path}"`);
  }
  const { privateKey, publicKey } = HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive(path);
  if (privateKey === null || publicKey === null) throw new Error(`no key lies at ${path}`);
  return {
    address: accAddress(addressOfKey(publicKey)),
    publicKey: toBase64(publicKey),
    secret: toHex(privateKey),
  };
}

/** The account of a compressed key in base64. */
export const addressOf = (publicKey: string): string =>
  accAddress(addressOfKey(fromBase64(publicKey)));

/** The operator's address of an account. Throws an Error for an invalid account address. */
export const operatorOf = (address: string): string => valAddress(fromAccAddress(address));
