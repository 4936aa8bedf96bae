import type { FrameState } from "./frame-store.ts";
import { labelledFrom } from "./marks.ts";
import { situationOf } from "./situation.ts";

/**
 * The next labelled height before or after one in the played world: a block's own label, the start
 * and end of another chain, a cancelled plan, and the last block before a halt. Undefined if there
 * is none.
 */
export function nextMark(
  { blocks, frame, travel }: Pick<FrameState, "blocks" | "frame" | "travel">,
  from: number,
  way: -1 | 1,
): number | undefined {
  const live = travel?.live.frame ?? frame;
  const newest = live?.chain?.height ?? 0;
  const others =
    live === undefined
      ? []
      : [
          ...[...live.metForks, ...live.forks].flatMap(({ height, met }) => [height, met]),
          ...live.endedPlans.map(({ block }) => block),
          ...(situationOf(live) === "halted" ? [newest] : []),
        ];
  const found = [labelledFrom(blocks, from, way) ?? 0, ...others].filter(
    (height) => height > 0 && height <= newest && (height - from) * way > 0,
  );
  if (found.length === 0) return undefined;
  return way > 0 ? Math.min(...found) : Math.max(...found);
}
