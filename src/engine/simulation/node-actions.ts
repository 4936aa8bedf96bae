import type { Network } from "../network/network.ts";
import { type Applied, Node, UPGRADE_INFO } from "../network/node.ts";
import type { CommittedState } from "../store/multi-store.ts";
import type { NodeAction } from "./command.ts";

/** What acting on a node needs of the world around it. */
export interface NodeWorld {
  readonly network: Network;
  stateAt(height: number): CommittedState | undefined;
  /** Throws for an unknown name. */
  node(name: string): Node;
  hasBinary(name: string): boolean;
  binaryNames(): readonly string[];
  addNode(node: Node): void;
}

/** What an operator does to a machine. Throws with a clear sentence, nothing changed, if it cannot be done. */
export function runNodeAction(action: NodeAction, node: Node, world: NodeWorld): void {
  const { network } = world;
  network.nodesChanged();
  switch (action.kind) {
    case "stop":
      node.process = "stopped";
      node.reason = "";
      return;
    case "start":
      network.start(node);
      return;
    case "install":
      requireBinary(action.binary, world);
      node.binary = action.binary;
      node.staged = undefined;
      network.start(node);
      return;
    case "stage":
      requireBinary(action.binary, world);
      node.staged = action.binary;
      return;
    case "sidecar":
      if (action.sidecar.mode === "download")
        throw new Error("sidecar mode download is not available yet");
      node.sidecar = action.sidecar.mode;
      return;
    case "skip_upgrades":
      node.skipUpgradeHeights = new Set(action.heights);
      network.start(node);
      return;
    case "halt_height":
      node.haltHeight = action.height;
      network.start(node);
      return;
    case "twin":
      startTwin(node, world);
      return;
    case "lose_signer_state":
      node.files.delete("data/priv_validator_state.json");
      return;
    case "roll_back":
      rollBack(node, action.blocks, world);
      return;
    case "state_sync":
      stateSync(node, world.node(action.from), network);
      return;
    case "wipe":
      node.setApplied(network.ledger.genesis);
      node.files.clear();
      network.start(node);
      return;
    case "disk":
      node.diskWritable = action.writable;
      return;
    case "write_file":
      node.files.set(action.path, action.content);
      return;
    case "remove_file":
      node.files.delete(action.path);
      return;
  }
}

function requireBinary(name: string, world: NodeWorld): void {
  if (!world.hasBinary(name)) {
    throw new Error(`there is no binary ${name}; there are ${world.binaryNames().join(", ")}`);
  }
}

/** A second machine with the same key; it starts from what its original has. */
function startTwin(node: Node, world: NodeWorld): void {
  const name = `${node.name}-twin`;
  if (world.network.nodes.some((other) => other.name === name)) {
    throw new Error(`${node.name} already has a twin`);
  }
  const twin = new Node(
    name,
    node.validator,
    node.key,
    node.consensusAddress,
    node.binary,
    node.applied,
  );
  for (const [path, content] of node.files) twin.files.set(path, content);
  world.addNode(twin);
  world.network.start(twin);
}

/** Takes back what a stopped or halted node applied last, so that it can be applied anew. */
function rollBack(node: Node, blocks: number, world: NodeWorld): void {
  const height = node.applied.height - blocks;
  const state = height < 0 ? undefined : world.stateAt(height);
  if (state === undefined) {
    throw new Error(`${node.name} cannot go back ${blocks} from height ${node.applied.height}`);
  }
  if (node.process === "running")
    throw new Error(`${node.name} is running; stop it before rolling back`);
  const { genesis, head } = world.network.ledger;
  const base: Applied = height === 0 ? genesis : head;
  node.setApplied({
    ...base,
    height,
    appHash: state.appHash,
    state,
    outcome: undefined,
    resultsHash: world.network.ledger.resultsHashAt(height),
  });
}

/** Takes over a peer's state instead of replaying its blocks. */
function stateSync(node: Node, from: Node, network: Network): void {
  if (from.process !== "running")
    throw new Error(`${from.name} is ${from.process}: nothing to sync from`);
  if (from === node) throw new Error(`${node.name} cannot sync from itself`);
  node.setApplied(from.applied);
  node.files.delete(UPGRADE_INFO);
  network.start(node);
}
