/** `chainlab keys`: keys of accounts, stored unencrypted. */
import type { AddressPrefixes } from "../base/address-prefix.ts";
import { errorText } from "../base/error-text.ts";
import type { AccountKey, Keyring, NamedKey, RunContext, Wallet } from "./context.ts";
import { printedJson } from "./output.ts";
import { FAILED, PASSED } from "./run.ts";
import { toYaml } from "./yaml.ts";

/** Runs an action on keys; problems go to stderr. Returns the exit status. */
export async function withKeys(
  { wallet, stderr }: RunContext,
  { home, keyringBackend }: { readonly home?: string; readonly keyringBackend?: "test" },
  work: (wallet: Wallet, keyring: Keyring) => Promise<void>,
): Promise<number> {
  try {
    if (wallet === undefined) throw new Error("there is no keyring here");
    const found = await wallet();
    found.setPrefixOf(home);
    await work(found, found.keyring(home, keyringBackend));
    return PASSED;
  } catch (error) {
    stderr.write(`${errorText(error)}\n`);
    return FAILED;
  }
}

/** The key with a name or an account's address; undefined if there is none. */
export async function findKey(keyring: Keyring, named: string): Promise<NamedKey | undefined> {
  const keys = await keyring.list();
  return keys.find(({ name }) => name === named) ?? keys.find(({ address }) => address === named);
}

/** Rejects with an Error if there is no such key. */
export async function keyNamed(keyring: Keyring, named: string): Promise<NamedKey> {
  const key = await findKey(keyring, named);
  if (key !== undefined) return key;
  throw new Error(`${keyring.location}: there is no key ${named}; keys list names those that are`);
}

/** Returns true for an address of any chain, judged by its letters. */
export const isAddress = (text: string): boolean =>
  /^[a-z][a-z0-9]*1[02-9ac-hj-np-z]{38,}$/.test(text);

/** The kind of address of each format. */
const FORMS = { acc: "account", val: "validator", cons: "consensus" } as const;
/** Maximum characters of an address, as in the SDK. */
const MAX_LENGTH = 1023;

/** The flag of `keys show` that selects an address format. */
export const BECH = {
  kind: "enum",
  brief: "Form of the address: account, validator operator, or consensus key",
  values: ["acc", "val", "cons"],
  default: "acc",
} as const;

export type Bech = keyof typeof FORMS;

/**
 * An account's address in another format, with the same bytes. Rejects with an Error for an invalid
 * address.
 */
export async function addressAs(
  address: string,
  bech: Bech,
  prefixes: AddressPrefixes,
): Promise<string> {
  if (bech === "acc") return address;
  const { bech32 } = await import("@scure/base");
  const { words } = bech32.decode(address as `${string}1${string}`, MAX_LENGTH);
  return bech32.encode(prefixes[FORMS[bech]], words, MAX_LENGTH);
}

/** Names are also file names, and must not be addresses. */
export function checkKeyName(name: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(name) && !isAddress(name)) return;
  throw new Error(
    `expected a name of 1 to 64 letters, digits, _, - and ., beginning with a letter or digit, found "${name}"`,
  );
}

/** A key as printed: its name, account and public key. */
const shown = ({ name, address, publicKey }: NamedKey) => ({
  address,
  name,
  pubkey: pubkeyText({ publicKey }),
  type: "local",
});

export const pubkeyText = ({ publicKey: key }: Pick<AccountKey, "publicKey">): string =>
  JSON.stringify({ "@type": "/cosmos.crypto.secp256k1.PubKey", key });

/** Prints keys like the SDK's command lines: a list as text, or JSON. */
export function printKeys(
  { stdout }: RunContext,
  keys: readonly NamedKey[],
  output: "text" | "json",
): void {
  if (output === "json") stdout.write(printedJson(keys.map(shown)));
  else stdout.write(keys.length === 0 ? "[]\n" : toYaml(keys.map(shown)));
}

/** Prints an added key, and its mnemonic if that is new. */
export function printAdded(
  context: RunContext,
  keyring: Keyring,
  key: NamedKey,
  mnemonic: string | undefined,
  output: "text" | "json",
): void {
  const { stdout, stderr } = context;
  stderr.write(
    `the key is kept unencrypted in ${keyring.location}: use it on chains whose coins are worth nothing\n`,
  );
  if (output === "json") {
    stdout.write(printedJson({ ...shown(key), ...(mnemonic && { mnemonic }) }));
    return;
  }
  printKeys(context, [key], output);
  if (mnemonic === undefined) return;
  stdout.write(`\nthese words lead to the key again, wherever they are imported:\n\n${mnemonic}\n`);
}
