import { about, map, oneOf, text } from "../fields.ts";
import { resolveText } from "../references.ts";
import { defineVerb } from "../verb.ts";

/** Sets the responses of the simulated release server. */
export const release = defineVerb({
  name: "release",
  instant: true,
  about: "What the simulated release server serves for a version at an address.",
  args: map({
    name: about(text, "The binary that is published."),
    url: about(text, "The address at which it is."),
    serves: about(
      oneOf("binary", "missing", "slow", "wrong_checksum", "empty"),
      "What a download from there gives.",
    ),
  }),
  check({ name }, check) {
    check.binary(name, "name");
  },
  // biome-ignore lint/correctness/useYield: commands act at once
  *run(context, { url, ...what }) {
    context.sim.apply({ type: "release", ...what, url: resolveText(context, url) });
    return undefined;
  },
});
