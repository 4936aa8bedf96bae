import { DefaultZIndexes, usePlotArea, useXAxisDomain, useXAxisScale, ZIndexLayer } from "recharts";
import { useFrameState } from "../store/page.ts";
import { count } from "../widgets/format.ts";

type PlotArea = NonNullable<ReturnType<typeof usePlotArea>>;

/** Gap between the mark and its label, in pixels. */
const GAP = 5;

/**
 * A mark at the shown height, if that is not the newest, its label on the side with more room. It
 * follows the frames itself: a height change redraws only the mark, not the chart. Its layer always
 * exists: adding or removing one makes the library recompute the whole chart.
 */
export function HistoryMark() {
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

/** The mark at a position of a plot area. */
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
