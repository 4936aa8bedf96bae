import { HaltError } from "../../framework/halt.ts";
import type { Profile } from "../../framework/profile.ts";
import type { PendingEquivocations } from "../byzantine/equivocations.ts";
import type { Faults } from "../faults/faults.ts";
import type { Node } from "./node.ts";
import { openStores, type ReplayHost } from "./replay.ts";
import { rememberedPlace, type SignedPlace, signerState } from "./signer-state.ts";

/** Where a node starts. */
interface StartHost extends ReplayHost {
  readonly config: { readonly upgradeHeight: Profile["upgradeHeight"] };
  readonly faults: Faults;
  readonly round: number;
  nodesChanged(): void;
  catchUp(): void;
  isBehind(node: Node): boolean;
  /** Lets a node apply the newest block as it hears it in consensus. */
  hearNewest(node: Node): void;
}

/**
 * Starts a node's process with its installed binary: stores are loaded, blocks decided meanwhile
 * are applied. A node that cannot get through exits, with its reason; it never throws.
 */
export function startNode(host: StartHost, node: Node, votes: PendingEquivocations): void {
  host.nodesChanged();
  node.process = "running";
  node.haltCause = undefined;
  node.fresh = true;
  if (node.strayed !== undefined) {
    host.halt([node], node.applied.height + 1, node.strayed, "halted");
    return;
  }
  if (!openStores(host, node, host.config.upgradeHeight)) return;
  const signed = opensSigner(host, node);
  if (signed === undefined) return;
  // One that lacks the newest block and none besides cannot replay it: it may vote on it once more.
  if (lacksNewest(host, node)) {
    node.blocksLost = false;
    votes.castAtNewestBlock(node, signed);
    host.hearNewest(node);
  }
  host.catchUp();
  votes.castAtUndecidedHeight(node, signed);
  if (node.process === "running") node.blocksLost = false;
}

/** Loads a node's signer. Where it signed last, or undefined if the process exits over it. */
function opensSigner(host: StartHost, node: Node): SignedPlace | undefined {
  const next = host.ledger.decided + 1;
  try {
    const signed = rememberedPlace(signerState(node, host.ledger));
    const goesOn = signed.height === next && signed.round < host.round;
    host.faults.loadSigner(node, goesOn ? next - 1 : signed.height, next);
    return signed;
  } catch (error) {
    if (!(error instanceof HaltError)) throw error;
    host.halt([node], node.applied.height + 1, error.cause, "exited");
    return undefined;
  }
}

function lacksNewest(host: StartHost, node: Node): boolean {
  return node.blocksLost && node.applied.height === host.ledger.decided - 1 && host.isBehind(node);
}
