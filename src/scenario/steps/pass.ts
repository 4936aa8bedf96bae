import { map } from "../fields.ts";
import { contentOf, pass as passProposal, proposalContent } from "../proposals.ts";
import { defineVerb } from "../verb.ts";

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
