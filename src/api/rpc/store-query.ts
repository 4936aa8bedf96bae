/** The value under a key of a store, with its proof: queries by `/store/NAME/key` (rules/clients 2.6). */
import { registerError } from "../../engine/framework/errors.ts";
import { EMPTY, utf8 } from "../../engine/primitives/bytes.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { find } from "../../engine/store/node.ts";
import { prove, proveStore } from "../../engine/store/proof.ts";
import { commitmentBytes } from "./ics23.ts";

/** What leads from a key one step up: bytes of a CommitmentProof. */
export interface ProofOp {
  readonly type: string;
  readonly key: Uint8Array;
  readonly data: Uint8Array;
}

export interface StoreAnswer {
  readonly key: Uint8Array;
  /** Empty also where the key is not there. */
  readonly value: Uint8Array;
  /** The proof in the tree of the store, then that of its root under the app hash; there if it is asked for. */
  readonly proofOps?: { readonly ops: ProofOp[] };
}

/** Codespace of the errors of stores. */
export const STORE_CODESPACE = "store";
const ErrTxDecode = registerError(STORE_CODESPACE, 3, "tx parse error");
const ErrUnknownRequest = registerError(STORE_CODESPACE, 4, "unknown request");

/** What of a store is asked for. */
interface StoreQuery {
  readonly store: string;
  /** The rest of the path, such as `/key`. */
  readonly of: string;
}

/** The store in a path such as `/store/bank/key`, and what is asked of it; undefined for another path. */
export function storePath(path: string): StoreQuery | undefined {
  const [found, store = "", of = ""] = /^\/?store(?:\/([^/]*)(.*))?$/s.exec(path) ?? [];
  return found === undefined ? undefined : { store, of };
}

/** Throws a ChainError for a store that there is not, another path than `/key`, and an empty key. */
export function storeQuery(
  sim: Simulation,
  { store, of }: StoreQuery,
  { key, height, withProof }: { key: Uint8Array; height: number; withProof: boolean },
): StoreAnswer {
  const state = sim.state(height);
  if (!state.has(store)) throw ErrUnknownRequest.wrap(`no such store: ${store}`);
  if (key.length === 0) throw ErrTxDecode.wrap("query cannot be zero length");
  if (of !== "/key") throw ErrUnknownRequest.wrap(`unexpected query path: ${of}`);
  const { root } = state.store(store);
  const value = find(root, key)?.value ?? EMPTY;
  if (!withProof) return { key, value };
  const ops = [
    { type: "ics23:iavl", key, data: commitmentBytes(prove(root, key)) },
    { type: "ics23:simple", key: utf8(store), data: commitmentBytes(proveStore(state, store)) },
  ];
  return { key, value, proofOps: { ops } };
}
