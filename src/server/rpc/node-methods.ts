import { openBlocks, openGenesis } from "../../view/lab/reading.ts";

/** Facts of a node about itself and its chain. */

import { toHex, toHexUpper } from "../../base/bytes.ts";
import { formatRfc3339 } from "../../base/time.ts";
import { EMPTY_HASH } from "../../engine/consensus/hashes.ts";
import { decidedBlock } from "../../engine/simulation/decided-blocks.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import { consensusParamsOf } from "../../engine/simulation/world.ts";
import { toBase64 } from "../../view/base64.ts";
import { bytesForm, type JsonObject, keyForm } from "../../view/events/forms.ts";
import { paramsToJson } from "../../view/genesis.ts";
import { nodeFacts } from "../../view/node-facts.ts";
import { type AbciAnswer, abciQuery } from "../../view/store-query/abci-query.ts";
import type { ProofOp } from "../../view/store-query/store-query.ts";
import { consensusState, dumpedState, membersOf } from "./consensus-state.ts";
import { genesisForm, genesisPiece } from "./genesis-form.ts";
import { heightOf, limitOf, pageOf } from "./heights.ts";
import { read } from "./method.ts";

/** Bytes of an address. */
const ADDRESS_SIZE = 20;

export const NODE_METHODS = {
  health: read({}, () => ({})),
  status: read({}, function* ({ sim }, _, { address }) {
    yield* openBlocks(sim.initialHeight);
    return status(sim, address);
  }),
  net_info: read({}, () => ({
    listening: true,
    listeners: ["Listener(@)"],
    n_peers: "0",
    peers: [],
  })),
  genesis: read({}, function* ({ sim }) {
    yield* openGenesis(sim.initialHeight - 1);
    return genesisForm(sim);
  }),
  genesis_chunked: read({ chunk: "integer" }, function* ({ sim }, { chunk = 0n }) {
    yield* openGenesis(sim.initialHeight - 1);
    return genesisPiece(sim, chunk);
  }),
  consensus_params: read({ height: "integer" }, ({ sim }, { height }) => ({
    block_height: `${heightOf(sim, height, sim.decidedHeight + 1)}`,
    consensus_params: paramsToJson(consensusParamsOf(sim.spec)),
  })),
  validators: read(
    { height: "integer", page: "integer", per_page: "integer" },
    function* ({ sim }, { height, page, per_page }) {
      const at = heightOf(sim, height, sim.decidedHeight + 1);
      yield { kind: "sets", height: at - 1 };
      const next = sim.decidedHeight + 1;
      const set = at === next ? sim.network.ledger.voting : sim.votingSetAt(at);
      const members = membersOf(set);
      const { from, count } = pageOf(members.length, page, per_page);
      return {
        block_height: `${at}`,
        validators: members.slice(from, from + count),
        count: `${count}`,
        total: `${members.length}`,
      };
    },
  ),
  consensus_state: read({}, ({ sim }) => consensusState(sim)),
  dump_consensus_state: read({}, ({ sim }) => dumpedState(sim)),
  unconfirmed_txs: read({ limit: "integer" }, ({ sim }, { limit }) => {
    const txs = sim.network.mempool.txs.slice(0, limitOf(limit));
    return { ...waiting(sim), n_txs: `${txs.length}`, txs: txs.map(toBase64) };
  }),
  num_unconfirmed_txs: read({}, ({ sim }) => waiting(sim)),
  abci_info: read({}, ({ sim }) => ({
    response: {
      data: "chainlab",
      version: sim.node(sim.nodes()[0]?.name ?? "")?.binary ?? "",
      last_block_height: `${sim.height}`,
      last_block_app_hash: toBase64(sim.appHash),
    },
  })),
  abci_query: read(
    { path: "text", data: "hex", height: "integer", prove: "flag" },
    function* (
      queries,
      { path = "", data = new Uint8Array(), height = 0n, prove = false },
      { namespace },
    ) {
      const requested = { path, data, height, prove };
      return abciForm(yield* abciQuery(queries.sim, queries, namespace, requested));
    },
  ),
};

const abciForm = ({
  key = new Uint8Array(),
  value,
  proofOps,
  height,
  ...refusal
}: AbciAnswer): JsonObject => ({
  response: {
    ...refusal,
    info: "",
    index: "0",
    key: bytesForm(key),
    value: bytesForm(value),
    proofOps: proofOps ? { ops: proofOps.ops.map(opForm) } : null,
    height: `${height}`,
  },
});

const opForm = ({ type, key, data }: ProofOp): JsonObject => ({
  type,
  key: toBase64(key),
  data: toBase64(data),
});

const waiting = ({ network: { mempool } }: Simulation): JsonObject => ({
  n_txs: `${mempool.txs.length}`,
  total: `${mempool.txs.length}`,
  total_bytes: `${mempool.txs.reduce((sum, tx) => sum + tx.length, 0)}`,
  txs: null,
});

function status(sim: Simulation, address: string): JsonObject {
  const { protocolVersion, id, listenAddr, network, version, channels, moniker, txIndex, note } =
    nodeFacts(sim);
  const { p2p, block, app } = protocolVersion;
  const [first] = sim.nodes();
  const address20 = first?.consensusAddress ?? new Uint8Array(ADDRESS_SIZE);
  const pubKey = sim.consensusKey(first?.validator ?? "");
  return {
    node_info: {
      protocol_version: { p2p: `${p2p}`, block: `${block}`, app: `${app}` },
      id,
      listen_addr: listenAddr,
      network,
      version,
      channels: toHex(channels),
      moniker,
      other: { tx_index: txIndex, rpc_address: address },
    },
    ...(note !== undefined && { note }),
    sync_info: { ...newest(sim), ...earliest(sim), catching_up: false },
    validator_info: {
      address: toHexUpper(address20),
      pub_key: keyForm(pubKey),
      voting_power: `${sim.network.ledger.voting.list.find(address20)?.power ?? 0}`,
    },
  };
}

/** Before the first block the genesis replaces it: clients reject an empty hash. */
function newest(sim: Simulation): JsonObject {
  const height = sim.decidedHeight;
  const block = decidedBlock(sim, height);
  return {
    latest_block_hash: toHexUpper(block?.id.hash ?? EMPTY_HASH),
    latest_app_hash: toHexUpper(block?.header.appHash ?? sim.appHash),
    latest_block_height: `${height}`,
    latest_block_time: formatRfc3339(block?.header.time ?? sim.spec.genesisTime),
  };
}

function earliest(sim: Simulation): JsonObject {
  const header = sim.header(sim.initialHeight);
  return {
    earliest_block_hash: toHexUpper(decidedBlock(sim, sim.initialHeight)?.id.hash ?? EMPTY_HASH),
    earliest_app_hash: toHexUpper(header?.appHash ?? sim.appHash),
    earliest_block_height: `${sim.initialHeight}`,
    earliest_block_time: formatRfc3339(sim.spec.genesisTime),
  };
}
