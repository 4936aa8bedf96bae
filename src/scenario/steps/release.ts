import { about, map, oneOf, text } from "../fields.ts";
import { resolveText } from "../references.ts";
import { defineVerb } from "../verb.ts";

/** Sets the responses of the simulated release server. */
export const release = defineVerb({
  name: "release",
  instant: true,
  about: "Sets what the simulated release server serves at a URL.",
  args: map({
    name: about(text, "Published binary."),
    url: about(text, "URL of the binary."),
    serves: about(
      oneOf("binary", "missing", "slow", "wrong_checksum", "empty"),
      "Result of a download from this URL.",
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
