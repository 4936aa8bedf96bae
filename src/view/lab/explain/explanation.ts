import { STATUS, StatusError } from "../../../engine/framework/errors.ts";
import type { HistoryRanges } from "../../../engine/simulation/history-range.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { Explanation } from "../../../gen/lab/v1/explain_plain.ts";
import { hashOf } from "../../hex.ts";
import { openEvidence } from "../explorer/evidence.ts";
import { openPiece } from "../explorer/evidence-pieces.ts";
import { openValidatorStates } from "../explorer/validator-states.ts";
import type { Observer } from "../frame/observer.ts";
import { answerOf, openBlocks, type Reading } from "../reading.ts";
import { explainBlock } from "./block.ts";
import { explainEvidence } from "./evidence.ts";
import { explainPlan } from "./plan.ts";
import { explainProposal } from "./proposal.ts";
import { type Explained, explanation } from "./reasons.ts";
import { explainTx } from "./tx.ts";
import { explainValidator } from "./validator.ts";

type Explain = (
  sim: Simulation,
  observer: Observer,
  id: string,
) => Explained | undefined | HistoryRanges<Explained | undefined>;

/** Explanations by kind of object; an id that cannot exist throws a StatusError. */
const KINDS: Readonly<Record<string, Explain>> = {
  *block(sim, observer, id) {
    const height = numberIn(id, "the height of a block");
    yield* openBlocks(height - 1, height);
    return explainBlock(sim, observer, height);
  },
  *evidence(sim, observer, id) {
    yield* openEvidence(sim, observer);
    yield* openPiece(id);
    return explainEvidence(sim, observer, id);
  },
  proposal: (sim, observer, id) =>
    explainProposal(sim, observer, numberIn(id, "the number of a proposal")),
  plan: explainPlan,
  *validator(sim, observer, name) {
    yield* openValidatorStates(sim, observer, name);
    return explainValidator(sim, observer, name);
  },
  *tx(sim, _, id) {
    const hash = hashOf(id);
    const tx = yield* sim.searchTx(hash);
    if (tx !== undefined) yield* openBlocks(tx.height);
    return explainTx(sim, hash);
  },
};

/**
 * Explains an object of the world: the decisions that led to its state, in order, each with its
 * rule. Throws StatusError for an unknown kind or object.
 */
export function* explain(
  sim: Simulation,
  observer: Observer,
  kind: string,
  id: string,
): Reading<Explanation> {
  if (!Object.hasOwn(KINDS, kind)) {
    const kinds = Object.keys(KINDS).join(", ");
    throw invalid(`expected a kind of ${kinds}, found "${kind}"`);
  }
  const explained = yield* answerOf(KINDS[kind]?.(sim, observer, id));
  if (explained === undefined)
    throw new StatusError(STATUS.notFound, `there is no ${NAMES[kind] ?? kind} ${id}`);
  return explanation(explained);
}

const NAMES: Readonly<Record<string, string>> = {
  evidence: "piece of evidence",
  tx: "transaction",
};

const invalid = (text: string): StatusError => new StatusError(STATUS.invalidArgument, text);

function numberIn(id: string, what: string): number {
  if (/^\d{1,10}$/.test(id)) return Number(id);
  throw invalid(`expected ${what}, found "${id}"`);
}
