import type { Expectation } from "../../expectation.ts";
import { advice } from "./advice.ts";
import { appHash } from "./app-hash.ts";
import { chain } from "./chain.ts";
import { disk } from "./disk.ts";
import { events } from "./events.ts";
import { get } from "./get.ts";
import { node } from "./node.ts";
import { store } from "./store.ts";
import { tokens } from "./tokens.ts";

export const KINDS: readonly Expectation[] = [
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
