/**
 * Store queries: `/store/NAME/key`, with a proof, and `/store/NAME/subspace`, of all keys with a
 * prefix (rules/clients 2.6).
 */
import { create, toBinary } from "@bufbuild/protobuf";
import { EMPTY, utf8 } from "../../base/bytes.ts";
import { RPC } from "../../base/limits.ts";
import { registerError, STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { type Entry, find } from "../../engine/store/node.ts";
import { prove, proveStore } from "../../engine/store/proof.ts";
import { PairsSchema } from "../../gen/cosmos/store/internal/kv/v1beta1/kv_pb.ts";
import { commitmentBytes } from "./ics23.ts";

/** One step of a proof from a key to the root: `data` is a CommitmentProof in bytes. */
export interface ProofOp {
  readonly type: string;
  readonly key: Uint8Array;
  readonly data: Uint8Array;
}

export interface StoreAnswer {
  readonly key: Uint8Array;
  /** Empty also if the key is missing. */
  readonly value: Uint8Array;
  /**
   * The proof in the tree of the store, then that of its root under the app hash; present if
   * requested.
   */
  readonly proofOps?: { readonly ops: ProofOp[] };
}

/** Codespace of the errors of stores. */
export const STORE_CODESPACE = "store";
const ErrTxDecode = registerError(STORE_CODESPACE, 3, "tx parse error");
const ErrUnknownRequest = registerError(STORE_CODESPACE, 4, "unknown request");

/** A parsed query of a store. */
interface StoreQuery {
  readonly store: string;
  /** The rest of the path, such as `/key`. */
  readonly of: string;
}

/** Splits a path such as `/store/bank/key` into store and rest; undefined for another path. */
export function storePath(path: string): StoreQuery | undefined {
  const [found, store = "", of = ""] = /^\/?store(?:\/([^/]*)(.*))?$/s.exec(path) ?? [];
  return found === undefined ? undefined : { store, of };
}

/** Throws a ChainError for an unknown store or path, and an empty key. */
export function storeQuery(
  sim: Simulation,
  { store, of }: StoreQuery,
  { key, height, withProof }: { key: Uint8Array; height: number; withProof: boolean },
): StoreAnswer {
  const state = sim.state(height);
  if (!state.has(store)) throw ErrUnknownRequest.wrap(`no such store: ${store}`);
  if (key.length === 0) throw ErrTxDecode.wrap("query cannot be zero length");
  // As upstream, without a proof: there is none for several keys.
  if (of === "/subspace") return { key, value: pairsOf(state.store(store).prefix(key)) };
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

/** Encodes keys with their values. Throws a StatusError if they exceed the limit of an answer. */
function pairsOf(entries: Iterable<Entry>): Uint8Array {
  const pairs: { readonly key: Uint8Array; readonly value: Uint8Array }[] = [];
  let bytes = 0;
  for (const { key, value } of entries) {
    bytes += key.length + value.length;
    if (bytes > RPC.subspaceBytes) {
      const text = `the keys with this prefix and their values are more than ${RPC.subspaceBytes} bytes`;
      throw new StatusError(STATUS.resourceExhausted, text);
    }
    pairs.push({ key, value });
  }
  return toBinary(PairsSchema, create(PairsSchema, { pairs }));
}
