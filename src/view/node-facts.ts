/** Facts of a node about itself, the same on every server. */
import { toHex, utf8 } from "../base/bytes.ts";
import { fromHex } from "../base/from-hex.ts";
import { sha256 } from "../base/sha256.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";

/** Bytes of a node's id. */
const ID_SIZE = 20;

/** A note for clients about blocks whose commits are compact (rules/consensus 3.7). */
export const COMPACT_COMMITS =
  "Commits are compact: last_commit_hash covers who signed, not the signatures, so that Block.ValidateBasic refuses these blocks. chainlab start --commits full begins a chain with CometBFT's hashes.";

/** Its id, name and versions, its peer address, and its channels. */
export const nodeFacts = (sim: Simulation) => ({
  protocolVersion: { p2p: 8n, block: 11n, app: 0n },
  id: toHex(sha256(utf8(sim.spec.chainId)).subarray(0, ID_SIZE)),
  listenAddr: "tcp://0.0.0.0:26656",
  network: sim.spec.chainId,
  // The version of CometBFT whose format is used: clients choose their parser by its prefix.
  version: "0.38.26",
  channels: fromHex("40202122233038606100"),
  moniker: sim.nodes()[0]?.name ?? "",
  txIndex: "on",
  /** Undefined if every hash is computed as in CometBFT. */
  note: sim.spec.commits === "full" ? undefined : COMPACT_COMMITS,
});
