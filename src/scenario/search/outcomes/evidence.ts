/**
 * Outcomes of evidence: from the consensus engine to the application, and submitted by accounts.
 */
import type { ModuleStep } from "../../../engine/app/steps.ts";
import type { IgnoredCause } from "../../../engine/modules/evidence/ignored.ts";
import type { Reach } from "./reach.ts";

type Ignored = IgnoredCause["kind"] | "unknown_type";
type Refused =
  | "invalid"
  | "duplicate"
  | "no_handler"
  | "no_router"
  | "by_handler"
  | Exclude<IgnoredCause["kind"], "no_block" | "invalid" | "no_public_key">;
type Name =
  | "punished"
  | `ignored/${Ignored}`
  | "halts/unknown_validator"
  | "halts/no_signing_info"
  | "accepted"
  | `refused/${Refused}`;

const SUBMITTED = "submitted evidence refused";
const NO_PUBLIC_KEY: Reach = {
  words: "ignored: no public key is known",
  never: "slashing forgets a key only together with staking's validator",
};

export const EVIDENCE: Readonly<Record<Name, Reach>> = {
  punished: { words: "slashed, jailed, tombstoned and stored", by: "a double sign" },
  "ignored/no_block": {
    words: "ignored: there is no such block",
    by: "misbehavior of a height that the chain does not have, with a time",
  },
  "ignored/invalid": {
    words: "ignored: no valid evidence can be made of it",
    by: "misbehavior with power 0, profile documented",
  },
  "ignored/unknown_validator": {
    words: "ignored: staking does not know the validator",
    by: "misbehavior of a validator whose stake has left, profile documented",
  },
  "ignored/unbonded": {
    words: "ignored: the validator is unbonded",
    by: "misbehavior of a validator whose unbonding is over while others still delegate to it",
  },
  "ignored/no_public_key": NO_PUBLIC_KEY,
  "ignored/tombstoned": {
    words: "ignored: the validator is tombstoned already",
    by: "a second double sign of one validator",
  },
  "ignored/too_old": {
    words: "ignored: it is too old",
    by: "misbehavior that is older than max_evidence_age",
  },
  "ignored/unknown_type": {
    words: "ignored: a kind that the application does not know",
    by: "misbehavior of the type unknown",
  },
  "halts/unknown_validator": {
    words: "halts every node: staking does not know the validator",
    by: "misbehavior of a validator whose stake has left, profile sdk-0.53",
  },
  "halts/no_signing_info": {
    words: "halts every node: there is no signing info",
    never: "every validator that is bonded or unbonding has had signing info since it was bonded",
  },
  accepted: {
    words: "submitted evidence accepted by its Handler",
    by: "MsgSubmitEvidence with evidence that holds",
  },
  "refused/invalid": {
    words: `${SUBMITTED}: it fails basic validation`,
    by: "an Equivocation with height or power 0",
  },
  "refused/duplicate": {
    words: `${SUBMITTED}: it is stored already`,
    by: "the same evidence submitted twice",
  },
  "refused/no_handler": {
    words: `${SUBMITTED}: its route has no Handler`,
    by: "evidence whose route is not among evidence_routes",
  },
  "refused/no_router": {
    words: `${SUBMITTED}: the chain has no Router`,
    by: "evidence for a chain with evidence_routes: []",
  },
  "refused/by_handler": {
    words: `${SUBMITTED}: its claims do not hold`,
    by: "an Equivocation with another power than the validator had",
  },
  "refused/unknown_validator": {
    words: `${SUBMITTED}: staking does not know the validator`,
    by: "evidence against a validator whose stake has left",
  },
  "refused/unbonded": {
    words: `${SUBMITTED}: the validator is unbonded`,
    by: "evidence against a validator whose unbonding is over",
  },
  "refused/tombstoned": {
    words: `${SUBMITTED}: the validator is tombstoned already`,
    by: "evidence of a second offence of one validator",
  },
  "refused/too_old": {
    words: `${SUBMITTED}: it is too old`,
    by: "evidence that is older than max_evidence_age",
  },
};

/** Outcomes of the evidence decided by the steps of a block, or of evidence that halted nodes. */
export function* evidenceOutcomes(steps: readonly ModuleStep[]): Generator<Name> {
  /** Reason why the current piece would be ignored. */
  let cause: Refused | undefined;
  for (const step of steps) {
    if (step.module !== "evidence") continue;
    switch (step.kind) {
      case "outcome":
        yield step.data.ignored === undefined ? "punished" : `ignored/${step.data.ignored.kind}`;
        break;
      case "unknown_misbehavior":
        yield "ignored/unknown_type";
        break;
      case "basic_validation":
        cause = undefined;
        if (step.outcome === "refused") yield "refused/invalid";
        break;
      case "duplicate_check":
        if (step.data.found) yield "refused/duplicate";
        break;
      case "route":
        if (step.data.found !== "handler") yield `refused/${step.data.found}`;
        break;
      case "unknown_validator":
        if (step.outcome === "halt") yield "halts/unknown_validator";
        cause = "unknown_validator";
        break;
      case "validator":
        if (step.outcome === "ignored") cause = "unbonded";
        break;
      case "age":
        if (step.outcome === "ignored") cause = "too_old";
        break;
      case "tombstoned":
        if (step.outcome === "ignored") cause = "tombstoned";
        break;
      case "signing_info":
        if (!step.data.found) yield "halts/no_signing_info";
        break;
      case "handler":
        if (step.data.error !== undefined) yield `refused/${cause ?? "by_handler"}`;
        else if (!step.reverted) yield "accepted";
        break;
      default:
    }
  }
}
