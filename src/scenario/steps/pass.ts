import { anyFromJson } from "../../api/json.ts";
import { map, messages, text } from "../fields.ts";
import { pass as passProposal } from "../proposals.ts";
import { resolveAll, resolveText } from "../references.ts";
import { defineVerb } from "../verb.ts";

/** A proposal from beginning to end. */
export const pass = defineVerb({
  name: "pass",
  about: "Proposes, lets every validator vote yes, and runs to the end of voting.",
  args: map({ title: text, messages }),
  gives: { value: true },
  *run(world, { title, messages: list }) {
    const id = yield* passProposal(world, {
      title: resolveText(world, title),
      messages: list.map((json) => anyFromJson(resolveAll(world, json))),
    });
    return { value: id.toString() };
  },
});
