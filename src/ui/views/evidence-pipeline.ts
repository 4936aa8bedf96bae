import type { Activity } from "../store/types.ts";

/** One piece of evidence on its way through the chain, with every decision about it. */
export interface Item {
  readonly key: number;
  readonly height: number;
  /** Phase of the block and what it is about, as the chain words it. */
  readonly title: string;
  readonly steps: readonly Activity[];
  /** ok | refused | ignored | halt | info: that of the last decision that was one. */
  readonly outcome: string;
}

const CONCERNED: ReadonlySet<string> = new Set(["evidence", "slashing"]);

/**
 * Steps grouped into items, newest first. Steps of one item carry one subject; a step that asks
 * again what its item has already been asked begins another item.
 */
export function pipeline(steps: readonly Activity[]): Item[] {
  const groups: Activity[][] = [];
  for (const step of steps) {
    if (!CONCERNED.has(step.module) && step.subject === "") continue;
    const group = groups.at(-1);
    if (group && belongs(group, step)) group.push(step);
    else if (step.module === "evidence") groups.push([step]);
  }
  return groups.map(toItem).reverse();
}

function belongs(group: readonly Activity[], step: Activity): boolean {
  const [first] = group;
  if (first?.height !== step.height || first.where !== step.where) return false;
  if (first.subject !== step.subject) return false;
  return !group.some((other) => other.what === step.what && other.module === step.module);
}

function toItem(steps: readonly Activity[]): Item {
  const first = steps[0] as Activity;
  const decision = steps.findLast((step) => step.outcome !== "info");
  return {
    key: first.seq,
    height: first.height,
    title: first.subject || first.where,
    steps,
    outcome: decision?.outcome ?? "info",
  };
}
