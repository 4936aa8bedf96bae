import * as v from "valibot";
import { anyFromJson } from "../../api/json.ts";
import { about, coin, flag, map, text } from "../fields.ts";
import { infoRefused, infosAccepted, infosIn, UPGRADE_TYPE, validateInfo } from "../plan-info.ts";
import { contentOf, pass as passProposal, proposalContent, submit } from "../proposals.ts";
import { resolveAll, resolveText } from "../references.ts";
import { defineVerb } from "../verb.ts";

/** Submits a proposal with its deposit. */
export const propose = defineVerb({
  name: "propose",
  about: "Submits a governance proposal; the deposit is the minimum unless given.",
  args: map({
    from: about(text, "The account that proposes."),
    ...proposalContent,
    deposit: about(v.optional(coin), "The first deposit; the minimum unless given."),
    expedited: about(
      v.optional(flag),
      "Voted on in a shorter time, with a higher threshold and deposit.",
    ),
    validate_info: validateInfo,
  }),
  gives: { value: true },
  check({ from, deposit, messages, validate_info }, check) {
    check.account(from, "from");
    if (validate_info && messages.every((message) => message["@type"] !== UPGRADE_TYPE)) {
      check.problem("expected a MsgSoftwareUpgrade whose info can be checked", "validate_info");
    }
    if (deposit) check.denom(deposit.denom, "deposit");
  },
  preview(context, { messages, validate_info }) {
    if (validate_info === undefined) return {};
    const infos = infosIn(messages.map((json) => anyFromJson(resolveAll(context, json))));
    return infoRefused(context, "propose", infos, validate_info) ?? {};
  },
  *run(context, { from, deposit, expedited = false, validate_info, ...written }) {
    const content = contentOf(context, written);
    if (!(yield* infosAccepted(context, infosIn(content.messages), validate_info)))
      return undefined;
    const id = yield* submit(context, resolveText(context, from), {
      ...content,
      expedited,
      ...(deposit ? { deposit: deposit.amount } : {}),
    });
    return { value: id.toString() };
  },
});

/** A proposal from beginning to end. */
export const pass = defineVerb({
  name: "pass",
  about: "Proposes, lets every validator vote yes, and runs to the end of voting.",
  args: map(proposalContent),
  gives: { value: true },
  *run(context, content) {
    const id = yield* passProposal(context, contentOf(context, content));
    return { value: id.toString() };
  },
});
