/** The nearest case without a violation: a single thing was not done, or done differently. */
import { isMap } from "../fields.ts";
import { flow } from "../flow.ts";
import { formatPath } from "../problems.ts";
import { type SourceObject, stepsOf, valueAt, withValue } from "../varied.ts";
import type { Family } from "./family.ts";
import type { NeededStep, Violation } from "./search.ts";
import { withoutStep } from "./simplify.ts";
import { sourceStepText, verbOf } from "./source-step-text.ts";

export interface Nearest {
  /** Such as: val-2 kept priv_validator_state.json. */
  readonly words: string;
  readonly value: SourceObject;
}

/** A shrunk violated case. */
export interface SmallCase {
  readonly value: SourceObject;
  readonly steps: readonly NeededStep[];
  readonly violation: Violation;
  readonly vary: Family["vary"];
  /** The case with each single drawn difference removed, and the step of that difference. */
  readonly away: readonly { readonly value: SourceObject; readonly step: unknown }[];
}

/**
 * Finds the case that holds with the smallest relevant change; undefined if every such case is
 * violated too. Changes are: a step omitted or in its original form, another value of a variation,
 * or one block less before something.
 * @param holds true if the property holds in a case and all of its steps pass
 */
export function nearestThatHolds(
  { value, steps, violation, vary, away }: SmallCase,
  holds: (value: SourceObject) => boolean,
): Nearest | undefined {
  const candidates = [
    ...away.map((one) => ({
      words: inOriginalPlace(one.step),
      value: one.value,
      rank: RANK.operator,
    })),
    ...withoutOneStep(value, steps, violation),
    ...withAnotherValue(value, vary),
    ...withOneBlockLess(value),
  ].sort((a, b) => a.rank - b.rank);
  return candidates.find((candidate) => holds(candidate.value));
}

interface Candidate extends Nearest {
  /** The nearest have the lowest rank. */
  readonly rank: number;
}

/**
 * Candidates without one step. Excludes steps that only wait or check, and the step in which the
 * violation appears.
 */
function withoutOneStep(
  value: SourceObject,
  steps: readonly NeededStep[],
  { step }: Violation,
): Candidate[] {
  return steps.flatMap(({ without }, index) => {
    if (index === step) return [];
    const { verb, args } = verbOf(stepsOf(value)[index]);
    const words = without === "holds" ? alternative(verb, args) : undefined;
    if (words === undefined) return [];
    return { words, value: withoutStep(value, index), rank: rankOf(verb, args) };
  });
}

/** Other values of the genesis, the nearest in their list first. */
function withAnotherValue(value: SourceObject, vary: Family["vary"]): Candidate[] {
  return vary.flatMap((variation) => {
    if (variation.kind !== "one_of" || variation.path[0] !== "genesis") return [];
    const { path, values } = variation;
    const now = JSON.stringify(valueAt(value, path));
    const at = values.findIndex((one) => JSON.stringify(one) === now);
    if (at < 0) return [];
    return values
      .map((one, index) => ({ one, distance: Math.abs(index - at) }))
      .filter(({ distance }) => distance > 0)
      .sort((a, b) => a.distance - b.distance)
      .map(({ one, distance }) => ({
        words: `${formatPath(path)} been ${flow(one)} instead of ${flow(values[at])}`,
        value: withValue(value, path, one) as SourceObject,
        rank: RANK.value + distance / values.length,
      }));
  });
}

/** Runs are as short as the violation allows, so that one block less may avoid it. */
function withOneBlockLess(value: SourceObject): Candidate[] {
  const steps = stepsOf(value);
  return steps.flatMap((step, index) => {
    const { verb, args } = verbOf(step);
    const next = steps[index + 1];
    if (verb !== "run" || typeof args !== "number" || args < 2 || next === undefined) return [];
    const shorter = { ...value, steps: steps.with(index, { ...Object(step), run: args - 1 }) };
    const words = `“${sourceStepText(next)}” come a block earlier`;
    return { words, value: shorter, rank: RANK.block };
  });
}

/** Mishaps and offences come first, then actions of operators, values, time, and decisions. */
const RANK = { mishap: 0, network: 1, operator: 2, value: 3, block: 5, decision: 6 } as const;

function rankOf(verb: string, args: unknown): number {
  if (verb !== "nodes") return RANKS[verb] ?? RANK.decision;
  const action = Object.keys(Object(args)).find((key) => key !== "which") ?? "";
  return MISHAPS.includes(action) ? RANK.mishap : RANK.operator;
}

