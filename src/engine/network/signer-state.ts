import type { Ledger } from "./ledger.ts";
import type { Node } from "./node.ts";
import { goJsonError } from "./sidecar/go-json.ts";

/** Where a validator's own signer notes what it signed last, so as not to sign anything else there. */
export const SIGNER_STATE = "data/priv_validator_state.json";

/** What a signer knows that has never signed, or has lost its memory. */
export const BLANK_SIGNER_STATE = signerStateJson(0, 0, 0);

/** A signer's file as somebody put it on the disk. It holds until the next vote overwrites it. */
export interface PlacedSignerState {
  /** Undefined if it was deleted. */
  readonly content: string | undefined;
  /** Height of the newest block when that was done. */
  readonly at: number;
}

/**
 * The signer's file, made up when somebody looks: nothing is written per block. Undefined if it was
 * deleted. Its signature and sign bytes are left out. Costs one step for each height not voted on.
 */
export function signerState(node: Node, ledger: Ledger): string | undefined {
  const placed = node.placedSignerState;
  const height = lastVote(node, ledger, placed?.at ?? 0);
  if (height > 0) return signerStateJson(height, ledger.blocks.roundAt(height), 3);
  return placed === undefined ? BLANK_SIGNER_STATE : placed.content;
}

/** Puts a signer's file on the disk, or deletes it. */
export function placeSignerState(node: Node, content: string | undefined, ledger: Ledger): void {
  node.placedSignerState = { content, at: ledger.decided };
}

/** All files of a machine, with the signer's. */
export function filesOf(node: Node, ledger: Ledger): ReadonlyMap<string, string> {
  const state = signerState(node, ledger);
  return state === undefined ? node.files : new Map([...node.files, [SIGNER_STATE, state]]);
}

/** The height a signer's file remembers. Throws with the text that the process exits with. */
export function rememberedHeight(content: string | undefined): number {
  if (content === undefined) throw new Error(`open ${SIGNER_STATE}: no such file or directory`);
  const fault = goJsonError(content);
  if (fault !== undefined) {
    throw new Error(`Error reading PrivValidator state from ${SIGNER_STATE}: ${fault}`);
  }
  const height: unknown = (JSON.parse(content) as { readonly height?: unknown } | null)?.height;
  const number = Number(height ?? 0);
  if (typeof height !== "number" && Number.isSafeInteger(number)) return number;
  throw new Error(
    `Error reading PrivValidator state from ${SIGNER_STATE}: invalid 64-bit integer encoding ${JSON.stringify(height)}, expected string`,
  );
}

/** Why a signer that remembers a height signs no other vote at this one, or undefined. */
export function refusal(remembered: number, height: number): string | undefined {
  if (remembered > height) return `height regression. Got ${height}, last height ${remembered}`;
  return remembered === height ? "conflicting data" : undefined;
}

/** The last height above `after` whose commit has this machine's vote; 0 if there is none. */
function lastVote(node: Node, { blocks, decided }: Ledger, after: number): number {
  // No machine votes on a block before it has applied the one below.
  for (let height = Math.min(decided, node.applied.height + 1); height > after; height--) {
    const index = blocks.validatorsAt(height).indexOf(node.consensusAddress);
    if (index >= 0 && !blocks.absentAt(height).includes(index)) return height;
  }
  return 0;
}

/** As CometBFT writes it: heights are strings, two spaces of indent. */
export function signerStateJson(height: number, round: number, step: number): string {
  return JSON.stringify({ height: `${height}`, round, step }, null, 2);
}
