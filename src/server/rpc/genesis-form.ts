/** The genesis of a chain as returned by its nodes. */

import { toHexUpper, utf8 } from "../../base/bytes.ts";
import { formatRfc3339 } from "../../base/time.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { toBase64 } from "../../view/base64.ts";
import { type JsonObject, keyForm } from "../../view/events/forms.ts";
import { genesisToJson } from "../../view/genesis.ts";
import type { Json } from "../../view/json.ts";
import { internalError } from "../../view/rpc-error.ts";

/** Bytes per chunk of a genesis; a larger genesis is only returned in chunks. */
const PIECE = 2 * 1024 * 1024;

const known = new WeakMap<Simulation, string>();

/** `genesis`. Throws an RpcError if it is too large for one answer. */
export function genesisForm(sim: Simulation): JsonObject {
  const text = genesisText(sim);
  if (text.length > PIECE) {
    throw internalError("genesis response is large, please use the genesis_chunked API instead");
  }
  return { genesis: JSON.parse(text) as Json };
}

/** `genesis_chunked`: one chunk, in base64. Throws an RpcError if it does not exist. */
export function genesisPiece(sim: Simulation, requested: bigint): JsonObject {
  const bytes = utf8(genesisText(sim));
  const total = Math.ceil(bytes.length / PIECE);
  if (requested < 0n || requested >= BigInt(total)) {
    throw internalError(`there are ${total} chunks, ${requested} is invalid`);
  }
  const from = Number(requested) * PIECE;
  const data = toBase64(bytes.subarray(from, from + PIECE));
  return { chunk: `${requested}`, total: `${total}`, data };
}

/** It never changes, and is serialized once. */
function genesisText(sim: Simulation): string {
  const before = known.get(sim);
  if (before !== undefined) return before;
  const exported = sim.exportGenesis(sim.initialHeight - 1);
  const { chain_id, initial_height, consensus, app_state } = genesisToJson(exported) as {
    readonly [key: string]: Json;
  };
  const { list } = exported.sets.current;
  const text = JSON.stringify({
    genesis_time: formatRfc3339(sim.spec.genesisTime),
    chain_id,
    initial_height,
    consensus_params: (consensus as JsonObject).params,
    validators: list.addresses.map((_, i) => {
      const { address, pubKey, power } = list.at(i);
      return {
        address: toHexUpper(address),
        pub_key: keyForm(pubKey),
        power: `${power}`,
        name: "",
      };
    }),
    app_hash: "",
    app_state,
  });
  known.set(sim, text);
  return text;
}
