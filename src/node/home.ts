/** The home of a node: `config/` for its settings, `data/` for its one chain. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { USUAL_PREFIX } from "../base/address-prefix.ts";
import { errorText } from "../base/error-text.ts";
import type { ChainIdSetting } from "../cli/context.ts";
import { UsageError } from "../cli/usage-error.ts";
import { isFolder, makeFolder } from "./files.ts";
import { isAddress } from "./remote.ts";

/**
 * Default data folder of the user's programs, by each system's conventions; CHAINLAB_HOME overrides
 * it.
 */
export function usualHome(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string {
  if (env.CHAINLAB_HOME) return env.CHAINLAB_HOME;
  const home = homedir();
  if (platform === "win32") {
    return join(env.LOCALAPPDATA ?? join(home, "AppData", "Local"), "chainlab");
  }
  if (platform === "darwin") return join(home, "Library", "Application Support", "chainlab");
  return join(env.XDG_DATA_HOME || join(home, ".local", "share"), "chainlab");
}

export const dataOf = (home: string): string => join(home, "data");
const configOf = (home: string, file: string): string => join(home, "config", file);

/** The file in which a node names the upgrade that it stopped for. */
export const upgradeInfoOf = (home: string): string => join(dataOf(home), "upgrade-info.json");

/** Folder of the keys of a home. */
export const keyringOf = (home: string): string => join(home, "keyring-test");

/**
 * Creates the folders of a home. Throws a UsageError with the reason if it cannot, or if one of
 * its files is a folder.
 */
export function layOut(home: string): void {
  for (const folder of [home, join(home, "config"), dataOf(home)]) {
    try {
      makeFolder(folder);
    } catch (error) {
      throw new UsageError(`${folder}: cannot be used: ${errorText(error)}`);
    }
  }
  for (const file of ["genesis.json", "client.toml"]) readIn(configOf(home, file));
  readIn(upgradeInfoOf(home));
  try {
    isFolder(keyringOf(home));
  } catch (error) {
    throw new UsageError(errorText(error));
  }
}

/**
 * The text of a file; undefined if it is missing. Throws a UsageError if it is not a file, or
 * cannot be read.
 */
function readIn(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    const why = code === "EISDIR" ? "expected a file, found a folder" : `cannot be read (${code})`;
    throw new UsageError(`${path}: ${why}`);
  }
}

/**
 * Writes a file atomically, by rename, and syncs it to disk; only its owner may read it if
 * `isPrivate`.
 */
export function writeAtomically(path: string, content: string, isPrivate = false): void {
  const half = `${path}.${process.pid}.part`;
  writeFileSync(half, content, { flush: true, ...(isPrivate && { mode: 0o600 }) });
  renameSync(half, path);
  // Syncs the folder, which makes the name durable.
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Configuration of the home's clients: its chain and the addresses of its node. */
export interface ClientConfig {
  readonly chainId: string;
  /** Addresses such as 127.0.0.1:26657; empty if there is no such server. */
  readonly rpc: string;
  readonly rest: string;
  readonly grpc: string;
}

/** Writes `config/client.toml`, in which `status` and other commands find the node of a home. */
export function writeClientConfig(home: string, config: ClientConfig): void {
  const lines = [
    "# Where this home's node answers; written anew whenever it starts.",
    `chain-id = ${JSON.stringify(config.chainId)}`,
    `keyring-backend = ${settingIn(home, "keyring-backend", "test")}`,
    `output = ${settingIn(home, "output", "text")}`,
    `node = ${JSON.stringify(config.rpc && `tcp://${config.rpc}`)}`,
    `grpc-addr = ${JSON.stringify(config.grpc)}`,
    `rest = ${JSON.stringify(config.rest && `http://${config.rest}`)}`,
  ];
  writeAtomically(configOf(home, "client.toml"), `${lines.join("\n")}\n`);
}

/** The current value of a setting, or the default if there is none yet. */
const settingIn = (home: string, key: string, usual: string): string =>
  settingsIn(readIn(configOf(home, "client.toml"))).get(key) ?? JSON.stringify(usual);

/** A line of a setting: its name, and its value as in the file, before a comment. */
const SETTING = /^[ \t]*([a-z-]+)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|'[^']*'|.*?)[ \t]*(?:#.*)?$/gm;

/** All settings of a text, as in the file. */
const settingsIn = (text = ""): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(SETTING)].map(([, key = "", value = ""]) => [key, value]));

/** The value of a setting without its quotes. */
const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/, "$2");

/** `config/genesis.json`. */
export const genesisFileOf = (home: string): string => configOf(home, "genesis.json");

