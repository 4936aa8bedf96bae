import { equal } from "../../../base/bytes.ts";
import { HaltError } from "../../framework/halt.ts";
import type { Profile } from "../../framework/profile.ts";
import { settingsOf } from "../round/voting-groups.ts";
import { type ExecutionContext, execute } from "./apply-block.ts";
import { appliedFrom, hasDefaultFlags, writeFiles, wrongAppHash } from "./execution.ts";
import type { Node } from "./node.ts";
import { loadStores } from "./store-loader.ts";

/**
 * Opens a node's stores with its binary when its process starts. Returns false if that failed and
 * the process exited.
 */
export function openStores(
  context: ExecutionContext,
  node: Node,
  heightRow: Profile["upgradeHeight"],
): boolean {
  const { applied } = node;
  const app = context.appOf(node.binary);
  try {
    const state = loadStores(app, node, heightRow);
    if (state !== applied.state) node.setApplied({ ...applied, state });
    return true;
  } catch (error) {
    if (!(error instanceof HaltError)) throw error;
    context.records.halt([node], applied.height + 1, error.cause, "exited");
    return false;
  }
}

/** Applies the next decided block on one node alone, as after a restart, or halts the node. */
export function replayNext(context: ExecutionContext, node: Node): void {
  const { ledger } = context;
  if (skipsToHead(context, node)) {
    node.setApplied(ledger.head);
    return;
  }
  const height = node.applied.height + 1;
  const expected = ledger.appHashAt(height - 1);
  if (!equal(node.applied.appHash, expected)) {
    context.records.halt([node], height, wrongAppHash(node.applied.appHash, expected), "halted");
    return;
  }
  const settings = settingsOf(node);
  const record = ledger.blocks.recordUpTo(height);
  const app = context.appOf(node.binary);
  const { state } = node.applied;
  const outcome = execute(context, app, [state, ledger.request(height), settings, record]);
  context.records.log.write([node], height, outcome.logs);
  writeFiles([node], outcome);
  if (outcome.kind === "applied") {
    node.setApplied(appliedFrom(height, outcome, node.binary, hasDefaultFlags(settings)));
    node.finishStart();
  } else if (node.fresh) {
    const cause = { ...outcome.cause, onReplay: true };
    context.records.halt([node], height, cause, "exited", outcome.steps);
  } else {
    context.records.halt(
      [node],
      height,
      outcome.cause,
      outcome.exits ? "exited" : "halted",
      outcome.steps,
    );
  }
}

/**
 * Returns true if executing a node's missed blocks must result in the state of most of the power
 * (rules/consensus 9.5).
 */
function skipsToHead(context: ExecutionContext, node: Node): boolean {
  const { ledger } = context;
  const { applied } = node;
  const { head } = ledger;
  return (
    !node.fresh &&
    node.diskWritable &&
    hasDefaultFlags(settingsOf(node)) &&
    head.height > applied.height &&
    applied.height > ledger.genesis.height &&
    // Executing blocks does not reproduce manual edits.
    ledger.tampered.every(({ height }) => height < applied.height) &&
    ledger.defaultBinarySince(applied.height + 1) === node.binary &&
    context.appOf(node.binary).binary.migration.kind !== "nondeterministic" &&
    applied.state.storeNames.length === head.state.storeNames.length &&
    equal(applied.appHash, ledger.appHashAt(applied.height))
  );
}
