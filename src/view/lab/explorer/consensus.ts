import { consAddress } from "../../../base/bech32.ts";
import { toHexUpper } from "../../../base/bytes.ts";
import { formatProtoTime } from "../../../base/time.ts";
import { verifiedCommit } from "../../../engine/simulation/decided-blocks.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { Commit, Rounds } from "../../../gen/lab/v1/lab_plain.ts";
import type { Observer } from "../frame/observer.ts";
import { blockIdView } from "./header.ts";

/**
 * The rounds of a height (0: the one being decided), with all votes; limited to the latest ones if
 * the limit is not 0. Validators are shown by name.
 */
export function roundsOf(
  sim: Simulation,
  observer: Observer,
  requested: number,
  newest: number,
): Rounds {
  const height = requested || sim.decidedHeight + 1;
  const nameOf = (address: Uint8Array): string => observer.validators.nameOf(consAddress(address));
  return {
    height,
    rounds: sim
      .roundsOf(height)
      .slice(-newest)
      .map(({ startTime, proposer, votes, ...round }) => ({
        round: round.round,
        began: formatProtoTime(startTime),
        proposer: nameOf(proposer),
        outcome: round.outcome,
        why: round.why,
        power: round.power,
        neededPower: round.neededPower,
        votes: votes.map(({ validator, power, prevote, precommit, why }) => ({
          node: nameOf(validator),
          power,
          prevote,
          precommit,
          why,
        })),
      })),
  };
}

/** The current commit of a block; undefined if the block is not committed. */
export function commitOf(sim: Simulation, observer: Observer, height: number): Commit | undefined {
  const commit = verifiedCommit(sim, height);
  if (commit === undefined) return undefined;
  return {
    height: `${commit.height}`,
    round: commit.round,
    blockId: blockIdView(commit.blockId),
    error: commit.error ?? "",
    signatures: commit.signatures.map((signature) => ({
      blockIdFlag: signature.blockIdFlag,
      validatorAddress: toHexUpper(signature.validatorAddress),
      timestamp: formatProtoTime(signature.timestamp),
      signature: toHexUpper(signature.signature),
      node:
        signature.validatorAddress.length === 0
          ? ""
          : observer.validators.nameOf(consAddress(signature.validatorAddress)),
    })),
  };
}
