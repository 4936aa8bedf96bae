import { type PointerEvent, useEffect, useMemo, useRef } from "react";
import { isLabelled, markLabels } from "../../store/marks.ts";
import { useFrameState, usePage } from "../../store/page.ts";
import { travelTo } from "../../store/travel.ts";
import { count } from "../../widgets/format.ts";
import { useColors } from "../../widgets/use-colors.ts";
import { sizedContext } from "./sized-context.ts";
import css from "./Timeline.module.css";
import type { Span } from "./timeline-layout.ts";
import { LABELLED } from "./timeline-marks.ts";

const HIGH = 22;
const MARGIN = 16;
const LINE = { top: 8, high: 6 } as const;

interface OverviewProps {
  /** The visible range of the timeline below. */
  span: Span;
  width: number;
  /** Heights of the chain's first and newest block, and of the shown one. */
  first: number;
  newest: number;
  shown: number | undefined;
}

/**
 * The complete history in one line, with its marks and the timeline's visible range; pressing it
 * shows a height. It is not accessible by keyboard: the timeline has the same content and keys.
 */
export function Overview({ span, width, first, newest, shown }: OverviewProps) {
  const page = usePage();
  const canvas = useRef<HTMLCanvasElement>(null);
  const color = useColors();
  const cells = useFrameState(({ blocks }) => blocks);
  const wide = Math.max(1, width - 2 * MARGIN);
  const xOf = (height: number): number =>
    MARGIN + ((height - first) / Math.max(1, newest - first)) * wide;
  // One for each distinguishable position.
  const marks = useMemo(() => {
    const found = new Map<number, string>();
    for (const cell of cells.filter(isLabelled)) {
      const [label] = markLabels(cell.marks).flatMap((one) => LABELLED[one] ?? []);
      const x = Math.round(MARGIN + ((cell.height - first) / Math.max(1, newest - first)) * wide);
      if (label && found.get(x) !== "bad") found.set(x, label.ink);
    }
    return found;
  }, [cells, first, newest, wide]);

  useEffect(() => {
    const next = requestAnimationFrame(() => {
      const ctx = sizedContext(canvas.current, width, HIGH);
      if (!ctx) return;
      ctx.clearRect(0, 0, width, HIGH);
      ctx.fillStyle = color("ghost");
      ctx.fillRect(MARGIN, LINE.top, wide, LINE.high);
      const end = xOf(shown ?? newest);
      ctx.fillStyle = color("off");
      ctx.fillRect(MARGIN, LINE.top, end - MARGIN, LINE.high);
      for (const [x, ink] of marks) {
        ctx.fillStyle = color(ink);
        ctx.fillRect(x - 1, LINE.top - 3, 2, LINE.high + 6);
      }
      ctx.strokeStyle = color("accent");
      ctx.lineWidth = 2;
      const left = xOf(span.first) - 2;
      const right = xOf(Math.min(newest, span.first + span.cells - 1)) + 2;
      ctx.beginPath();
      ctx.roundRect(left, LINE.top - 4, Math.max(8, right - left), LINE.high + 8, 4);
      ctx.stroke();
      if (shown !== undefined) {
        ctx.fillStyle = color("accent");
        ctx.fillRect(end - 1.5, 1, 3, HIGH - 2);
      }
    });
    return () => cancelAnimationFrame(next);
  });

  const go = (event: PointerEvent<HTMLCanvasElement>, moving: boolean): void => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - left - MARGIN) / wide));
    travelTo(page, Math.round(first + share * (newest - first)), moving);
  };
  return (
    <canvas
      ref={canvas}
      className={css.overview}
      data-testid="overview"
      title={`Blocks ${count(first)} to ${count(newest)}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event, true);
      }}
      onPointerMove={(event) => event.buttons === 1 && go(event, true)}
      onPointerUp={(event) => go(event, false)}
    />
  );
}
