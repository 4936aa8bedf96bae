import { HaltError } from "../../framework/halt.ts";
import type { Profile } from "../../framework/profile.ts";
import type { PendingEquivocations } from "../byzantine/equivocations.ts";
import type { Faults } from "../faults/faults.ts";
import type { Reachability } from "../partition/reachability.ts";
import type { Membership } from "../round/membership.ts";
import type { RoundState } from "../round/round-state.ts";
import { applyBlock, type ExecutionContext } from "./apply-block.ts";
import type { Node } from "./node.ts";
import { openStores } from "./replay.ts";
import { lastSignedPosition, type SignedPosition, signerState } from "./signer-state.ts";

interface StartContext extends ExecutionContext {
  readonly faults: Faults;
  readonly roundState: RoundState;
  readonly membership: Membership;
  readonly reachability: Reachability;
  readonly equivocations: PendingEquivocations;
}

/**
 * Starts a node's process with its installed binary: loads its stores, and applies the blocks
 * decided meanwhile. Never throws: a node that fails to start exits with a reason.
 * @param catchUp applies the decided blocks that running nodes have not applied
 */
export function startNode(
  context: StartContext,
  upgradeHeight: Profile["upgradeHeight"],
  node: Node,
  catchUp: () => void,
): void {
  const { records, equivocations, roundState } = context;
  node.startProcess();
  if (node.orphaned !== undefined) {
    records.halt([node], node.applied.height + 1, node.orphaned, "halted");
    return;
  }
  if (!openStores(context, node, upgradeHeight)) return;
  const signed = loadSigner(context, node);
  if (signed === undefined) return;
  // Missing only the latest block: it cannot be replayed locally, so the node re-enters consensus
  // at that height and may vote again.
  if (missesLatestOnly(context, node)) {
    node.setBlocksLost(false);
    equivocations.castAtLatestBlock(node, signed, roundState.clock);
    deliverLatest(context, node);
  }
  catchUp();
  equivocations.castAtUndecidedHeight(node, signed, roundState.clock);
  if (node.process === "running") node.setBlocksLost(false);
}

/**
 * Loads a node's signer. Returns its last signed height and round; undefined if the process exits
 * because of the signer file.
 */
function loadSigner(context: StartContext, node: Node): SignedPosition | undefined {
  const { ledger, faults, records, roundState } = context;
  const next = ledger.decided + 1;
  try {
    const signed = lastSignedPosition(signerState(node, ledger));
    // A signer that last signed in an earlier round of the next height signs the later ones.
    const signsOn = signed.height === next && signed.round < roundState.round;
    faults.loadSigner(node, signsOn ? next - 1 : signed.height, next);
    return signed;
  } catch (error) {
    if (!(error instanceof HaltError)) throw error;
    records.halt([node], node.applied.height + 1, error.cause, "exited");
    return undefined;
  }
}

function missesLatestOnly({ ledger, reachability }: StartContext, node: Node): boolean {
  return (
    node.blocksLost && node.applied.height === ledger.decided - 1 && reachability.isBehind(node)
  );
}

/** Makes a node apply the latest block as delivered by consensus, not by replay. */
function deliverLatest(context: StartContext, node: Node): void {
  const { ledger, membership } = context;
  const appHash = ledger.appHashAt(ledger.decided - 1);
  const block = { height: ledger.decided, partition: node.partition, appHash };
  applyBlock(context, membership, [membership.isolate(node)], block);
}
