import { HaltError } from "../../framework/halt.ts";
import type { Ledger } from "../chain/ledger.ts";
import { goJsonError, goKind } from "../sidecar/go-json.ts";
import type { Node } from "./node.ts";

/** File in which a validator's signer records its last signature, so that it never double-signs. */
export const SIGNER_STATE = "data/priv_validator_state.json";

/** The file of a signer that has never signed, or was reset. */
export const BLANK_SIGNER_STATE = signerStateJson(0, 0, 0);

/** Height and round of the last signature in a signer's file. */
export interface SignedPosition {
  readonly height: number;
  readonly round: number;
}

/**
 * Computes `priv_validator_state.json` on demand instead of writing it every block. Undefined if it
 * was deleted. Omits its signature and sign bytes.
 */
export function signerState(node: Node, ledger: Ledger): string | undefined {
  const last = lastVote(node, ledger);
  if (last !== undefined) return signerStateJson(last.height, last.round, 3);
  const placed = node.placedSignerState;
  return placed === undefined ? BLANK_SIGNER_STATE : placed.content;
}

/** Writes a signer's file to the disk, or deletes it. */
export function setSignerState(node: Node, content: string | undefined, ledger: Ledger): void {
  node.setSignerState(content, ledger.decided);
}

/**
 * One file of a node; undefined if there is none. The signer's file is computed only on request.
 */
export function fileOf(node: Node, ledger: Ledger, path: string): string | undefined {
  return path === SIGNER_STATE ? signerState(node, ledger) : node.files.get(path);
}

/** All files of a node, including the signer's. */
export function filesOf(node: Node, ledger: Ledger): ReadonlyMap<string, string> {
  const state = signerState(node, ledger);
  return state === undefined ? node.files : new Map([...node.files, [SIGNER_STATE, state]]);
}

/** Height and round in a signer's file. Throws the HaltError with which the process exits. */
export function lastSignedPosition(content: string | undefined): SignedPosition {
  const path = SIGNER_STATE;
  if (content === undefined) throw new HaltError({ kind: "signer_state_missing", path });
  const unreadable = (error: string) =>
    new HaltError({ kind: "signer_state_unreadable", path, error });
  const problem = goJsonError(content);
  if (problem !== undefined) throw unreadable(problem);
  const file: unknown = JSON.parse(content);
  if (typeof file !== "object" || Array.isArray(file)) {
    const type = "map[string]json.RawMessage";
    throw unreadable(`json: cannot unmarshal ${goKind(file)} into Go value of type ${type}`);
  }
  const { height, round } = { ...file } as Readonly<Record<string, unknown>>;
  if (!isInt64(height ?? "0")) {
    const found = JSON.stringify(height);
    throw unreadable(`invalid 64-bit integer encoding ${found}, expected string`);
  }
  if (!isInt32(round ?? 0)) {
    const kind = typeof round === "number" ? `number ${round}` : goKind(round);
    throw unreadable(`json: cannot unmarshal ${kind} into Go value of type int32`);
  }
  return { height: Number(height ?? 0), round: Number(round ?? 0) };
}

/**
 * Returns true if CometBFT reads it as a 64-bit integer: a string of digits, limited here to
 * integers exact in a double.
 */
const isInt64 = (value: unknown): boolean =>
  typeof value === "string" &&
  /^-?(0|[1-9]\d*)$/.test(value) &&
  Number.isSafeInteger(Number(value));

const isInt32 = (value: unknown): boolean => typeof value === "number" && (value | 0) === value;

/**
 * Reason why a signer whose state is at one height signs no other vote at this height, or undefined
 * (rules/consensus 6.1).
 */
export function refusal(remembered: number, height: number): string | undefined {
  if (remembered > height) return `height regression. Got ${height}, last height ${remembered}`;
  return remembered === height ? "conflicting data" : undefined;
}

/**
 * Returns height and round of a node's last vote since its signer file was installed; undefined if
 * there is none.
 */
function lastVote(node: Node, ledger: Ledger): SignedPosition | undefined {
  const { blocks } = ledger;
  const placed = node.placedSignerState;
  const height = blocks.lastSignedBy(...signedRange(node, ledger));
  const { lastFailedRound: failed } = node;
  if (failed !== undefined && failed !== placed?.lastFailedRound && failed.height > height) {
    const voters = blocks.has(failed.height)
      ? blocks.validatorsAt(failed.height)
      : ledger.voting.list;
    if (voters.indexOf(node.consensusAddress) >= 0) return failed;
  }
  return height === 0 ? undefined : { height, round: blocks.roundAt(height) };
}

/** Returns the arguments of the search for the last block that contains the node's vote. */
function signedRange(node: Node, { decided, genesis }: Ledger) {
  // A node does not vote on a block before it has applied the previous one.
  const upTo = Math.min(decided, node.applied.height + 1);
  return [node.consensusAddress, upTo, node.placedSignerState?.at ?? genesis.height] as const;
}

/** Yields the pages of blocks from which a signer's file is computed, each before it is read. */
export const signerPages = (node: Node, ledger: Ledger) =>
  ledger.blocks.searchLastSigned(...signedRange(node, ledger));

/**
 * True if a node has no signer's file with which its process could start. One that was never placed
 * can be read, whatever its last vote is.
 */
export function lacksSigner(node: Node, ledger: Ledger): boolean {
  if (node.placedSignerState === undefined) return false;
  try {
    lastSignedPosition(signerState(node, ledger));
    return false;
  } catch (error) {
    if (error instanceof HaltError) return true;
    throw error;
  }
}

/** Formatted like CometBFT: heights as strings, indented by two spaces. */
export function signerStateJson(height: number, round: number, step: number): string {
  return JSON.stringify({ height: `${height}`, round, step }, null, 2);
}
