import { create, toBinary } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import * as v from "valibot";
import { consAddress } from "../../base/bech32.ts";
import { toHexUpper } from "../../base/bytes.ts";
import { sha256 } from "../../base/sha256.ts";
import { formatRfc3339, parseRfc3339, toTimestamp } from "../../base/time.ts";
import type { MisbehaviorCommand } from "../../engine/simulation/command.ts";
import { EquivocationSchema } from "../../gen/chain/evidence/v1beta1/evidence_pb.ts";
import { evidenceVerdict } from "../evidence-verdict.ts";
import {
  about,
  integerOrReference,
  LIMITS,
  list,
  map,
  oneOf,
  text,
  timeOrReference,
} from "../fields.ts";
import { resolveNumber, resolveText } from "../references.ts";
import { type StepContext, StepError } from "../step-context.ts";
import { storedEvidence } from "../stored-evidence.ts";
import { defineVerb } from "../verb.ts";

/** `unknown` shows that the app ignores unknown types. */
const KIND = { duplicate_vote: 1, light_client_attack: 2, unknown: 0 } as const;

const OFFENCE = {
  duplicate_vote: "voted twice",
  light_client_attack: "attacked a light client",
  unknown: "did something of an unknown type",
} as const;

const args = map({
  type: about(
    oneOf("duplicate_vote", "light_client_attack", "unknown"),
    "Type of misbehavior. unknown: a type that the application ignores.",
  ),
  validators: about(
    v.pipe(list(text, "a list of validators"), v.minLength(1, "at least one validator")),
    "Validators that misbehaved.",
  ),
  height: about(integerOrReference(0, LIMITS.height), "Height of the misbehavior."),
  time: about(
    v.optional(timeOrReference),
    "Time of the misbehavior. Default: the time of that height.",
  ),
  power: about(
    v.optional(integerOrReference(0, Number.MAX_SAFE_INTEGER)),
    "Voting power of the validator. Default: its power at that height.",
  ),
});

/** Submits misbehavior to the app, as the consensus engine does. */
export const misbehavior = defineVerb({
  name: "misbehavior",
  instant: true,
  tried: true,
  about: "Passes misbehavior to the application in the next block, unchecked.",
  args,
  gives: { evidence: true },
  check({ validators, height, time }, check) {
    if (time === undefined) check.block(height, "height");
    validators.forEach((name, index) => void check.node(name, "validators", index));
  },
  *reads(context, what) {
    for (const command of commandsOf(context, what)) yield* context.sim.readBy(command);
  },
  preview(context, what) {
    const { type, validators, height: at, time: source, power: stated } = what;
    const { sim } = context;
    const [validator = ""] = validators;
    const height = resolveNumber(context, at);
    const time =
      source === undefined ? sim.timeAt(height) : parseRfc3339(resolveText(context, source));
    if (time === undefined) {
      return {
        path: "misbehavior.height",
        message: `there is no block ${height} to take the time from; give a time`,
      };
    }
    const power =
      stated === undefined ? sim.powerAt(validator, height) : resolveNumber(context, stated);
    const truth = { time: formatRfc3339(time), power: power === undefined ? "" : String(power) };
    if (power === undefined) {
      const message = `${validator} was not in the validator set of height ${height}; give a power`;
      return { ...truth, path: "misbehavior.power", message };
    }
    const accused = new Set(validators.map((name) => sim.node(name)?.validator ?? name));
    const { block, sentence: verdict } = evidenceVerdict(context, commandsOf(context, what));
    const when = block === undefined ? "Once a block comes," : `In block ${block}`;
    const sentence = `${when} the application receives evidence that ${[...accused].join(", ")} ${OFFENCE[type]} at height ${height}. ${verdict}`;
    return { ...truth, sentence };
  },
  *run(context, what) {
    const commands = commandsOf(context, what);
    context.sim.applyAll(commands);
    const [first] = commands as [MisbehaviorCommand];
    return { evidence: () => evidenceOf(context, first), of: first.height };
  },
});

const commandsOf = (
  context: StepContext,
  { type, validators, height, time, power }: v.InferOutput<typeof args>,
): MisbehaviorCommand[] =>
  validators.map((validator) => ({
    type: "misbehavior",
    kind: KIND[type],
    validator,
    height: resolveNumber(context, height),
    ...(time === undefined ? {} : { time: parseRfc3339(resolveText(context, time)) }),
    ...(power === undefined ? {} : { power: resolveNumber(context, power) }),
  }));

/**
 * Hash of the Equivocation that the app creates. Time and power are those of the stored one; if it
 * was ignored, those of its height.
 */
function evidenceOf({ sim }: StepContext, command: MisbehaviorCommand): string {
  const node = sim.node(command.validator);
  if (!node) throw new StepError(`there is no node ${command.validator}`);
  const address = consAddress(node.consensusAddress);
  const stored = storedEvidence(
    sim,
    (e) => e.consensusAddress === address && Number(e.height) === command.height,
  );
  if (stored !== undefined) return stored;
  const time = command.time ?? sim.timeAt(command.height);
  if (time === undefined)
    throw new StepError(`there is no block ${command.height} to take the time from`);
  const equivocation = create(EquivocationSchema, {
    height: BigInt(command.height),
    time: create(TimestampSchema, toTimestamp(time)),
    power: BigInt(command.power ?? sim.powerAt(command.validator, command.height) ?? node.power),
    consensusAddress: address,
  });
  return toHexUpper(sha256(toBinary(EquivocationSchema, equivocation)));
}
