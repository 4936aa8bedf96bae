import { V1 } from "../engine/app/binary.ts";
import { decFromString } from "../engine/primitives/dec.ts";
import { HOUR, parseRfc3339, SECOND } from "../engine/primitives/time.ts";
import type { Scenario } from "../scenario/scenario.ts";

/**
 * The world that is there before anyone has chosen one: four equal validators on v1, and a v2 that is
 * ready for an upgrade. Written as an object: reading a file would cost the first screen its parser.
 */
export const FIRST_WORLD: Scenario = {
  name: "first-world",
  title: "Four validators",
  about: "",
  steps: [],
  spec: {
    seed: 1,
    chainId: "lab-1",
    genesisTime: parseRfc3339("2026-01-01T00:00:00Z"),
    profile: "documented",
    blockTime: 5n * SECOND,
    denom: "stake",
    maxEvidenceAge: 48n * HOUR,
    maxEvidenceAgeBlocks: 100_000,
    evidenceRoutes: ["equivocation", "counterfactual"],
    commits: "compact",
    slashing: {
      slashFractionDoubleSign: decFromString("0.05"),
      slashFractionDowntime: decFromString("0.01"),
      signedBlocksWindow: 100,
      minSignedPerWindow: decFromString("0.5"),
      downtimeJailDuration: 600n * SECOND,
    },
    staking: { unbondingTime: 504n * HOUR, maxValidators: 100, maxEntries: 7 },
    gov: {
      minDeposit: 10_000_000n,
      maxDepositPeriod: 48n * HOUR,
      votingPeriod: 60n * SECOND,
      quorum: decFromString("0.334"),
      threshold: decFromString("0.5"),
      vetoThreshold: decFromString("0.334"),
      expeditedVotingPeriod: 30n * SECOND,
      expeditedThreshold: decFromString("0.667"),
      expeditedMinDeposit: 50_000_000n,
      burnVoteQuorum: false,
      burnVoteVeto: true,
      burnProposalDepositPrevote: false,
      minInitialDepositRatio: 0n,
      minDepositRatio: decFromString("0.01"),
      proposalCancelRatio: decFromString("0.5"),
      proposalCancelDest: "",
      safetyDelta: 60n * SECOND,
    },
    accounts: [
      { name: "alice", amount: 1_000_000_000n },
      { name: "bob", amount: 500_000_000n },
    ],
    validators: ["val-0", "val-1", "val-2", "val-3"].map((name) => ({
      name,
      stake: 100_000_000n,
      binary: V1.name,
    })),
    binaries: [
      V1,
      {
        ...V1,
        name: "v2",
        modules: { ...V1.modules, bank: 5, oracle: 1 },
        handlers: ["v2"],
        stores: { v2: { added: ["oracle"], renamed: [], deleted: [] } },
      },
    ],
  },
};
