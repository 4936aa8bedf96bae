import type { Rng } from "../../../base/rng.ts";
import { type Duration, SECOND } from "../../../base/time.ts";
import type { Node } from "../node/node.ts";
import { DEFAULT_FLAKINESS, type Fault } from "./faults.ts";
import { FAULT_KINDS, isByzantineKind } from "./kinds.ts";

/** Up to `GENTLE` no validator is byzantine, and faulty nodes never have a third of the power. */
export const CHAOS_LEVELS = [1, 2, 3, 4, 5] as const;
const GENTLE = 3;

/** The probability of a fault, per height and level. */
const CHANCE_PER_LEVEL = 0.08;
/** The longest duration of a fault, in heights. */
const LONGEST = 6;
const BYZANTINE = FAULT_KINDS.filter(isByzantineKind);
const HARMLESS = FAULT_KINDS.filter((kind) => !BYZANTINE.includes(kind));

/** Nodes and faults on which a draw depends. */
export interface ChaosWorld {
  readonly nodes: readonly Node[];
  readonly faults: readonly Fault[];
  /** Power of the node's validator in the set that votes next; 0 if it is not in it. */
  powerOf(node: Node): number;
  readonly totalPower: number;
}

/**
 * Draws the fault of a height at a chaos level; undefined if there is none. At every level,
 * validators that may equivocate, or that left the set because of it, stay below a third: chaos
 * never forks the chain and never empties its validator set.
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
  if (level <= GENTLE && tooMuchFaulty(node, world)) return undefined;
  if (BYZANTINE.includes(kind) && tooMuchByzantine(node, world)) return undefined;
  if (kind === "twin" && node.name !== node.validator) return undefined;
  const isPartition = kind === "partition";
  if (isPartition && world.nodes.some(({ partition }) => partition !== node.partition))
    return undefined;
  return {
    node: isPartition ? undefined : node,
    kind,
    from: height,
    to: height + lasts - 1,
    by,
    probability: DEFAULT_FLAKINESS,
    groups: isPartition ? [level <= GENTLE ? [node.name] : someOf(candidates, rng)] : [],
  };
}

/**
 * Returns true if this node and the nodes already faulty or absent would have at least a third of
 * the power.
 */
function tooMuchFaulty(node: Node, { nodes, faults, powerOf, totalPower }: ChaosWorld): boolean {
  const together = partitionOfMost(nodes, powerOf);
  const faulty = [node, ...faults.flatMap((fault) => fault.node ?? [])];
  for (const other of nodes) {
    if (other.process !== "running" || other.partition !== together) faulty.push(other);
  }
  return isThird(faulty, powerOf, totalPower);
}

/**
 * Returns true if this validator and the possible equivocators reach a third of the power or of the
 * validators.
 */
function tooMuchByzantine(node: Node, { nodes, faults, powerOf, totalPower }: ChaosWorld): boolean {
  const twice = nodes.filter((other) => other.name !== other.validator);
  const byzantine = faults.flatMap((fault) => (isByzantine(fault) && fault.node) || []);
  const suspects = [node, ...twice, ...byzantine];
  const gone = nodes.filter((other) => powerOf(other) === 0);
  const all = new Set(nodes.map(({ validator }) => validator)).size;
  const lost = new Set([...suspects, ...gone].map(({ validator }) => validator)).size;
  return isThird(suspects, powerOf, totalPower) || lost * 3 >= all;
}

const isByzantine = ({ kind }: Fault): boolean => BYZANTINE.some((one) => one === kind);

/** Returns true if the keys of these nodes have at least a third of the power. */
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
