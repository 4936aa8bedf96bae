/** Outcomes of proposals. */
import type { ModuleStep } from "../../../engine/app/steps.ts";
import type { Reach } from "./reach.ts";

const WHY = {
  nothing_bonded: "nothing_bonded",
  turnout: "quorum",
  all_abstained: "all_abstained",
  veto: "veto",
  yes: "threshold",
} as const;

type Name =
  | "passed"
  | `${"rejected" | "converted"}/${(typeof WHY)[keyof typeof WHY]}`
  | "failed"
  | "dropped"
  | "cancelled"
  | "unsupported";

const NOTHING_BONDED = {
  never: "a chain whose validators are all gone makes no block in which a vote could end",
};

export const PROPOSALS: Readonly<Record<Name, Reach>> = {
  passed: { words: "passed, and its messages ran", by: "a proposal that most vote yes on" },
  failed: {
    words: "passed, but one of its messages failed",
    by: "a plan whose height is over when voting ends",
  },
  "rejected/nothing_bonded": { words: "rejected: nothing is bonded", ...NOTHING_BONDED },
  "rejected/quorum": { words: "rejected: too few voted", by: "a proposal without votes" },
  "rejected/all_abstained": {
    words: "rejected: all abstained",
    by: "a proposal on which every vote is an abstention",
  },
  "rejected/veto": { words: "rejected: vetoed", by: "a proposal that most vote no_with_veto on" },
  "rejected/threshold": {
    words: "rejected: too few said yes",
    by: "a proposal that most vote no on",
  },
  "converted/nothing_bonded": {
    words: "expedited, made regular: nothing is bonded",
    ...NOTHING_BONDED,
  },
  "converted/quorum": {
    words: "expedited, made regular: too few voted",
    by: "an expedited proposal without votes",
  },
  "converted/all_abstained": {
    words: "expedited, made regular: all abstained",
    by: "an expedited proposal on which every vote is an abstention",
  },
  "converted/veto": {
    words: "expedited, made regular: vetoed",
    by: "an expedited proposal that most vote no_with_veto on",
  },
  "converted/threshold": {
    words: "expedited, made regular: too few said yes",
    by: "an expedited proposal with more than half but not two thirds of yes",
  },
  dropped: {
    words: "dropped: its deposit did not reach the minimum in time",
    by: "a proposal with a small deposit, and max_deposit_period to pass",
  },
  cancelled: { words: "cancelled by its proposer", by: "MsgCancelProposal of the proposer" },
  unsupported: {
    words: "failed: the binary knows its messages no more",
    never: "no module that an upgrade can take away has messages",
  },
};

/** Outcomes of the proposals decided by the steps of a block. */
export function* proposalOutcomes(steps: readonly ModuleStep[]): Generator<Name> {
  /** Reason why the current proposal did not pass. */
  let why: (typeof WHY)[keyof typeof WHY] = "threshold";
  for (const step of steps) {
    if (step.module !== "gov") continue;
    switch (step.kind) {
      case "nothing_bonded":
      case "turnout":
      case "all_abstained":
      case "veto":
      case "yes":
        if (step.outcome === "refused") why = WHY[step.kind];
        break;
      case "closed": {
        const { result } = step.data.closing;
        yield result === "rejected" || result === "converted" ? `${result}/${why}` : result;
        break;
      }
      case "dropped":
      case "unsupported":
        yield step.kind;
        break;
      case "cancelled":
        if (!step.reverted) yield "cancelled";
        break;
      default:
    }
  }
}
