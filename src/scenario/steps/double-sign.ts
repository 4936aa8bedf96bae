import { consAddress } from "../../base/bech32.ts";
import { evidenceVerdict } from "../evidence-verdict.ts";
import { about, LIMITS, map, text } from "../fields.ts";
import { evidenceOf } from "../stored-evidence.ts";
import { defineVerb } from "../verb.ts";

/** Makes a node sign two conflicting precommits. */
export const doubleSign = defineVerb({
  name: "double_sign",
  instant: true,
  tried: true,
  about:
    "A node signs two conflicting votes at the next height; honest nodes detect it and put evidence on chain.",
  args: map({ node: about(text, "Node that double-signs.") }),
  gives: { evidence: true },
  check({ node }, check) {
    check.node(node, "node");
  },
  preview(context, { node }) {
    const { sim } = context;
    const at = sim.decidedHeight + 1;
    const { block, sentence: verdict } = evidenceVerdict(context, [{ type: "double_sign", node }]);
    const signs = `${node} signs two conflicting precommits`;
    const sentence =
      block === undefined
        ? `${signs} at the next height at which it votes. ${verdict}`
        : `${signs} at height ${at}; an honest node that receives both puts evidence into block ${block}. ${verdict}`;
    return { sentence, power: String(sim.node(node)?.power ?? "") };
  },
  *run({ sim }, { node }) {
    const since = sim.height;
    sim.apply({ type: "double_sign", node });
    const address = sim.node(node)?.consensusAddress;
    const by = address ? [consAddress(address)] : [];
    const offence = { by, from: since + 1, to: LIMITS.height };
    return { offence, evidence: () => evidenceOf(sim, offence, node) };
  },
});
