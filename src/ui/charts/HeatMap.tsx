import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { goTo } from "../store/route.ts";
import { count, percent } from "../widgets/format.ts";
import { useColors } from "../widgets/use-colors.ts";
import type { Size } from "../widgets/use-size.ts";
import type { BlockWindowStore } from "./block-window.ts";
import { rangeText } from "./block-window.ts";
import { ChartCard } from "./ChartCard.tsx";
import css from "./charts.module.css";
import {
  type CellPosition,
  cellAt,
  type HeatMapLayout,
  layoutOf,
  rowAt,
  scrolledTo,
  shownHeight,
  xOf,
} from "./heat-map-layout.ts";
import { type Color, cellImage, drawnHeatMap, paintHeatMap } from "./heat-map-paint.ts";
import {
  CELL_TEXTS,
  type MissedBlocks,
  missedBlocks,
  type Order,
  rangesText,
} from "./missed-blocks.ts";
import { useTurn } from "./use-turn.ts";

const TITLE = "Missed blocks";
const LEGEND = [
  { name: "signed", color: "var(--ghost)" },
  { name: "missed", color: "var(--bad)" },
];

/** Every validator against every block: signed, missed, or not in the set. */
export function HeatMap({ shown }: { shown: BlockWindowStore }) {
  const [order, setOrder] = useState<Order>("set");
  const answer = useTurn(() => shown.getState().answer);
  const grid = useMemo(() => answer && missedBlocks(answer, order), [answer, order]);
  const color = useColors();
  const chart = useCallback(
    (size: Size) => grid && <Cells grid={grid} size={size} color={color} />,
    [grid, color],
  );
  const range = rangeText(answer?.blocks ?? [], count);
  return (
    <ChartCard
      wide
      height={shownHeight(grid?.rows.length ?? 4)}
      title={TITLE}
      summary={grid ? summary(grid, range) : "Appears with the first blocks."}
      table={{
        columns: [
          { title: "Validator", show: String },
          { title: "Blocks in the set", show: (n) => count(Number(n)) },
          { title: "Missed", show: (n) => count(Number(n)) },
          { title: "Missed, %", show: (share) => percent(Number(share), 100) },
          { title: "Which", show: String },
        ],
        rows: () =>
          (grid?.rows ?? []).map(({ name, inSet, missed }) => {
            const share = Number(((100 * missed.length) / Math.max(1, inSet)).toFixed(2));
            return [name, inSet, missed.length, share, rangesText(missed)];
          }),
        lastFirst: false,
      }}
      legend={LEGEND}
      {...(grid && { drawn: () => drawnHeatMap(grid, color) })}
      chart={chart}
    >
      <label className={css.choice}>
        <span className="hidden">Order of validators</span>
        <select value={order} onChange={(event) => setOrder(event.target.value as Order)}>
          <option value="set">In the order of the validators</option>
          <option value="missed">Most missed first</option>
        </select>
      </label>
    </ChartCard>
  );
}

function summary({ rows }: MissedBlocks, range: string): string {
  const worst = rows.reduce<MissedBlocks["rows"][number] | undefined>(
    (most, row) => (row.missed.length > (most?.missed.length ?? 0) ? row : most),
    undefined,
  );
  if (!worst) return `No validator missed any of ${range}.`;
  const some = rows.filter(({ missed }) => missed.length > 0).length;
  const who = some === 1 ? "1 validator" : `${count(some)} validators`;
  return `Of ${range}, ${who} missed some: ${worst.name} most, ${count(worst.missed.length)} of ${count(worst.inSet)}.`;
}

interface CellsProps {
  grid: MissedBlocks;
  size: Size;
  color: Color;
}

