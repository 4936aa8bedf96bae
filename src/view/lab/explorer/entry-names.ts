import { accAddress, consAddress, valAddress } from "../../../base/bech32.ts";
import { EMPTY } from "../../../base/bytes.ts";
import type { App } from "../../../engine/app/app.ts";
import { describeEntry, keyNamed } from "../../../engine/app/describe.ts";
import type { EntryText } from "../../../engine/framework/describe.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { Entry } from "../../../engine/store/kv-store.ts";

/** Names of accounts and validators by their addresses in bech32. */
export function ownersOf(sim: Simulation): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const name of sim.accountNames()) {
    const address = sim.account(name);
    if (address === undefined) continue;
    owners.set(accAddress(address), name);
    owners.set(valAddress(address), name);
  }
  for (const { consensusAddress, name } of sim.nodes()) {
    const address = consAddress(consensusAddress);
    if (!owners.has(address)) owners.set(address, name);
  }
  return owners;
}

/**
 * Resolves a readable name such as `delegation alice val-1` to a store key, which need not exist.
 */
export function keyOfName(
  sim: Simulation,
  app: App,
  store: string,
  name: string,
): Uint8Array | undefined {
  const owners = [...ownersOf(sim)];
  return keyNamed(app, store, name, (word) => [
    word,
    ...owners.flatMap(([address, owner]) => (owner === word ? [address] : [])),
  ]);
}

/** Name of a store entry, with names for addresses. */
export const nameOf = (text: EntryText | undefined, owners: ReadonlyMap<string, string>): string =>
  text === undefined
    ? ""
    : [text.kind, ...text.of.map((part) => owners.get(part) ?? part)]
        .filter((part) => part !== "")
        .join(" ");

/** By application, which may lack the module, and by entry, which never changes. */
const known = new WeakMap<App, WeakMap<Entry, EntryText>>();

/** An entry of a store as formatted by its module; cached. */
export function textOf(app: App, store: string, entry: Entry): EntryText {
  const texts = known.get(app) ?? new WeakMap<Entry, EntryText>();
  known.set(app, texts);
  const text = texts.get(entry) ?? describeEntry(app, store, entry.key, entry.value);
  texts.set(entry, text);
  return text;
}

/** Name of a key, which need not exist in the store. */
export const nameOfKey = (sim: Simulation, app: App, store: string, key: Uint8Array): string =>
  nameOf(describeEntry(app, store, key, EMPTY), ownersOf(sim));