/** Returns true if a home has had a chain: its node has written its addresses. */
export const isUsed = (home: string): boolean =>
  hasGenesis(home) || /^["']tcp:/.test(settingIn(home, "node", ""));

/** Returns true if `config/genesis.json` exists. */
export const hasGenesis = (home: string): boolean => existsSync(configOf(home, "genesis.json"));

/** Writes `config/genesis.json`, the chain's genesis. */
export function writeGenesis(home: string, genesis: string): void {
  writeAtomically(configOf(home, "genesis.json"), genesis);
}

/** Address prefix of a home's chain; undefined if there is no chain, or it names no prefix. */
export const prefixIn = (home: string): string | undefined => genesisIn(home)?.lab?.prefix;

/**
 * How `config/genesis.json` differs from the genesis of the home's chain, as the rest of a sentence
 * about the file; undefined if it is the same JSON.
 */
export function genesisDifference(home: string, genesis: string): string | undefined {
  const found = genesisIn(home);
  const own = JSON.parse(genesis);
  if (isDeepStrictEqual(found, own)) return undefined;
  const id = found?.chain_id;
  if (typeof id !== "string") return "is no genesis of a chain";
  const prefixOf = (file: typeof own): unknown => file.lab?.prefix ?? USUAL_PREFIX;
  const differences = [
    ...(id === own.chain_id ? [] : [`of chain ${id}, not ${own.chain_id}`]),
    ...(prefixOf(found) === prefixOf(own)
      ? []
      : [`of address prefix ${prefixOf(found)}, not ${prefixOf(own)}`]),
  ];
  if (differences.length > 0) return `is ${differences.join(", and ")}`;
  return `has another content than the genesis that ${id} began with`;
}

/** Moves `config/genesis.json` to another name beside it; returns the new path. */
export function quarantineGenesis(home: string): string {
  const file = genesisFileOf(home);
  const text = readFileSync(file, "utf8");
  for (let i = 1; ; i++) {
    const quarantined = configOf(home, `genesis-${i}.json`);
    // Worlds that are played in turn leave one file each.
    if (existsSync(quarantined) && !isText(quarantined, text)) continue;
    renameSync(file, quarantined);
    return quarantined;
  }
}

function isText(path: string, text: string): boolean {
  try {
    return readFileSync(path, "utf8") === text;
  } catch {
    return false;
  }
}

function genesisIn(home: string) {
  try {
    return JSON.parse(readFileSync(configOf(home, "genesis.json"), "utf8"));
  } catch {
    return undefined;
  }
}

/** The RPC address that a home's node wrote when it started. */
export const rpcAddressIn = (home: string): string => addressIn(home, "node");

/** The node's gRPC address. */
export const grpcAddressIn = (home: string): string => addressIn(home, "grpc-addr");

function addressIn(home: string, key: string): string {
  const { file, text } = clientConfigIn(home);
  const address = unquoted(settingsIn(text).get(key) ?? "");
  if (address === "") throw new Error(`${file}: expected ${key} = "${ADDRESSES[key]}"`);
  checkSetting(`${file}: `, key, address);
  return address;
}

/** A setting of the home's clients in file format, such as `"lab-1"` for `chain-id`. */
export function clientSettingIn(home: string, key: string): string {
  const { file, text } = clientConfigIn(home);
  const settings = settingsIn(text);
  const value = settings.get(key);
  if (value !== undefined) return value;
  throw new Error(`${file}: there is no ${key}: expected ${[...settings.keys()].join(", ")}`);
}

/** All settings of the home's clients, as in the file. */
export const clientSettingsIn = (home: string): string => clientConfigIn(home).text;

/** The possible values of restricted settings, and the reason. */
const VALUES: Readonly<Record<string, { readonly of: readonly string[]; readonly why?: string }>> =
  {
    "keyring-backend": { of: ["test"], why: "keys are only kept openly, in files" },
    output: { of: ["text", "json"] },
  };

/** Examples of the settings that are addresses; they are empty where there is no such server. */
const ADDRESSES: Readonly<Record<string, string>> = {
  node: "tcp://127.0.0.1:26657",
  "grpc-addr": "127.0.0.1:9090",
  rest: "http://127.0.0.1:1317",
};

/** Throws an Error for an invalid value of a setting, with `where` as prefix. */
function checkSetting(where: string, key: string, value: string): void {
  const example = ADDRESSES[key];
  if (example !== undefined && value !== "" && !isAddress(value)) {
    throw new Error(`${where}${key}: expected an address such as ${example}, found "${value}"`);
  }
  const possible = VALUES[key];
  if (possible === undefined || possible.of.includes(value)) return;
  const why = possible.why === undefined ? "" : `: ${possible.why}`;
  throw new Error(`${where}${key}: expected ${possible.of.join(" or ")}, found "${value}"${why}`);
}

/** The value of a setting, or the default if there is none. Throws as `checkSetting` does. */
function checkedIn(home: string, key: string, usual: string): string {
  const value = unquoted(settingIn(home, key, usual));
  checkSetting(`${configOf(home, "client.toml")}: `, key, value);
  return value;
}

/**
 * The output format if a command line names none; text in a home without settings. Throws as
 * `checkSetting` does.
 */
export const outputIn = (home: string): "text" | "json" =>
  checkedIn(home, "output", "text") === "json" ? "json" : "text";

/** The chain id that a home's clients sign for, with its place; undefined without one. */
export function chainIdIn(home: string): ChainIdSetting | undefined {
  const id = unquoted(settingIn(home, "chain-id", ""));
  return id === "" ? undefined : { id, where: `${configOf(home, "client.toml")}: chain-id` };
}

/** Throws an Error if the settings of a home name an unsupported keyring. */
export const checkKeyringOf = (home: string): unknown => checkedIn(home, "keyring-backend", "test");

/** Writes a setting of the home's clients; the node's own settings are rewritten when it starts. */
export function setClientSetting(home: string, key: string, value: string): void {
  if (!existsSync(configOf(home, "client.toml"))) {
    layOut(home);
    writeClientConfig(home, { chainId: "", rpc: "", rest: "", grpc: "" });
  }
  clientSettingIn(home, key);
  checkSetting("", key, value);
  const { file, text } = clientConfigIn(home);
  const line = `${key} = ${JSON.stringify(value)}`;
  writeAtomically(
    file,
    text.replace(SETTING, (found, name) => (name === key ? line : found)),
  );
}

function clientConfigIn(home: string): { readonly file: string; readonly text: string } {
  const file = configOf(home, "client.toml");
  const text = readIn(file);
  if (text !== undefined) return { file, text };
  throw new Error(`${home}: no node was ever started here: there is no config/client.toml`);
}
