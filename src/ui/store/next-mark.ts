import type { FrameState } from "./frame-store.ts";
import { labelledFrom } from "./marks.ts";
import { situationOf } from "./situation.ts";

/**
 * The next height before or after one that has a label, as the played world has them: a block's own, where another
 * chain began and where the two met, where a plan was cancelled, and the last block before a halt. Undefined without one.
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
