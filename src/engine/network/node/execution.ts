import { equal, toHexUpper } from "../../../base/bytes.ts";
import type { AppliedOutcome, BlockOutcome } from "../../app/app.ts";
import { EMPTY_HASH, lastResultsHash } from "../../consensus/hashes.ts";
import type { NodeInfo } from "../../framework/context.ts";
import {
  consensusHalt,
  type HaltCause,
  type HeaderMismatch,
  haltText,
  isHeaderMismatch,
} from "../../framework/halt.ts";
import type { LogLine } from "../../framework/trace.ts";
import type { Applied } from "./applied.ts";
import type { Node } from "./node.ts";

/**
 * Returns true if a node was started without skip heights and halts: the effect of a block depends
 * only on its binary.
 */
export const hasDefaultFlags = ({
  skipUpgradeHeights,
  haltHeight,
  haltTime,
}: Pick<NodeInfo, "skipUpgradeHeights" | "haltHeight" | "haltTime">): boolean =>
  skipUpgradeHeights.size === 0 && haltHeight === 0 && haltTime === 0;

/** Returns the applied block that nodes share. */
export function appliedFrom(
  height: number,
  outcome: AppliedOutcome,
  binary: string,
  defaultFlags: boolean,
): Applied {
  const { state, txResults } = outcome;
  const resultsHash =
    txResults.length === 0
      ? EMPTY_HASH
      : lastResultsHash(
          txResults.map(({ code, data, gasWanted, gasUsed }) => ({
            code,
            data,
            gasWanted,
            gasUsed,
          })),
        );
  return { height, appHash: state.appHash, state, resultsHash, binary, defaultFlags, outcome };
}

/** Writes the files of an execution to each node's disk. */
export function writeFiles(nodes: readonly Node[], outcome: BlockOutcome): void {
  for (const node of nodes) {
    for (const { path, content } of outcome.files) node.writeFile(path, content);
  }
}

/**
 * Returns the mismatch of a header whose app hash differs from the node's own (rules/consensus
 * 7.2).
 */
export const wrongAppHash = (own: Uint8Array, header: Uint8Array): HeaderMismatch => ({
  kind: "wrong_app_hash",
  expected: toHexUpper(own),
  got: toHexUpper(header),
});

/**
 * Compares a header based on one state with the header that a node with another state expects;
 * undefined if they match.
 */
export function headerMismatch(own: Applied, header: Applied): HeaderMismatch | undefined {
  if (!equal(own.appHash, header.appHash)) return wrongAppHash(own.appHash, header.appHash);
  if (equal(own.resultsHash, header.resultsHash)) return undefined;
  return {
    kind: "wrong_last_results_hash",
    expected: toHexUpper(own.resultsHash),
    got: toHexUpper(header.resultsHash),
  };
}

export const consensusError = (text: string): LogLine => ({
  level: "error",
  module: "consensus",
  text,
});

/**
 * Returns the log lines of a node whose process exits, or whose consensus ends (rules/consensus
 * 7.1).
 */
export function haltLines(cause: HaltCause, state: "halted" | "exited"): LogLine[] {
  const reason = haltText(cause);
  if (state === "exited") {
    const exit = (text: string): LogLine => ({
      level: "error",
      module: "server",
      text,
      last: true,
    });
    if (consensusHalt({ process: state, haltCause: cause }) === undefined) return [exit(reason)];
    const before = haltLines(cause, "halted").map(({ last: _, ...line }) => line);
    return [...before, exit(`panic: ${reason}`)];
  }
  if (isHeaderMismatch(cause)) {
    return [consensusFailure(`+2/3 committed an invalid block: ${reason}`)];
  }
  return [
    {
      level: "error",
      module: "state",
      text: "error in proxyAppConn.FinalizeBlock",
      fields: { err: reason },
    },
    consensusFailure(`failed to apply block; error ${reason}`),
  ];
}

const consensusFailure = (error: string): LogLine => ({
  ...consensusError(`CONSENSUS FAILURE!!! err="${error}"`),
  last: true,
});
