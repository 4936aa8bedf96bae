import * as v from "valibot";
import { anyFromJson } from "../../api/json.ts";
import { coin, flag, map, messages, text } from "../fields.ts";
import { submit } from "../proposals.ts";
import { resolveAll, resolveText } from "../references.ts";
import { defineVerb } from "../verb.ts";

/** Submits a proposal with its deposit. */
export const propose = defineVerb({
  name: "propose",
  about: "Submits a governance proposal; the deposit is the minimum unless given.",
  args: map({
    from: text,
    title: text,
    messages,
    deposit: v.optional(coin),
    expedited: v.optional(flag),
  }),
  gives: { value: true },
  check({ from, deposit }, check) {
    check.account(from, "from");
    if (deposit) check.denom(deposit.denom, "deposit");
  },
  *run(world, { from, title, messages: list, deposit, expedited = false }) {
    const id = yield* submit(world, resolveText(world, from), {
      title: resolveText(world, title),
      messages: list.map((json) => anyFromJson(resolveAll(world, json))),
      expedited,
      ...(deposit ? { deposit: deposit.amount } : {}),
    });
    return { value: id.toString() };
  },
});
