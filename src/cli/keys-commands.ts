/** The command lines of `chainlab keys`. */
import {
  buildCommand,
  buildRouteMap,
  type CommandContext,
  type StricliProcess,
} from "@stricli/core";
import type { RunContext, Wallet } from "./context.ts";
import { CLIENT_OUTPUT, readInteger } from "./flags.ts";
import {
  addressAs,
  BECH,
  type Bech,
  checkKeyName,
  findKey,
  keyNamed,
  printAdded,
  printKeys,
  pubkeyText,
  withKeys,
} from "./keys.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

const text = (brief: string, placeholder: string) =>
  ({ kind: "parsed", brief, parse: String, placeholder }) as const;
const optional = (brief: string, placeholder: string) =>
  ({ ...text(brief, placeholder), optional: true }) as const;
const yes = (brief: string) =>
  ({ kind: "boolean", brief, default: false, withNegated: false }) as const;
const whole = (brief: string, usual: string) =>
  ({ kind: "parsed", brief, parse: readInteger, placeholder: "NUMBER", default: usual }) as const;

const COMMON = {
  home: optional("Home of the keys. Default: the standard home", "DIR"),
  keyringBackend: {
    kind: "enum",
    brief: "Storage of keys: unencrypted, in files",
    values: ["test"],
    optional: true,
  },
  ...CLIENT_OUTPUT,
} as const;

interface Flags {
  readonly home?: string;
  readonly keyringBackend?: "test";
  readonly output?: "text" | "json";
}

const PATH = {
  hdPath: optional("Derivation path. Default: m/44'/118'/0'/0/0", "PATH"),
  coinType: whole("The coin in that path", "118"),
  account: whole("The account in that path", "0"),
  index: whole("The address in that path", "0"),
} as const;

interface PathFlags {
  readonly hdPath?: string;
  readonly coinType: number;
  readonly account: number;
  readonly index: number;
}

const pathOf = ({ hdPath, coinType, account, index }: PathFlags): string =>
  hdPath ?? `m/44'/${coinType}'/${account}'/0/${index}`;

const name = text("What the key is called", "NAME");
const source = optional("A file with the words, instead of what is piped in", "FILE");

/** The mnemonic in a file, or in piped input. */
async function mnemonicIn(
  { readFile }: RunContext,
  { input }: Wallet,
  file: string | undefined,
): Promise<string> {
  if (file !== undefined) return readFile(file);
  if (input === undefined) throw new Error("expected words, or --source FILE with them");
  return input();
}

interface AddFlags extends Flags, PathFlags {
  readonly recover: boolean;
  readonly source?: string;
}

/** Stores the key of a mnemonic; of a new one by default. */
const add = (
  { lab }: Context,
  flags: Flags & PathFlags,
  named: string,
  words: (wallet: Wallet) => Promise<string | undefined>,
): Promise<number> =>
  withKeys(lab, flags, async (wallet, keyring) => {
    checkKeyName(named);
    if ((await findKey(keyring, named)) !== undefined) {
      throw new Error(
        `${keyring.location}: there is a key ${named} already; keys delete removes it`,
      );
    }
    const input = await words(wallet);
    const mnemonic = input ?? wallet.newMnemonic();
    const key = { name: named, ...wallet.keyOf(mnemonic, pathOf(flags)) };
    await keyring.add(key);
    printAdded(
      lab,
      keyring,
      key,
      input === undefined ? mnemonic : undefined,
      flags.output ?? lab.usualOutput,
    );
  });

const addCommand = buildCommand<AddFlags, [string], Context>({
  docs: {
    brief: "Creates a new key, or with --recover one from a mnemonic",
    fullDescription:
      "Makes a key and keeps it openly in keyring-test/ of the home, as the field's test keyring does. Without --recover the words that lead to it are new, and are printed this once. Examples: chainlab keys add me --home ~/lab; echo WORDS | chainlab keys add me --recover",
  },
  parameters: {
    aliases: { o: "output" },
    flags: { ...COMMON, ...PATH, recover: yes("Take words that are there already"), source },
    positional: { kind: "tuple", parameters: [name] },
  },
  async func(flags, named) {
    const words = async (wallet: Wallet) =>
      flags.recover ? mnemonicIn(this.lab, wallet, flags.source) : undefined;
    this.process.exitCode = await add(this, flags, named, words);
  },
});

const importCommand = buildCommand<
  Flags & PathFlags & { readonly source?: string },
  [string, ...string[]],
  Context
