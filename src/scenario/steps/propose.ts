import * as v from "valibot";
import { about, coin, flag, map, text } from "../fields.ts";
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
  }),
  gives: { value: true },
  check({ from, deposit }, check) {
    check.account(from, "from");
    if (deposit) check.denom(deposit.denom, "deposit");
  },
  *run(world, { from, deposit, expedited = false, ...content }) {
    const id = yield* submit(world, resolveText(world, from), {
      ...contentOf(world, content),
      expedited,
      ...(deposit ? { deposit: deposit.amount } : {}),
    });
    return { value: id.toString() };
  },
});
