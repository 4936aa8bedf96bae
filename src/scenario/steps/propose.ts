import * as v from "valibot";
import { about, coin, flag, map, text } from "../fields.ts";
import { infosAccepted, infosIn, UPGRADE_TYPE, validateInfo } from "../plan-info.ts";
import { contentOf, proposalContent, submit } from "../proposals.ts";
import { resolveText } from "../references.ts";
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