/** The map on its canvas, with a cursor that pointer and arrow keys move. */
function Cells({ grid, size, color }: CellsProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [scrolled, setTop] = useState(0);
  const [at, setAt] = useState<CellPosition>();
  const { rows, heights } = grid;
  const layout = useMemo(
    () => layoutOf(size, rows.length, heights.length),
    [size, rows.length, heights.length],
  );
  const most = layout.allRows - layout.inSight;
  const top = Math.max(0, Math.min(scrolled, most));
  const cursor = at && at.row < rows.length && at.column < heights.length ? at : undefined;
  const image = useMemo(() => cellImage(grid, color), [grid, color]);

  useEffect(() => {
    const ctx = canvas.current?.getContext("2d");
    if (!ctx) return;
    const scale = devicePixelRatio;
    ctx.canvas.width = layout.width * scale;
    ctx.canvas.height = layout.height * scale;
    ctx.scale(scale, scale);
    paintHeatMap(ctx, { grid, image, layout, top, cursor }, color);
  }, [grid, image, layout, top, cursor, color]);

  useEffect(() => {
    const element = canvas.current;
    if (!element || most <= 0) return;
    // React's own listener would be passive, and the page would scroll too.
    const onWheel = (event: WheelEvent): void => {
      const next = Math.max(0, Math.min(top + event.deltaY, most));
      if (next === top) return;
      event.preventDefault();
      setTop(next);
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [top, most]);

  const moveTo = (place: CellPosition): void => {
    setAt(place);
    setTop(scrolledTo(layout, place.row, top));
  };
  const [named, setNamed] = useState<number>();
  const openValidator = (row: number | undefined): void => {
    const id = row === undefined ? undefined : rows[row]?.name;
    if (id !== undefined) goTo({ selection: { kind: "node", id } });
  };
  const open = (): void => {
    const height = cursor && heights[cursor.column];
    if (height !== undefined) goTo({ selection: { kind: "block", id: String(height) } });
    else openValidator(named);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && cursor) setAt(undefined);
    else if (event.key === "Enter" && event.shiftKey) openValidator(cursor?.row);
    else if (event.key === "Enter") open();
    else {
      const next = movedBy(event.key, cursor, layout);
      if (!next) return;
      moveTo(next);
    }
    event.preventDefault();
  };
  const text = cursor ? cellText(grid, cursor) : "";
  return (
    <div className={css.map}>
      <div
        className={css.cells}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move a cursor in it
        tabIndex={0}
        role="application"
        aria-label={`${TITLE}: ${count(rows.length)} validators, ${count(heights.length)} blocks. Arrow keys move from cell to cell, Enter opens the block, Shift and Enter the validator.`}
        data-opens={cursor || named !== undefined ? "" : undefined}
        onPointerMove={({ nativeEvent: { offsetX, offsetY } }) => {
          setAt(cellAt(layout, offsetX, offsetY, top));
          setNamed(rowAt(layout, offsetX, offsetY, top));
        }}
        onPointerLeave={() => {
          setAt(undefined);
          setNamed(undefined);
        }}
        onClick={open}
        onKeyDown={onKey}
        onBlur={() => setAt(undefined)}
      >
        <canvas ref={canvas} />
      </div>
      <p className="hidden" role="status">
        {text}
      </p>
      {cursor && (
        <p className={css.tip} style={tooltipPosition(layout, cursor, top)} aria-hidden="true">
          {text}
        </p>
      )}
    </div>
  );
}

function cellText({ rows, heights, cells }: MissedBlocks, { row, column }: CellPosition): string {
  const did = CELL_TEXTS[cells[row * heights.length + column] ?? 0];
  return `${rows[row]?.name}, block ${count(heights[column] ?? 0)}: ${did}`;
}

/** Position of the tooltip beside the cell, on the side with more room. */
function tooltipPosition(layout: HeatMapLayout, { row, column }: CellPosition, top: number) {
  const x = xOf(layout, column);
  const y = row * layout.rowHeight - top;
  const inset = x < layout.width / 2 ? { left: x + 16 } : { right: layout.width - x + 10 };
  return { ...inset, top: Math.max(0, y - 32) };
}

/** Returns the cursor after a key; it starts at the newest block of the first row. */
function movedBy(
  key: string,
  from: CellPosition | undefined,
  layout: HeatMapLayout,
): CellPosition | undefined {
  const { rows, columns, inSight, rowHeight } = layout;
  const page = Math.max(1, Math.floor(inSight / rowHeight));
  const moves: Record<string, readonly [rows: number, columns: number]> = {
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    PageUp: [-page, 0],
    PageDown: [page, 0],
    Home: [0, -columns],
    End: [0, columns],
  };
  const move = moves[key];
  if (!move || rows === 0 || columns === 0) return undefined;
  if (!from) return { row: 0, column: key === "Home" ? 0 : columns - 1 };
  const within = (n: number, end: number): number => Math.max(0, Math.min(n, end - 1));
  return { row: within(from.row + move[0], rows), column: within(from.column + move[1], columns) };
}
