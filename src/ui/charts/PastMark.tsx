import { DefaultZIndexes, usePlotArea, useXAxisDomain, useXAxisScale, ZIndexLayer } from "recharts";
import { useFrameState } from "../store/page.ts";
import { count } from "../widgets/format.ts";

type PlotArea = NonNullable<ReturnType<typeof usePlotArea>>;

/** Between the mark and its label, pixels. */
const GAP = 5;

/**
 * A mark at the height that is shown, where that is not the newest, its label on the side with more room. It follows
 * the frames by itself: to go to another height draws it, and not the chart around it. Its layer is there without it
 * too: to have one come or go has the library work out the whole chart.
 */
export function PastMark() {
  const shown = useFrameState(({ frame }) => frame?.past?.shown);
  const area = usePlotArea();
  const scale = useXAxisScale();
  const [first, last] = useXAxisDomain() ?? [];
  const isIn = shown !== undefined && shown >= Number(first) && shown <= Number(last);
  return (
    <ZIndexLayer zIndex={DefaultZIndexes.line}>
      {isIn && area && <Mark at={shown} x={scale?.(shown) ?? 0} area={area} />}
    </ZIndexLayer>
  );
}

/** The mark at a place of a plot area. */
function Mark({ at, x, area }: { at: number; x: number; area: PlotArea }) {
  const isLeft = x < area.x + area.width / 2;
  return (
    <>
      <line
        {...{ x1: x, x2: x, y1: area.y, y2: area.y + area.height }}
        stroke="var(--accent)"
        strokeWidth={2}
      />
      <text
        x={isLeft ? x + GAP : x - GAP}
        y={area.y + GAP}
        dy="0.71em"
        textAnchor={isLeft ? "start" : "end"}
        fill="var(--accent)"
      >
        block {count(at)}
      </text>
    </>
  );
}
