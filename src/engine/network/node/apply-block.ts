import { equal } from "../../../base/bytes.ts";
import type { App, BlockOutcome, BlockRequest } from "../../app/app.ts";
import type { ChainRecord } from "../../framework/context.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { Membership } from "../round/membership.ts";
import type { ExecutionGroup } from "../round/voting-groups.ts";
import type { SharedRecords } from "../shared-records.ts";
import { appliedFrom, hasDefaultFlags, writeFiles, wrongAppHash } from "./execution.ts";

/** Dependencies of block execution, and the records to which it reports. */
export interface ExecutionContext {
  readonly ledger: Ledger;
  readonly records: SharedRecords;
  appOf(binary: string): App;
}

/** A decided block as consensus delivers it to one partition. */
export interface DeliveredBlock {
  readonly height: number;
  /** The part of the network in which it was decided. */
  readonly partition: number;
  /** The app hash in its header. */
  readonly appHash: Uint8Array;
}

/** Applies a block on every group that receives it, or halts the group. */
export function applyBlock(
  context: ExecutionContext,
  membership: Membership,
  groups: readonly ExecutionGroup[],
  { height, partition, appHash }: DeliveredBlock,
): void {
  const { ledger, records } = context;
  const request = ledger.request(height);
  const record = ledger.blocks.recordUpTo(height);
  for (const group of groups) {
    if (group.partition !== partition) continue;
    if (equal(group.applied.appHash, appHash)) applyOn(context, group, request, record);
    else {
      const cause = wrongAppHash(group.applied.appHash, appHash);
      records.halt(group.nodes, height, cause, "halted");
    }
  }
  membership.blockApplied(partition);
}

/** Executes a block for a group, which then has its outcome, or has halted. */
function applyOn(
  context: ExecutionContext,
  group: ExecutionGroup,
  request: BlockRequest,
  record: ChainRecord,
): void {
  const { records } = context;
  const { app, applied, binary, nodes, settings } = group;
  const { height } = request;
  const outcome = execute(context, app, [applied.state, request, settings, record]);
  if (outcome.logs.length > 0) records.log.write(nodes, height, outcome.logs);
  if (outcome.files.length > 0) writeFiles(nodes, outcome);
  if (outcome.kind === "halted") {
    records.halt(nodes, height, outcome.cause, outcome.exits ? "exited" : "halted", outcome.steps);
    return;
  }
  group.applied = appliedFrom(height, outcome, binary, hasDefaultFlags(settings));
  if (settings.firstBlock) for (const node of nodes) node.finishStart();
}

/**
 * Executes a block. On a chain with manual edits, state that no module can read halts the node, as
 * a panic would.
 */
export function execute(
  { ledger }: ExecutionContext,
  app: App,
  block: Parameters<App["finalizeBlock"]>,
): BlockOutcome {
  try {
    return app.finalizeBlock(...block);
  } catch (thrown) {
    if (ledger.tampered.length === 0) throw thrown;
    const cause = { kind: "application_error", error: "unreadable state" } as const;
    return { kind: "halted", cause, steps: [], logs: [], files: [] };
  }
}
