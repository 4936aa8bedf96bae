import type { Activity } from "../store/types.ts";

/** One piece of evidence on its way through the chain, with every decision about it. */
export interface Item {
  readonly key: number;
  readonly height: number;
  /** Phase of the block and subject of the check. */
  readonly title: string;
  readonly steps: readonly Activity[];
  /** ok | refused | ignored | halt | info: that of the last decision that was one. */
  readonly outcome: string;
}

/** Steps of the pieces of evidence they belong to, newest piece first. */
export function pipeline(steps: readonly Activity[]): Item[] {
  const items = new Map<number, Activity[]>();
  for (const step of steps) {
    const { item } = step;
    if (item > 0) items.set(item, [...(items.get(item) ?? []), step]);
    else if (step.module === "app") refuse(items.values(), step);
  }
  return Array.from(items.values(), toItem).reverse();
}

/** A transaction that fails undoes all that was accepted in it. */
function refuse(items: Iterable<Activity[]>, refusal: Activity): void {
  for (const item of items) {
    const last = item.at(-1);
    const isInIt = last?.height === refusal.height && last.where === refusal.where;
    if (isInIt && last.module !== "app") item.push(refusal);
  }
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
