/** Voting power per validator, for parts that are loaded after the first screen. */
import type { Frame, Node, Validator } from "./types.ts";
import { type Holder, holders } from "./validators.ts";

/** Power of the validators that have a node among these. */
export function powerOf(validators: readonly Validator[], nodes: readonly Node[]): number {
  const names = new Set(nodes.map(({ validator }) => validator));
  return validators.reduce((sum, { name, power }) => sum + (names.has(name) ? power : 0), 0);
}

/** Power grouped by a property of a validator and its nodes; undefined values are not counted. */
export function powerBy<K>(
  frame: Frame,
  kindOf: (holder: Holder) => K | undefined,
): Map<K, number> {
  const powers = new Map<K, number>();
  for (const holder of holders(frame)) {
    const kind = kindOf(holder);
    if (kind === undefined || holder.validator.power === 0) continue;
    powers.set(kind, (powers.get(kind) ?? 0) + holder.validator.power);
  }
  return powers;
}

/** The binary of the node that votes for a validator, if one of its nodes is present. */
export function votingBinary({ nodes }: Holder, missing: ReadonlySet<string>): string | undefined {
  return nodes.find(({ name }) => !missing.has(name))?.binary;
}

/** Ways past a plan's height, the safest first. */
export const READY = ["handler", "staged", "skips"] as const;

/** Returns how a validator will pass the plan's height: the safest way of any of its nodes. */
export function readiness({ nodes }: Holder): (typeof READY)[number] | undefined {
  return READY.find((way) => nodes.some(({ forPlan }) => forPlan === way));
}
