import { formatRfc3339, SECOND, toTimestamp } from "../../base/time.ts";
import { unreachable } from "../../base/unreachable.ts";
import { CommandError } from "../framework/errors.ts";
import type { Node } from "../network/node/node.ts";
import {
  BLANK_SIGNER_STATE,
  SIGNER_STATE,
  setSignerState,
  signerState,
} from "../network/node/signer-state.ts";
import { heightsOfApp, skipArgs } from "../network/node/start-args.ts";
import type { CommittedState } from "../store/multi-store.ts";
import type { NodeAction } from "./command.ts";
import type { World } from "./world.ts";

/** Returns the state after a height, while it is in memory. */
export type StateAt = (height: number) => CommittedState | undefined;

/** Executes an operator's action on a node. Throws, and changes nothing, if it is impossible. */
export function runNodeAction(
  action: NodeAction,
  node: Node,
  world: World,
  stateAt: StateAt,
): void {
  const { chains, sidecars } = world;
  switch (action.kind) {
    case "stop":
      sidecars.stop(node);
      node.stop();
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
      node.setSkipFlag(
        skipArgs(action.heights, action.form ?? "comma"),
        heightsOfApp(action.heights, action.form ?? "comma"),
      );
      sidecars.start(node);
      return;
    case "halt_height":
      node.setHaltHeight(action.height);
      sidecars.start(node);
      return;
    case "halt_time":
      checkHaltTime(action.time, node, world);
      node.setHaltTime(action.time);
      sidecars.start(node);
      return;
    case "twin":
      startTwin(node, world);
      return;
    case "remove_twin":
      removeTwin(node, world);
      return;
    case "lose_signer_state":
      setSignerState(node, BLANK_SIGNER_STATE, chains.ledgerOf(node));
      // Resetting a data folder in use loses nothing else.
      if (node.process !== "running") node.setBlocksLost(true);
      return;
    case "roll_back":
      rollBack(node, action.blocks, world, stateAt);
      return;
    case "state_sync":
      stateSync(node, world.node(action.from), world);
      return;
    case "wipe":
      node.wipe(chains.ledgerOf(node).genesis);
      setSignerState(node, BLANK_SIGNER_STATE, chains.ledgerOf(node));
      sidecars.beginAgain(node);
      // A node stopped by its operator stays stopped: it may get another binary first.
      if (node.process !== "stopped") sidecars.start(node);
      return;
    case "disk":
      node.setDiskWritable(action.writable);
      return;
    case "write_file":
      writeFile(node, action.path, action.content, world);
      return;
    case "remove_file":
      writeFile(node, action.path, undefined, world);
      return;
    default:
      unreachable(action);
  }
}

/**
 * Refuses a halt time that has passed on the main chain, so that all nodes of a step get the same
 * answer.
 */
function checkHaltTime(seconds: number, node: Node, { network, spec }: World): void {
  const { blocks } = network.ledger;
  const newest = blocks.timeAt(blocks.height) ?? spec.genesisTime - 1n;
  const least = toTimestamp(newest).seconds + 1n;
  if (seconds === 0 || seconds >= least) return;
  const text = (at: bigint): string => formatRfc3339(at * SECOND);
  throw new CommandError(
    `halt_time of ${node.name}: expected 0 or a time from ${text(least)} on, found ${text(BigInt(seconds))}`,
  );
}

/**
 * Starts a second node with the same key, if there is none, with the original's state and files, in
 * its partition.
 */
function startTwin(node: Node, world: World): void {
  const name = `${node.name}-twin`;
  if (world.findNode(name) !== undefined) return;
  const twin = node.twin(name);
  const ledger = world.chains.ledgerOf(node);
  setSignerState(twin, signerState(node, ledger), ledger);
  world.addBeside(twin, node);
  world.chains.start(twin);
}

/** Removes the second node for good. */
function removeTwin(node: Node, world: World): void {
  const twin = world.findNode(`${node.name}-twin`);
  if (twin === undefined) throw new CommandError(`${node.name} has no twin`);
  world.removeNode(twin);
}

function writeFile(node: Node, path: string, content: string | undefined, { chains }: World): void {
  if (path === SIGNER_STATE) setSignerState(node, content, chains.ledgerOf(node));
  else if (content === undefined) node.deleteFile(path);
  else node.writeFile(path, content);
}

/** Reverts the last blocks of a stopped or halted node, so that it can apply them again. */
function rollBack(node: Node, blocks: number, { chains }: World, stateAt: StateAt): void {
  const height = node.applied.height - blocks;
  const state = chains.appliedAt(node, height)?.state ?? stateAt(height);
  if (state === undefined) {
    throw new CommandError(
      `${node.name} cannot go back ${blocks} from height ${node.applied.height}`,
    );
  }
  if (node.process === "running")
    throw new CommandError(`${node.name} is running; stop it before rolling back`);
  const ledger = chains.ledgerOf(node);
  setSignerState(node, signerState(node, ledger), ledger);
  const { genesis, head } = ledger;
  node.rollBack({
    ...(height === genesis.height ? genesis : head),
    height,
    appHash: state.appHash,
    state,
    outcome: undefined,
    resultsHash: ledger.resultsHashAt(height),
  });
}

/** Copies a peer's state instead of replaying its blocks. */
function stateSync(node: Node, from: Node, { sidecars }: World): void {
  if (from.process !== "running")
    throw new CommandError(`${from.name} is ${from.process}: nothing to sync from`);
  if (from === node) throw new CommandError(`${node.name} cannot sync from itself`);
  if (from.partition !== node.partition) {
    throw new CommandError(
      `the network is partitioned between ${node.name} and ${from.name}: heal it, or sync from a node of its own partition`,
    );
  }
  node.stateSync(from.applied);
  sidecars.start(node);
}
