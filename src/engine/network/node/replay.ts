import type { App } from "../../app/app.ts";
import type { ModuleStep } from "../../app/steps.ts";
import { type HaltCause, HaltError } from "../../framework/halt.ts";
import type { Profile } from "../../framework/profile.ts";
import { equal } from "../../primitives/bytes.ts";
import type { Ledger } from "../chain/ledger.ts";
import { settingsOf } from "../round/voting-groups.ts";
import { appliedFrom, isPlain, writeFiles, wrongAppHash } from "./execution.ts";
import type { Node } from "./node.ts";
import type { NodeLog } from "./node-log.ts";
import { loadStores } from "./store-loader.ts";

/** Where a node that replays finds blocks, binaries, and a place for its last words. */
export interface ReplayHost {
  readonly ledger: Ledger;
  readonly log: NodeLog;
  appOf(binary: string): App;
  halt(
    nodes: readonly Node[],
    height: number,
    cause: HaltCause,
    state: "halted" | "exited",
    steps?: readonly ModuleStep[],
  ): void;
}

/** Starts a node's process: its stores are opened with its binary. False if it could not and exited. */
export function openStores(
  host: ReplayHost,
  node: Node,
  heightRow: Profile["upgradeHeight"],
): boolean {
  const { applied } = node;
  const app = host.appOf(node.binary);
  try {
    const state = loadStores(app, node, heightRow);
    if (state !== applied.state) node.setApplied({ ...applied, state });
    return true;
  } catch (error) {
    if (!(error instanceof HaltError)) throw error;
    host.halt([node], applied.height + 1, error.cause, "exited");
    return false;
  }
}

/** Applies the next decided block on one node by itself, as after a restart, or stops it over it. */
export function replayNext(host: ReplayHost, node: Node): void {
  const { ledger } = host;
  if (skipsToHead(host, node)) {
    node.setApplied(ledger.head);
    return;
  }
  const height = node.applied.height + 1;
  const expected = ledger.appHashAt(height - 1);
  if (!equal(node.applied.appHash, expected)) {
    host.halt([node], height, wrongAppHash(node.applied.appHash, expected), "halted");
    return;
  }
  const settings = settingsOf(node);
  const record = ledger.blocks.recordUpTo(height);
  const app = host.appOf(node.binary);
  const outcome = app.finalizeBlock(node.applied.state, ledger.request(height), settings, record);
  host.log.write([node], height, outcome.logs);
  writeFiles([node], outcome);
  if (outcome.kind === "applied") {
    node.setApplied(appliedFrom(height, outcome, node.binary, isPlain(settings)));
    node.fresh = false;
  } else if (node.fresh) {
    host.halt([node], height, { ...outcome.cause, onReplay: true }, "exited", outcome.steps);
  } else {
    host.halt([node], height, outcome.cause, "halted", outcome.steps);
  }
}

/** Whether a node's missed blocks must come out for it exactly as they did for the others. */
function skipsToHead(host: ReplayHost, node: Node): boolean {
  const { ledger } = host;
  const { applied } = node;
  const { head } = ledger;
  return (
    !node.fresh &&
    node.diskWritable &&
    isPlain(settingsOf(node)) &&
    head.height > applied.height &&
    applied.height > ledger.genesis.height &&
    ledger.plainBinarySince(applied.height + 1) === node.binary &&
    host.appOf(node.binary).binary.migration.kind !== "nondeterministic" &&
    applied.state.storeNames.length === head.state.storeNames.length &&
    equal(applied.appHash, ledger.appHashAt(applied.height))
  );
}
