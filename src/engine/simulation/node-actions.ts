import type { Network } from "../network/network.ts";
import { type Applied, Node, UPGRADE_INFO } from "../network/node/node.ts";
import {
  BLANK_SIGNER_STATE,
  placeSignerState,
  SIGNER_STATE,
  signerState,
} from "../network/node/signer-state.ts";
import { heightsOfApp, skipArgs } from "../network/node/start-args.ts";
import type { CommittedState } from "../store/multi-store.ts";
import { CommandError, type NodeAction } from "./command.ts";
import type { World } from "./world.ts";

/** The state after a height, while it is kept. */
export type StateAt = (height: number) => CommittedState | undefined;

/** What an operator does to a machine. Throws with a clear sentence, nothing changed, if it cannot be done. */
export function runNodeAction(
  action: NodeAction,
  node: Node,
  world: World,
  stateAt: StateAt,
): void {
  const { sidecars } = world;
  const network = world.networkOf(node);
  network.nodesChanged();
  switch (action.kind) {
    case "stop":
      sidecars.stop(node);
      node.process = "stopped";
      node.haltCause = undefined;
      return;
    case "start":
      sidecars.start(node);
      return;
    case "install":
      world.binary(action.binary);
      sidecars.install(node, action.binary);
      return;
    case "stage":
      world.binary(action.binary);
      sidecars.stage(node, action.binary);
      return;
    case "sidecar":
      sidecars.attach(node, action.sidecar);
      return;
    case "skip_upgrades":
      node.skipFlag = skipArgs(action.heights, action.form ?? "comma");
      node.skipUpgradeHeights = heightsOfApp(action.heights, action.form ?? "comma");
      sidecars.start(node);
      return;
    case "halt_height":
      node.haltHeight = action.height;
      sidecars.start(node);
      return;
    case "twin":
      startTwin(node, world);
      return;
    case "remove_twin":
      removeTwin(node, world);
      return;
    case "lose_signer_state":
      placeSignerState(node, BLANK_SIGNER_STATE, network.ledger);
      // The reset of a data folder that is in use takes nothing else with it.
      if (node.process !== "running") node.blocksLost = true;
      return;
    case "roll_back":
      rollBack(node, action.blocks, world, stateAt);
      return;
    case "state_sync":
      stateSync(node, world.node(action.from), world);
      return;
    case "wipe":
      node.adopt(network.ledger.genesis);
      for (const path of [...node.files.keys()]) {
        if (path.startsWith("data/")) node.files.delete(path);
      }
      placeSignerState(node, BLANK_SIGNER_STATE, network.ledger);
      node.blocksLost = true;
      sidecars.beginAgain(node);
      // A machine that its operator has stopped stays so: it may get another binary first.
      if (node.process !== "stopped") sidecars.start(node);
      return;
    case "disk":
      node.diskWritable = action.writable;
      return;
    case "write_file":
      writeFile(node, action.path, action.content, network);
      return;
    case "remove_file":
      writeFile(node, action.path, undefined, network);
      return;
  }
}

/** A second machine with the same key; it starts from what its original has, and hears whom that one hears. */
function startTwin(node: Node, world: World): void {
  const name = `${node.name}-twin`;
  if (world.findNode(name) !== undefined) {
    throw new CommandError(`${node.name} already has a twin`);
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
  twin.partition = node.partition;
  twin.strayed = node.strayed;
  const network = world.networkOf(node);
  placeSignerState(twin, signerState(node, network.ledger), network.ledger);
  world.addNode(twin, network);
  network.start(twin);
}

/** Takes the second machine away for good. */
function removeTwin(node: Node, world: World): void {
  const twin = world.findNode(`${node.name}-twin`);
  if (twin === undefined) throw new CommandError(`${node.name} has no twin`);
  world.removeNode(twin);
}

function writeFile(node: Node, path: string, content: string | undefined, network: Network): void {
  if (path === SIGNER_STATE) placeSignerState(node, content, network.ledger);
  else if (content === undefined) node.files.delete(path);
  else node.files.set(path, content);
}

/** Takes back what a stopped or halted node applied last, so that it can be applied anew. */
function rollBack(node: Node, blocks: number, world: World, stateAt: StateAt): void {
  const height = node.applied.height - blocks;
  const state = world.forks.appliedAt(node, height)?.state ?? stateAt(height);
  if (state === undefined) {
    throw new CommandError(
      `${node.name} cannot go back ${blocks} from height ${node.applied.height}`,
    );
  }
  if (node.process === "running")
    throw new CommandError(`${node.name} is running; stop it before rolling back`);
  const { ledger } = world.networkOf(node);
  placeSignerState(node, signerState(node, ledger), ledger);
  const { genesis, head } = ledger;
  node.blocksLost = true;
  const base: Applied = height === genesis.height ? genesis : head;
  node.setApplied({
    ...base,
    height,
    appHash: state.appHash,
    state,
    outcome: undefined,
    resultsHash: ledger.resultsHashAt(height),
  });
}

/** Takes over a peer's state instead of replaying its blocks. */
function stateSync(node: Node, from: Node, { sidecars }: World): void {
  if (from.process !== "running")
    throw new CommandError(`${from.name} is ${from.process}: nothing to sync from`);
  if (from === node) throw new CommandError(`${node.name} cannot sync from itself`);
  if (from.partition !== node.partition) {
    throw new CommandError(
      `the network is cut between ${node.name} and ${from.name}: heal it, or sync from a node of its own part`,
    );
  }
  node.adopt(from.applied);
  node.files.delete(UPGRADE_INFO);
  sidecars.start(node);
}
