/** What a step would do, in a sentence: the facts it goes by, read from the chain. Nothing is run. */
import { anyFromJson } from "../api/json.ts";
import { ask } from "../api/lab/ask.ts";
import { durationOf } from "../engine/framework/time-messages.ts";
import { paramsFromMessage } from "../engine/modules/slashing/types.ts";
import { valAddress } from "../engine/primitives/bech32.ts";
import { decToText } from "../engine/primitives/dec.ts";
import { durationToText, formatRfc3339, parseRfc3339 } from "../engine/primitives/time.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import { Query } from "../gen/chain/staking/v1beta1/query_pb.ts";
import { BondStatus } from "../gen/chain/staking/v1beta1/staking_pb.ts";
import type { StepPreview } from "../gen/lab/v1/lab_plain.ts";
import { type InfoValidation, infosIn, type PlacedInfo, verdictOn } from "./plan-info.ts";
import { fault, lightClientAttack, nodes, partition } from "./preview-network.ts";
import { resolveAll, resolveNumber, resolveText } from "./references.ts";
import { parseStep } from "./runner.ts";
import type { StepContext } from "./step-context.ts";

const NOTHING: StepPreview = { sentence: "", path: "", message: "", time: "", power: "" };

/** A set takes effect two blocks after the state it comes from (staking facts §4.4). */
const SET_DELAY = 2;
const POWER_REDUCTION = 1_000_000n;

/** Reads a step and says what it would do; a refusal is in `message`, with its place in `path`. */
export function previewStep(text: string, context: StepContext): StepPreview {
  const read = parseStep(text, context);
  if ("problems" in read) {
    const [first] = read.problems;
    return { ...NOTHING, path: first?.path ?? "", message: first?.message ?? "" };
  }
  const { verb, args } = read.step;
  try {
    return { ...NOTHING, ...PREVIEWS[verb]?.(context, args as never) };
  } catch (error) {
    return { ...NOTHING, path: verb, message: (error as Error).message };
  }
}

const PREVIEWS: Readonly<
  Record<string, (context: StepContext, args: never) => Partial<StepPreview>>
> = {
  misbehavior: misbehavior,
  double_sign: doubleSign,
  light_client_attack: lightClientAttack,
  fault,
  partition,
  nodes,
  upgrade,
  propose,
};

interface MisbehaviorArgs {
  readonly validators: readonly string[];
  readonly height: number | string;
  readonly time?: string;
  readonly power?: number | string;
}

function misbehavior(context: StepContext, args: MisbehaviorArgs): Partial<StepPreview> {
  const { sim } = context;
  const [validator = ""] = args.validators;
  const height = resolveNumber(context, args.height);
  const known = sim.timeAt(height);
  const time = args.time === undefined ? known : parseRfc3339(resolveText(context, args.time));
  if (time === undefined) {
    return {
      path: "misbehavior.height",
      message: `there is no block ${height} to take the time from; give a time`,
    };
  }
  const power =
    args.power === undefined ? powerAt(sim, validator, height) : resolveNumber(context, args.power);
  const truth = { time: formatRfc3339(time), power: power === undefined ? "" : String(power) };
  if (power === undefined) {
    const message = `${validator} was not in the validator set of height ${height}; give a power`;
    return { ...truth, path: "misbehavior.power", message };
  }
  const next = sim.decidedHeight + 1;
  const age = durationToText(sim.clock > time ? sim.clock - time : 0n);
  const sentence = [
    `In block ${next} the app is told that ${args.validators.join(", ")} voted twice at height ${height}.`,
    `That is ${age} ago; it counts for ${durationToText(sim.spec.maxEvidenceAge)}.`,
    consequence(sim),
  ].join(" ");
  return { ...truth, sentence };
}

function doubleSign(
  { sim }: StepContext,
  { node }: { readonly node: string },
): Partial<StepPreview> {
  const at = sim.decidedHeight + 1;
  const sentence = `${node} signs two blocks at height ${at}; whoever sees both puts evidence into block ${at + 1}. ${consequence(sim)}`;
  return { sentence, power: String(sim.node(node)?.power ?? "") };
}

const consequence = (sim: Simulation): string =>
  `What counts costs ${percent(sim)} of the stake it had then, and the validator is out for ever.`;

const percent = (sim: Simulation): string =>
  `${decToText(paramsFromMessage(sim.spec.slashing).slashFractionDoubleSign * 100n)} %`;

/** Power with which a validator voted at a height; undefined if it was not in the set. */
function powerAt(sim: Simulation, validator: string, height: number): number | undefined {
  const operator = sim.account(validator);
  const state = Math.min(Math.max(height - SET_DELAY, 0), sim.height);
  if (operator === undefined || height < 1) return undefined;
  try {
    const request = { validatorAddr: valAddress(operator) };
    const found = ask(sim, Query.method.validator, request, state).validator;
    if (found === undefined || found.jailed || found.status !== BondStatus.BONDED) return undefined;
    return Number(BigInt(found.tokens) / POWER_REDUCTION);
  } catch {
    return undefined;
  }
}

type UpgradeArgs =
  | { readonly cancel: true }
  | {
      readonly name: string;
      readonly at: number | string;
      readonly info: string;
      readonly validate_info?: InfoValidation;
    };

function upgrade(context: StepContext, args: UpgradeArgs): Partial<StepPreview> {
  const { sim } = context;
  const votingPeriod = durationOf(sim.spec.gov.votingPeriod);
  // The proposal is in the next block; what it says happens when voting has ended.
  const ends = sim.decidedHeight + 1 + Math.ceil(Number(votingPeriod) / Number(sim.spec.blockTime));
  const voting = `Everyone votes yes; voting takes ${durationToText(votingPeriod)}, until about block ${ends}.`;
  if ("cancel" in args)
    return { sentence: `${voting} Then the plan is taken back, if it is not due before.` };
  const infos = [{ path: "info", info: resolveText(context, args.info) }];
  const refused = infoRefused(context, "upgrade", infos, args.validate_info);
  if (refused) return refused;
  const at = resolveNumber(context, args.at);
  const name = resolveText(context, args.name);
  if (at < ends) {
    return { sentence: `${voting} Height ${at} will have passed by then: the proposal will fail.` };
  }
  const ready = sim.binaries().filter(({ handlers }) => handlers.includes(name));
  const carriers = ready.length === 0 ? "no binary has one" : ready.map((b) => b.name).join(", ");
  return {
    sentence: `${voting} At height ${at} every node stops that has no Handler "${name}" (${carriers}).`,
  };
}

interface ProposeArgs {
  readonly messages: readonly unknown[];
  readonly validate_info?: InfoValidation;
}

function propose(
  context: StepContext,
  { messages, validate_info }: ProposeArgs,
): Partial<StepPreview> {
  if (validate_info === undefined) return {};
  const infos = infosIn(messages.map((json) => anyFromJson(resolveAll(context, json))));
  return infoRefused(context, "propose", infos, validate_info) ?? {};
}

/** The command line's words about the first info that it would not propose, and its place. */
function infoRefused(
  context: StepContext,
  verb: string,
  infos: readonly PlacedInfo[],
  how: InfoValidation,
): Partial<StepPreview> | undefined {
  if (how === undefined) return undefined;
  for (const { path, info } of infos) {
    const { refusal: message } = verdictOn(context, info, how);
    if (message !== undefined) return { path: `${verb}.${path}`, message };
  }
  return undefined;
}