const RANKS: Readonly<Record<string, number>> = {
  fault: RANK.mishap,
  double_sign: RANK.mishap,
  light_client_attack: RANK.mishap,
  misbehavior: RANK.mishap,
  partition: RANK.network,
  release: RANK.network,
  tx: RANK.operator,
  vote: RANK.operator,
};
const MISHAPS = [
  "lose_signer_state",
  "remove_file",
  "write_file",
  "wipe",
  "roll_back",
  "twin",
  "disk",
];

/**
 * Clause after “had” for the case without the step; undefined for steps without an effect of their
 * own.
 */
function alternative(verb: string, args: unknown): string | undefined {
  const input = isMap(args) ? args : {};
  const text = (key: string): string => one(input[key]);
  switch (verb) {
    case "run":
    case "expect":
      return undefined;
    case "nodes":
      return nodesAlternative(input);
    case "fault":
      return faultAlternative(input);
    case "double_sign":
      return `${text("node")} not signed twice`;
    case "light_client_attack":
      return `${listed(input.by)} not attacked a light client`;
    case "misbehavior":
      return `no evidence against ${listed(input.validators)} been brought`;
    case "partition":
      return args === "heal" ? "the network stayed partitioned" : "the network stayed whole";
    case "release":
      return `the release of ${text("name")} been left as it was`;
    case "vote":
      return `${listed(input.by ?? "all")} not voted ${text("option")}`;
    case "upgrade":
      return input.cancel === true
        ? "the plan not been cancelled"
        : `plan ${text("name")} not been proposed`;
    case "propose":
    case "pass":
      return `“${text("title")}” not been proposed`;
    case "tx":
      return `${input.signed === undefined ? text("from") : "a client"} not sent the transaction`;
    default:
      return `${verb.replaceAll("_", " ")} been left out`;
  }
}

/** Clause after “had” for the case with the step in its original place. */
function inOriginalPlace(step: unknown): string {
  const { verb, args } = verbOf(step);
  if (verb === "nodes" && isMap(args)) {
    if ("binary" in args) return `${whoOf(args)} been started with ${one(args.binary)} in time`;
    if ("stage" in args)
      return `${one(args.stage)} been placed on the disk of ${whoOf(args)} in time`;
  }
  return `“${sourceStepText(step)}” been done as it is written`;
}

const whoOf = ({ which }: Readonly<Record<string, unknown>>): string =>
  which === "all" ? "all nodes" : listed(which);

function nodesAlternative(input: Readonly<Record<string, unknown>>): string {
  const { which: _, ...action } = input;
  const who = whoOf(input);
  const [[name, value] = ["", undefined]] = Object.entries(action);
  switch (name) {
    case "lose_signer_state":
      return `${who} kept priv_validator_state.json`;
    case "wipe":
      return `${who} kept the data`;
    case "stop":
      return `${who} not been stopped`;
    case "start":
      return `${who} not been started`;
    case "binary":
      return `${who} not been started with ${one(value)}`;
    case "stage":
      return `${one(value)} not been placed on the disk of ${who}`;
    case "skip_upgrades":
      return `${who} not been told to skip upgrades`;
    case "halt_height":
      return `${who} had no halt height`;
    case "halt_time":
      return `${who} had no halt time`;
    case "twin":
      return value === true ? `${who} had no second node` : `${who} kept the second node`;
    case "roll_back":
      return `${who} taken back no block`;
    case "state_sync":
      return `${who} kept the state`;
    case "write_file":
      return `${who} kept ${isMap(value) ? one(value.path) : "the file"} as it was`;
    case "remove_file":
      return `${who} kept ${one(value)}`;
    default:
      return `${name.replaceAll("_", " ")} of ${who} been left as it was`;
  }
}

function faultAlternative(input: Readonly<Record<string, unknown>>): string {
  const { node, kind, chaos, clear } = input;
  if (chaos !== undefined) return "no chaos been there";
  if (clear !== undefined) return "the faults gone on";
  if (node === undefined) return "the network stayed whole";
  const who = one(node);
  switch (kind) {
    case "crash":
      return `${who} not crashed`;
    case "stop":
      return `${who} not been stopped`;
    case "double_sign":
      return `${who} not signed twice`;
    case "twin":
      return `${who} had no second node`;
    case "lose_signer_state":
      return `${who} kept priv_validator_state.json`;
    case "clock":
      return `the clock of ${who} been right`;
    default:
      return `${who} not been ${one(kind)}`;
  }
}

const one = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";
const listed = (names: unknown): string =>
  Array.isArray(names) ? names.map(one).join(" and ") : one(names);
