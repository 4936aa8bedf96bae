/** Draws the beginning of a world: its genesis and the binaries that exist. */
import type { Draw } from "../draw.ts";

export const PLANS = ["v2", "v3", "v4", "v5", "v6"];

const ROUTES = ["equivocation", "counterfactual", "scripted"];

/** Short periods: stakes are freed, votes end and evidence expires within a few dozen blocks. */
export function drawBeginning(draw: Draw): Record<string, unknown> {
  const many = draw.chance(0.05);
  const validators = many ? draw.between(8, 30) : draw.between(1, 7);
  const equal = draw.chance(0.5);
  return {
    scenario: 1,
    name: "found-by-fuzzing",
    seed: draw.between(0, 1_000_000),
    genesis: {
      profile: draw.pick(["documented", "sdk-0.53"]),
      block_time: "5s",
      ...(draw.chance(0.2) ? { initial_height: draw.pick([2, 100, 999_999_000]) } : {}),
      ...(draw.chance(0.2)
        ? {
            genesis_time: draw.pick([
              "2262-04-11T23:46:00Z",
              "9999-12-31T23:58:00Z",
              "0001-01-01T00:00:00Z",
            ]),
          }
        : {}),
      max_evidence_age: draw.pick(["10s", "30s", "48h"]),
      max_evidence_age_blocks: draw.pick([2, 6, 100_000]),
      ...(draw.chance(0.2) ? { max_evidence_bytes: draw.pick([0, 500, 2000]) } : {}),
      evidence_routes: draw.chance(0.1) ? [] : draw.some(ROUTES),
      commits: draw.chance(0.2) ? "full" : "compact",
      accounts: { alice: "1000000000stake", bob: "3stake" },
      slashing: {
        signed_blocks_window: draw.pick([1, 4, 8, 100]),
        min_signed_per_window: draw.pick(["0.5", "0.05", "1"]),
        downtime_jail_duration: draw.pick(["5s", "20s"]),
        slash_fraction_double_sign: draw.pick(["0.05", "0.333333333333333333", "1"]),
        slash_fraction_downtime: draw.pick(["0.01", "0", "0.999"]),
      },
      staking: {
        unbonding_time: draw.pick(["15s", "40s", "504h"]),
        max_validators: draw.between(1, many ? 30 : 8),
        max_entries: draw.pick([1, 2, 7]),
      },
      gov: {
        voting_period: draw.pick(["10s", "15s", "30s"]),
        max_deposit_period: draw.pick(["15s", "60s"]),
        expedited_voting_period: draw.pick(["5s", "9s"]),
        min_deposit: "10000000stake",
        burn_vote_quorum: draw.chance(0.5),
        burn_proposal_deposit_prevote: draw.chance(0.5),
        proposal_cancel_ratio: draw.pick(["0.5", "0", "1"]),
        ...(draw.chance(0.3) ? { min_initial_deposit_ratio: "0.25" } : {}),
      },
      validators: Array.from({ length: validators }, (_, i) => ({
        name: `val-${i}`,
        stake: `${equal ? 100_000_000 : draw.between(1, 200) * 1_000_000}`,
        ...(draw.chance(0.05) ? { binary: "v2" } : {}),
      })),
    },
    binaries: {
      v2: {
        modules: { bank: 5, oracle: 1 },
        handlers: ["v2"],
        stores: { v2: { added: ["oracle"] } },
      },
      v3: {
        from: "v2",
        modules: { feed: 1, oracle: null },
        handlers: ["v3"],
        stores: { v3: { renamed: [{ old_key: "oracle", new_key: "feed" }] } },
      },
      v4: { from: "v2", handlers: ["v2", "v4"], migration: "nondeterministic" },
      v5: { handlers: ["v5"], migration: { error: "out of luck" } },
      v6: { modules: { mint: 3 }, handlers: ["v6"], migration: { panic: "index out of range" } },
    },
    steps: [],
  };
}
