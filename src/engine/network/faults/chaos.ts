import type { Rng } from "../../primitives/rng.ts";
import { type Duration, SECOND } from "../../primitives/time.ts";
import type { Node } from "../node/node.ts";
import { DEFAULT_FLAKINESS, type Fault } from "./faults.ts";
import { FAULT_KINDS, faultText } from "./kinds.ts";

/** The levels there are. Up to `GENTLE` nobody breaks a rule, and those in trouble never hold a third of the power. */
export const CHAOS_LEVELS = [1, 2, 3, 4, 5] as const;
const GENTLE = 3;

/** How often, per height and level, something goes wrong. */
const CHANCE_PER_LEVEL = 0.08;
/** How long it lasts at most, in heights. */
const LONGEST = 6;
const BYZANTINE = FAULT_KINDS.filter((kind) => faultText(kind).byzantine);
const HARMLESS = FAULT_KINDS.filter((kind) => !BYZANTINE.includes(kind));

/** What a draw looks at. */
export interface ChaosWorld {
  readonly nodes: readonly Node[];
  readonly faults: readonly Fault[];
  /** Of its validator, in the set that votes next; 0 if it is not in it. */
  powerOf(node: Node): number;
  readonly totalPower: number;
}

/**
 * The fault that chaos of a level brings at a height; undefined if it brings none. At every level those
 * who may sign twice, or are gone because they did, stay below a third: chaos never splits the
 * chain, and leaves it a set that can go on.
 */
export function drawFault(
  rng: Rng,
  level: number,
  height: number,
  world: ChaosWorld,
): Omit<Fault, "given"> | undefined {
  if (rng.nextFloat() >= CHANCE_PER_LEVEL * level) return undefined;
  const candidates = world.nodes.filter((node) => node.process === "running");
  const kinds = level <= GENTLE ? HARMLESS : FAULT_KINDS;
  const node = candidates[rng.int(Math.max(candidates.length, 1))];
  const kind = kinds[rng.int(kinds.length)];
  const lasts = 1 + rng.int(LONGEST);
  const by: Duration = BigInt((1 + rng.int(30)) * (rng.int(2) === 0 ? -1 : 1)) * SECOND;
  if (node === undefined || kind === undefined) return undefined;
  if (level <= GENTLE && tooMuch(node, world)) return undefined;
  if (BYZANTINE.includes(kind) && tooMany(node, world)) return undefined;
  if (kind === "twin" && node.name !== node.validator) return undefined;
  const cut = kind === "partition";
  if (cut && world.nodes.some(({ partition }) => partition !== node.partition)) return undefined;
  return {
    node: cut ? undefined : node,
    kind,
    from: height,
    to: height + lasts - 1,
    by,
    probability: DEFAULT_FLAKINESS,
    groups: cut ? [level <= GENTLE ? [node.name] : someOf(candidates, rng)] : [],
  };
}

/** Whether this machine and those already in trouble or away would hold a third of the power or more. */
function tooMuch(node: Node, { nodes, faults, powerOf, totalPower }: ChaosWorld): boolean {
  const together = partitionOfMost(nodes, powerOf);
  const ill = [node, ...faults.flatMap((fault) => fault.node ?? [])];
  for (const other of nodes) {
    if (other.process !== "running" || other.partition !== together) ill.push(other);
  }
  return isThird(ill, powerOf, totalPower);
}

/** Whether this validator and those who may have signed twice would be a third of the power, or of all there were. */
function tooMany(node: Node, { nodes, faults, powerOf, totalPower }: ChaosWorld): boolean {
  const twice = nodes.filter((other) => other.name !== other.validator);
  const byzantine = faults.flatMap((fault) => (isByzantine(fault) && fault.node) || []);
  const suspects = [node, ...twice, ...byzantine];
  const gone = nodes.filter((other) => powerOf(other) === 0);
  const all = new Set(nodes.map(({ validator }) => validator)).size;
  const lost = new Set([...suspects, ...gone].map(({ validator }) => validator)).size;
  return isThird(suspects, powerOf, totalPower) || lost * 3 >= all;
}

const isByzantine = ({ kind }: Fault): boolean => BYZANTINE.some((one) => one === kind);

/** Whether the keys of these machines hold a third of the power or more. */
function isThird(nodes: readonly Node[], powerOf: ChaosWorld["powerOf"], total: number): boolean {
  const powers = new Map(nodes.map((node) => [node.validator, powerOf(node)]));
  return [...powers.values()].reduce((sum, power) => sum + power, 0) * 3 >= total;
}

function partitionOfMost(nodes: readonly Node[], powerOf: ChaosWorld["powerOf"]): number {
  const powers = new Map<number, number>();
  for (const node of nodes) {
    powers.set(node.partition, (powers.get(node.partition) ?? 0) + powerOf(node));
  }
  return [...powers].reduce((most, each) => (each[1] > most[1] ? each : most), [0, -1])[0];
}

const someOf = (nodes: readonly Node[], rng: Rng): string[] =>
  nodes.flatMap(({ name }) => (rng.int(2) === 0 ? [name] : []));
