import { toHexUpper } from "../../../base/bytes.ts";
import type { App } from "../../../engine/app/app.ts";
import { STATUS, StatusError } from "../../../engine/framework/errors.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { CommittedStore } from "../../../engine/store/committed-state.ts";
import type { Entry } from "../../../engine/store/kv-store.ts";
import { find, type Leaf } from "../../../engine/store/node.ts";
import { type ExistenceProof, prove, proveStore } from "../../../engine/store/proof.ts";
import type { LabAnswer, LabRequest } from "../../../gen/lab/v1/lab_plain.ts";
import type { ExistenceProof as Proved, StoreKey } from "../../../gen/lab/v1/state_plain.ts";
import { bytesOf } from "../../hex.ts";
import { keyOfName, nameOf, nameOfKey, ownersOf, textOf } from "./entry-names.ts";

/** Maximum characters of a value in a list of keys. */
const SHOWN = 1000;
/** Default number of keys in a list. */
const ON_A_PAGE = 100;

/**
 * The stores of the state after a height. Like all functions here, throws StatusError for a height
 * that does not exist.
 */
export function storesOf(sim: Simulation, height: number): LabAnswer<"getStores"> {
  const state = sim.state(height);
  return {
    height,
    appHash: toHexUpper(state.appHash),
    stores: state.storeNames.map((name) => ({
      name,
      keys: state.store(name).root?.size ?? 0,
      root: toHexUpper(state.root(name)),
    })),
    tampered: sim.tampered.filter((each) => each.height <= height),
  };
}

/** The keys of a store with a prefix that match the search words, page by page. */
export function storeKeysOf(
  sim: Simulation,
  { store = "", prefix = "", search = "", offset = 0, limit = 0 }: LabRequest<"getStoreKeys">,
  height: number,
): LabAnswer<"getStoreKeys"> {
  const entries = storeOf(sim, store, height).prefix(bytesOf(prefix));
  const app = sim.read((_, each) => each, height);
  const owners = ownersOf(sim);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (entry: Entry): boolean => {
    const text = textOf(app, store, entry);
    const all = `${toHexUpper(entry.key)} ${nameOf(text, owners)} ${text.value}`.toLowerCase();
    return words.every((word) => all.includes(word));
  };
  const page: Entry[] = [];
  let total = 0;
  for (const entry of entries) {
    if (words.length > 0 && !has(entry)) continue;
    total += 1;
    if (total > offset && page.length < (limit || ON_A_PAGE)) page.push(entry);
  }
  const keys = page.map((entry) => {
    const text = textOf(app, store, entry);
    const { value } = text;
    return {
      key: toHexUpper(entry.key),
      name: nameOf(text, owners),
      text: value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value,
      size: entry.value.length,
      written: versionAt(entry.version, height),
    };
  });
  const missing = missingOf(sim, app, store, search, total > 0, height);
  return { height, keys, total, ...(missing && { missing }) };
}

/** A missing key that matches the search: by its name, or if nothing is found, by its bytes. */
function missingOf(
  sim: Simulation,
  app: App,
  store: string,
  search: string,
  found: boolean,
  height: number,
): StoreKey | undefined {
  const hex = search.replaceAll(/^0x|\s/gi, "");
  const isHex = !found && hex !== "" && /^([0-9a-f]{2})+$/i.test(hex);
  const key = keyOfName(sim, app, store, search.trim()) ?? (isHex ? bytesOf(hex) : undefined);
  if (key === undefined || find(storeOf(sim, store, height).root, key) !== undefined) return;
  const name = nameOfKey(sim, app, store, key);
  return { key: toHexUpper(key), name, text: "", size: 0, written: 0 };
}

/**
 * Genesis is committed with the first block: before that, its entries have the version below the
 * initial height.
 */
const versionAt = (version: number, height: number): number => Math.min(version, height);

/** Returns the entry under one key. */
export function storeEntryOf(
  sim: Simulation,
  store: string,
  key: string,
  height: number,
): LabAnswer<"getStoreEntry"> {
  const leaf = leafOf(sim, store, key, height);
  const text = textOf(
    sim.read((_, app) => app, height),
    store,
    leaf,
  );
  return {
    ...{ height, store },
    key: toHexUpper(leaf.key),
    name: nameOf(text, ownersOf(sim)),
    value: toHexUpper(leaf.value),
    text: text.value,
    written: versionAt(leaf.version, height),
  };
}

/** The proof of a key's value or absence, up to the app hash in the next header. */
export function storeProofOf(
  sim: Simulation,
  store: string,
  key: string,
  height: number,
): LabAnswer<"getStoreProof"> {
  const bytes = bytesOf(key);
  const { root } = storeOf(sim, store, height);
  if (height < sim.initialHeight) {
    const first = sim.initialHeight;
    const text = `the genesis is committed with block ${first}: before it no header has its app hash`;
    throw new StatusError(STATUS.failedPrecondition, text);
  }
  const state = sim.state(height);
  const app = sim.read((_, each) => each, height);
  const header = sim.header(height + 1);
  const named = (proof: ExistenceProof): Proved =>
    provedOf(proof, nameOfKey(sim, app, store, proof.key));
  const proof = prove(root, bytes);
  return {
    ...{ height, store },
    ...("path" in proof
      ? { tree: named(proof) }
      : {
          absent: {
            key: toHexUpper(bytes),
            name: nameOfKey(sim, app, store, bytes),
            ...(proof.left && { left: named(proof.left) }),
            ...(proof.right && { right: named(proof.right) }),
          },
        }),
    stores: provedOf(proveStore(state, store), ""),
    appHash: toHexUpper(state.appHash),
    headerHeight: header === undefined ? 0 : height + 1,
    headerAppHash: header === undefined ? "" : toHexUpper(header.appHash),
  };
}

const provedOf = (
  { key, value, leafPrefix, leafHash, path }: ExistenceProof,
  name: string,
): Proved => ({
  key: toHexUpper(key),
  name,
  value: toHexUpper(value),
  leafPrefix: toHexUpper(leafPrefix),
  leafHash: toHexUpper(leafHash),
  path: path.map(({ prefix, suffix, hash, covers }) => ({
    prefix: toHexUpper(prefix),
    suffix: toHexUpper(suffix),
    hash: toHexUpper(hash),
    covers,
  })),
});

function storeOf(sim: Simulation, name: string, height: number): CommittedStore {
  const state = sim.state(height);
  if (state.has(name)) return state.store(name);
  throw new StatusError(
    STATUS.notFound,
    `there is no store "${name}" after block ${height}: there are ${state.storeNames.join(", ")}`,
  );
}

function leafOf(sim: Simulation, store: string, key: string, height: number): Leaf {
  const bytes = bytesOf(key);
  const leaf = find(storeOf(sim, store, height).root, bytes);
  if (leaf !== undefined) return leaf;
  const text = `store ${store} has no key ${toHexUpper(bytes)} after block ${height}`;
  throw new StatusError(STATUS.notFound, text);
}
