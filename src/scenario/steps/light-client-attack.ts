import * as v from "valibot";
import { consAddress } from "../../base/bech32.ts";
import type { Command } from "../../engine/simulation/command.ts";
import { acceptLightClientAttacks } from "../../engine/simulation/light-client-attacks.ts";
import { evidenceVerdict } from "../evidence-verdict.ts";
import { about, integerOrReference, LIMITS, list, map, oneOf, text } from "../fields.ts";
import { resolveNumber } from "../references.ts";
import type { StepContext } from "../step-context.ts";
import { evidenceOf } from "../stored-evidence.ts";
import { defineVerb } from "../verb.ts";
import { powerOnNodes } from "./partition.ts";

type Attack = Extract<Command, { type: "light_client_attack" }>;

const attackOf = (
  context: StepContext,
  {
    kind,
    by,
    height,
  }: Pick<Attack, "kind" | "by"> & { readonly height?: number | string | undefined },
): Attack => ({
  type: "light_client_attack",
  kind,
  by,
  ...(height === undefined ? {} : { height: resolveNumber(context, height) }),
});

/** Descriptions of the signed block and the effect of the evidence. */
const SENTENCE = {
  lunatic: ["a block with a state and a set of their own", "accuses those who signed"],
  equivocation: [
    "a block with other transactions, in the same round",
    "accuses those who signed both",
  ],
  amnesia: [
    "a block with other transactions, in a later round",
    "punishes no validator: the votes do not show who broke the rules",
  ],
} as const;

/** Makes validators sign a block that conflicts with the chain's. */
export const lightClientAttack = defineVerb({
  name: "light_client_attack",
  instant: true,
  tried: true,
  about:
    "Validators sign a block that conflicts with a committed one (default: the newest) and show it to a light client. Lunatic: with a made-up state and set; equivocation: with other transactions, in the same round; amnesia: in a later round. An honest node puts evidence on chain.",
  args: map({
    kind: about(oneOf("lunatic", "equivocation", "amnesia"), "Kind of attack."),
    by: about(
      v.pipe(list(text, "a list of validators"), v.minLength(1, "at least one validator")),
      "Validators that sign the conflicting block.",
    ),
    height: about(
      v.optional(integerOrReference(1, LIMITS.height)),
      "Height of the conflicting block. Default: the newest. A lunatic attack may be ahead of the chain.",
    ),
  }),
  gives: { evidence: true },
  check({ kind, by, height }, check) {
    if (kind !== "lunatic") check.block(height, "height");
    const seen = new Set<string>();
    by.forEach((name, index) => {
      check.node(name, "by", index);
      if (seen.has(name)) check.problem(`${name} is named twice`, "by", index);
      seen.add(name);
    });
  },
  reads: (context, what) => context.sim.readBy(attackOf(context, what)),
  preview(context, { kind, by, height: at }) {
    const { sim } = context;
    const height = at === undefined ? sim.height : resolveNumber(context, at);
    const [does, then] = SENTENCE[kind];
    acceptLightClientAttacks();
    const attack = attackOf(context, { kind, by, height: at });
    const { sentence: verdict, block } = evidenceVerdict(context, [attack]);
    const evidence = block === undefined ? "." : `; the evidence in block ${block} ${then}.`;
    const follows = `An honest node sees it${evidence} ${verdict}`.trim();
    return {
      sentence: `${by.join(", ")}, ${powerOnNodes(sim, by)} of ${sim.chainStatus().totalPower} power, sign ${does}, against block ${height}. ${follows}`,
    };
  },
  *run(context, { kind, by, height }) {
    const { sim } = context;
    const since = sim.height;
    acceptLightClientAttacks();
    sim.apply(attackOf(context, { kind, by, height }));
    const addresses = by.map((name) => sim.node(name)?.consensusAddress);
    const keys = addresses.flatMap((address) => (address ? [consAddress(address)] : []));
    const offence = { by: keys, from: 0, to: since };
    return { offence, evidence: () => evidenceOf(sim, offence, by.join(", ")) };
  },
});
