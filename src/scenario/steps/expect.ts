import type { Expectation } from "../expectation.ts";
import { choice, has } from "../fields.ts";
import { defineVerb } from "../verb.ts";
import { advice } from "./expect/advice.ts";
import { appHash } from "./expect/app-hash.ts";
import { chain } from "./expect/chain.ts";
import { disk } from "./expect/disk.ts";
import { events } from "./expect/events.ts";
import { get } from "./expect/get.ts";
import { node } from "./expect/node.ts";
import { store } from "./expect/store.ts";
import { tokens } from "./expect/tokens.ts";

const KINDS: readonly Expectation[] = [
  get,
  chain,
  node,
  disk,
  events,
  store,
  appHash,
  tokens,
  advice,
];

const keys = KINDS.map(({ key }) => key);

/** Checks expectations; changes nothing. */
export const expect = defineVerb({
  name: "expect",
  about: "What must be true now; the scenario fails if it is not.",
  instant: true,
  args: choice(
    `a map with one of ${keys.join(", ")}`,
    ...KINDS.map(({ key, args }) => [has(key), args] as const),
  ),
  check(expected, check) {
    expected.check(check);
  },
  // biome-ignore lint/correctness/useYield: looking takes no time
  *run(context, expected) {
    return { found: expected.meet(context) };
  },
});
