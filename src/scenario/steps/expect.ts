import { choice, has } from "../fields.ts";
import { defineVerb } from "../verb.ts";
import { KINDS } from "./expect/index.ts";

const keys = KINDS.map(({ key }) => key);

/** Checks expectations; changes nothing. */
export const expect = defineVerb({
  name: "expect",
  about: "Checks a condition now; the scenario fails if it does not hold.",
  instant: true,
  args: choice(
    `a map with one of ${keys.join(", ")}`,
    ...KINDS.map(({ key, args }) => [has(key), args] as const),
  ),
  check(expected, check) {
    expected.check(check);
  },
  reads: (context, expected) => expected.opens(context),
  // biome-ignore lint/correctness/useYield: looking takes no time
  *run(context, expected) {
    return { found: expected.verify(context) };
  },
});
