import { oneThirdOf } from "../consensus/quorum.ts";
import type { Rng } from "../primitives/rng.ts";
import { type Duration, SECOND } from "../primitives/time.ts";
import type { Fault, FaultKind } from "./faults.ts";
import { DEFAULT_FLAKINESS } from "./faults.ts";
import type { Node } from "./node.ts";

/** The levels there are. Up to `GENTLE` faulty machines never hold a third of the power together. */
export const CHAOS_LEVELS = [1, 2, 3, 4, 5] as const;
const GENTLE = 3;

/** How often, per height and level, something goes wrong. */
const CHANCE_PER_LEVEL = 0.08;
/** How long it lasts at most, in heights. */
const LONGEST = 6;
const KINDS: readonly FaultKind[] = ["mute", "slow", "flaky", "crash", "clock"];

/** What a draw looks at. */
export interface ChaosWorld {
  readonly nodes: readonly Node[];
  readonly faults: readonly Fault[];
  powerOf(node: Node): number;
  readonly totalPower: number;
}

/** The fault that chaos of a level brings at a height; undefined if it brings none. */
export function drawFault(
  rng: Rng,
  level: number,
  height: number,
  world: ChaosWorld,
): Fault | undefined {
  if (rng.nextFloat() >= CHANCE_PER_LEVEL * level) return undefined;
  const candidates = world.nodes.filter((node) => node.process === "running");
  const node = candidates[rng.int(Math.max(candidates.length, 1))];
  const kind = KINDS[rng.int(KINDS.length)];
  const lasts = 1 + rng.int(LONGEST);
  const by: Duration = BigInt(rng.int(60) - 30) * SECOND;
  if (node === undefined || kind === undefined) return undefined;
  if (level <= GENTLE && tooMuch(node, world)) return undefined;
  return { node, kind, from: height, to: height + lasts - 1, by, probability: DEFAULT_FLAKINESS };
}

/** Whether this machine and those already faulty or away would hold a third of the power or more. */
function tooMuch(node: Node, { nodes, faults, powerOf, totalPower }: ChaosWorld): boolean {
  const ill = new Set([node, ...faults.map((fault) => fault.node)]);
  for (const other of nodes) if (other.process !== "running") ill.add(other);
  let power = 0;
  for (const one of ill) power += powerOf(one);
  return power > oneThirdOf(totalPower) - 1;
}
