import { calls } from "./calls.ts";
import { decoders } from "./decoders.ts";
import { filesTarget } from "./files.ts";
import { requests } from "./requests.ts";
import { storage } from "./storage/target.ts";
import type { Target } from "./target.ts";
import { worlds } from "./worlds/target.ts";

/** Everything that is fuzzed. */
export const TARGETS: readonly Target[] = [worlds, storage, filesTarget, decoders, requests, calls];

/** Throws for a name that no target has. */
export function targetOf(name: string): Target {
  const found = TARGETS.find((target) => target.name === name);
  if (found !== undefined) return found;
  throw new Error(
    `there is no target ${name}; there are ${TARGETS.map((each) => each.name).join(", ")}`,
  );
}
