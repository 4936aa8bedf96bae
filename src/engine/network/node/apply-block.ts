import type { BlockRequest } from "../../app/app.ts";
import type { ChainRecord } from "../../framework/context.ts";
import { equal } from "../../primitives/bytes.ts";
import type { Membership } from "../round/membership.ts";
import type { ExecutionGroup } from "../round/voting-groups.ts";
import { appliedFrom, isPlain, writeFiles, wrongAppHash } from "./execution.ts";
import type { ReplayHost } from "./replay.ts";

/** A decided block as those hear it who take part. */
export interface HeardBlock {
  readonly height: number;
  /** The part of the network in which it was decided. */
  readonly partition: number;
  /** What its header says. */
  readonly appHash: Uint8Array;
}

/** Every running node that hears the block applies it, or stops over it. */
export function applyBlock(
  host: ReplayHost,
  assembly: Membership,
  groups: readonly ExecutionGroup[],
  { height, partition, appHash }: HeardBlock,
): void {
  const request = host.ledger.request(height);
  const record = host.ledger.blocks.recordUpTo(height);
  for (const group of groups) {
    if (group.partition !== partition) {
      // It falls behind and votes no longer.
      assembly.touch();
      continue;
    }
    if (!equal(group.applied.appHash, appHash)) {
      host.halt(group.nodes, height, wrongAppHash(group.applied.appHash, appHash), "halted");
      continue;
    }
    if (applyOn(host, group, request, record)) assembly.touch();
  }
  assembly.blockApplied();
}

/** Executes a block for a group, which then holds its outcome, or has stopped over it. Whether that changed what its nodes are. */
function applyOn(
  host: ReplayHost,
  group: ExecutionGroup,
  request: BlockRequest,
  record: ChainRecord,
): boolean {
  const { app, binary, nodes, settings } = group;
  const { height } = request;
  const outcome = app.finalizeBlock(group.applied.state, request, settings, record);
  if (outcome.logs.length > 0) host.log.write(nodes, height, outcome.logs);
  if (outcome.files.length > 0) writeFiles(nodes, outcome);
  if (outcome.kind === "halted") {
    host.halt(nodes, height, outcome.cause, "halted", outcome.steps);
    return true;
  }
  group.applied = appliedFrom(height, outcome, binary, isPlain(settings));
  // The first block after a start has been executed; these nodes are like all others now.
  if (settings.firstBlock) for (const node of nodes) node.fresh = false;
  return settings.firstBlock;
}