>({
  docs: {
    brief: "Imports a key from a mnemonic",
    fullDescription:
      "Imports a key from a mnemonic: the words after its name, in --source FILE, or from standard input. Examples: chainlab keys import me abandon abandon … about; chainlab keys import me --source words.txt",
    customUsage: ["NAME [WORDS...]", "NAME --source FILE"],
  },
  parameters: {
    aliases: { o: "output" },
    flags: { ...COMMON, ...PATH, source },
    positional: {
      kind: "array",
      parameter: { brief: "Its name, and the words", parse: String, placeholder: "NAME WORDS" },
      minimum: 1,
    },
  },
  async func(flags, named, ...input) {
    const words = async (wallet: Wallet) =>
      input.length > 0 ? input.join(" ") : mnemonicIn(this.lab, wallet, flags.source);
    this.process.exitCode = await add(this, flags, named, words);
  },
});

const list = buildCommand<Flags & { readonly listNames: boolean }, [], Context>({
  docs: {
    brief: "Lists the keys of a home",
    fullDescription:
      "Lists the keys of a home by name, with their accounts. Example: chainlab keys list --home ~/lab",
  },
  parameters: {
    flags: { ...COMMON, listNames: yes("Only their names") },
    aliases: { n: "listNames", o: "output" },
  },
  async func({ output, listNames, ...place }) {
    this.process.exitCode = await withKeys(this.lab, place, async (_, keyring) => {
      const keys = await keyring.list();
      if (listNames) this.lab.stdout.write(keys.map((key) => `${key.name}\n`).join(""));
      else printKeys(this.lab, keys, output ?? this.lab.usualOutput);
    });
  },
});

interface ShowFlags extends Flags {
  readonly address: boolean;
  readonly pubkey: boolean;
  readonly bech: Bech;
}

const show = buildCommand<ShowFlags, [string], Context>({
  docs: {
    brief: "Shows a key",
    fullDescription:
      "Shows the account and the public key of a key, by its name or its address. Examples: chainlab keys show me; chainlab keys show me --address --bech val",
  },
  parameters: {
    flags: {
      ...COMMON,
      address: yes("Only its address"),
      pubkey: yes("Only its public key"),
      bech: BECH,
    },
    aliases: { a: "address", p: "pubkey", o: "output" },
    positional: {
      kind: "tuple",
      parameters: [text("The name of a key, or its address", "NAME")],
    },
  },
  async func({ output, address, pubkey, bech, ...place }, named) {
    this.process.exitCode = await withKeys(this.lab, place, async (wallet, keyring) => {
      if (address && pubkey) throw new Error("expected --address or --pubkey, found both");
      const found = await keyNamed(keyring, named);
      const as = await addressAs(found.address, bech, wallet.prefixes());
      if (address) this.lab.stdout.write(`${as}\n`);
      else if (pubkey) this.lab.stdout.write(`${pubkeyText(found)}\n`);
      else printKeys(this.lab, [{ ...found, address: as }], output ?? this.lab.usualOutput);
    });
  },
});

const remove = buildCommand<Flags & { readonly yes: boolean }, [string], Context>({
  docs: {
    brief: "Deletes a key",
    fullDescription:
      "Deletes a key; only its mnemonic can restore it. Example: chainlab keys delete me --yes",
  },
  parameters: {
    flags: { ...COMMON, yes: yes("Delete it without being asked") },
    aliases: { y: "yes", o: "output" },
    positional: { kind: "tuple", parameters: [name] },
  },
  async func({ yes: sure, ...place }, named) {
    this.process.exitCode = await withKeys(this.lab, place, async (_, keyring) => {
      const key = await keyNamed(keyring, named);
      if (!sure) throw new Error(`expected --yes, for only its words bring ${key.name} back`);
      await keyring.remove(key.name);
      this.lab.stdout.write(`${key.name} is deleted\n`);
    });
  },
});

export const keysCommands = buildRouteMap<string, Context>({
  docs: {
    brief: "Creates, imports, lists and deletes keys of accounts; they are stored unencrypted",
    fullDescription:
      "Makes, imports, lists and deletes keys of accounts. They are kept openly in keyring-test/ of a home: for chains whose coins are worth nothing. Examples: chainlab keys add me; chainlab keys show me --address; chainlab keys list -o json",
  },
  routes: { add: addCommand, import: importCommand, list, show, delete: remove },
});
