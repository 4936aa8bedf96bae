/** Keys of accounts on this machine, and signing with them. */
import { createInterface } from "node:readline/promises";
import { prefixesOf } from "../base/address-prefix.ts";
import { addressPrefix, setAddressPrefix } from "../base/bech32.ts";
import { INPUT } from "../base/limits.ts";
import type { Wallet } from "../cli/context.ts";
import { keyOf, newMnemonic, operatorOf } from "../view/tx/keys.ts";
import { decodeTx } from "../view/tx/read-tx.ts";
import { draftTx, encodeTx, signTx } from "../view/tx/sign-tx.ts";
import { chainIdIn, checkKeyringOf, prefixIn, usualHome } from "./home.ts";
import { keyringIn } from "./keyring.ts";

const usual = (): string => usualHome(process.platform, process.env);

export const createWallet = (): Wallet => ({
  setPrefixOf: (home = usual()) => setAddressPrefix(prefixIn(home)),
  prefixes: () => prefixesOf(addressPrefix()),
  chainIdOf: (home = usual()) => chainIdIn(home),
  keyring(home = usual(), backend) {
    const keyring = keyringIn(home);
    const list = async () => {
      if (backend === undefined) checkKeyringOf(home);
      return keyring.list();
    };
    return { ...keyring, list };
  },
  input: readInput,
  newMnemonic,
  keyOf,
  operatorOf,
  draft: draftTx,
  sign: signTx,
  encode: encodeTx,
  decode: decodeTx,
  ...(process.stdin.isTTY && { confirm }),
});

/** Asks the user, who answers with a line. */
async function confirm(question: string): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await asking.question(question)).trim());
  } finally {
    asking.close();
  }
}

/** Input from a pipe or the keyboard, up to its end. */
async function readInput(): Promise<string> {
  let text = "";
  process.stdin.setEncoding("utf8");
  for await (const part of process.stdin) {
    text += part;
    if (text.length > INPUT.fileBytes) throw new Error("expected less on standard input");
  }
  return text;
}
