import { type Duration, HOUR } from "../../base/time.ts";

/**
 * The part of CometBFT's consensus params that is used here; durations in nanoseconds
 * (rules/consensus 1.1).
 */
export interface BlockParams {
  readonly maxBytes: number;
  readonly maxGas: number;
}

export interface EvidenceParams {
  readonly maxAgeNumBlocks: number;
  readonly maxAgeDuration: Duration;
  readonly maxBytes: number;
}

export interface ConsensusParams {
  readonly block: BlockParams;
  readonly evidence: EvidenceParams;
}

export const DEFAULT_CONSENSUS_PARAMS: ConsensusParams = {
  block: { maxBytes: 22020096, maxGas: -1 },
  evidence: {
    maxAgeNumBlocks: 100_000,
    maxAgeDuration: 48n * HOUR,
    maxBytes: 1_048_576,
  },
};
