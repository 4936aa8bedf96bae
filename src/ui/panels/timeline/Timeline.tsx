import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { appliedPhrase, appliedPower } from "../../store/halt.ts";
import { useFrameState } from "../../store/page.ts";
import { goTo, useRoute } from "../../store/route.ts";
import type { Fork, ProposalView } from "../../store/types.ts";
import { useColors } from "../../widgets/use-colors.ts";
import css from "./Timeline.module.css";
import {
  cellsIn,
  heightAt,
  isIn,
  type Lane,
  labelledFrom,
  PITCH,
  plansVotedOn,
  spanFor,
  type TimelinePicture,
  xOf,
} from "./timeline-layout.ts";
import { describe, type Label, marksIn, placeMarks } from "./timeline-marks.ts";
import { fontOf, HIGH, labelAt, paintTimeline } from "./timeline-paint.ts";
import { useWidth } from "./use-width.ts";

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -10,
  PageDown: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** A cell for every block: its colour shows the binary, its label the event; the future is outlined. */
export default function Timeline() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const placed = useRef<readonly Label[]>([]);
  const width = useWidth(canvas);
  const color = useColors();
  const frame = useFrameState((world) => world.frame);
  const cells = useFrameState((world) => world.blocks);
  const { selection } = useRoute();
  const [back, setBack] = useState(0);
  const [pointed, setPointed] = useState<number>();
  const [focused, setFocused] = useState(false);

  const height = frame?.chain?.height ?? 0;
  const chosen = selection?.kind === "block" ? Number(selection.id) : undefined;
  const initial = frame?.chain?.initialHeight ?? 1;
  const oldest = cells[0]?.height ?? initial;
  const scrolled = Math.min(back, Math.max(0, height - oldest - 20));
  const span = spanFor(width, height, scrolled, initial);
  const seen = (at: number | undefined) => (at !== undefined && isIn(span, at) ? at : undefined);
  const stuck = frame !== undefined && (frame.chain?.decidedHeight ?? 0) > height;
  const picture: TimelinePicture = {
    span,
    width,
    height,
    cells: cellsIn(span, cells),
    binaries: frame?.binaries.map(({ name }) => name) ?? [],
    plan: frame?.plan,
    proposed: votedOn(frame?.proposals ?? []),
    ended: frame?.endedPlans ?? [],
    decided: frame?.chain?.decidedHeight ?? 0,
    stuck: stuck ? appliedPhrase(frame) : "",
    applied: stuck ? appliedPower(frame) / Math.max(1, frame.chainStatus?.totalPower ?? 1) : 0,
    selected: seen(chosen),
    pointed: seen(pointed),
    lanes: [...(frame?.metForks ?? []), ...(frame?.forks ?? [])].flatMap(laneOf),
  };

  // To set a font asks for styles: with what else has changed, that is a task of its own, as the page is painted.
  useEffect(() => {
    const next = requestAnimationFrame(() => {
      const ctx = canvas.current?.getContext("2d");
      if (!ctx || width === 0) return;
      const scale = devicePixelRatio;
      ctx.canvas.width = width * scale;
      ctx.canvas.height = HIGH * scale;
      ctx.scale(scale, scale);
      ctx.font = fontOf(color);
      const measure = (text: string): number => ctx.measureText(text).width;
      placed.current = placeMarks(marksIn(picture), span, width, measure);
      paintTimeline(ctx, picture, placed.current, color);
    });
    return () => cancelAnimationFrame(next);
  });

  const under = (event: PointerEvent<HTMLCanvasElement>): number | undefined => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    return labelAt(placed.current, x, y)?.at ?? heightAt(span, x);
  };
  const select = (at: number): void => {
    if (at >= initial && at <= height) goTo({ selection: { kind: "block", id: String(at) } });
  };
  const onKey = (event: KeyboardEvent): void => {
    const move = STEPS[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const from = chosen ?? height;
    const jump = event.shiftKey && Math.abs(move) === 1;
    const to = jump ? labelledFrom(cells, from, move < 0 ? -1 : 1) : from + move;
    if (to === undefined) return;
    const at = Math.min(height, Math.max(oldest, to));
    setBack(Math.max(0, height - at - Math.floor(span.cells * 0.4)));
    select(at);
  };

  const told = seen(pointed ?? (focused ? chosen : undefined));
  return (
    <>
      <canvas
        ref={canvas}
        className={css.timeline}
        role="slider"
        tabIndex={0}
        aria-label="Blocks"
        aria-valuemin={Math.min(oldest, height)}
        aria-valuemax={height}
        aria-valuenow={chosen ?? height}
        aria-valuetext={describe(picture, chosen ?? height).join(", ")}
        onPointerUp={(event) => {
          const at = under(event);
          if (at !== undefined) select(at);
        }}
        onPointerMove={(event) =>
          setPointed(event.pointerType === "mouse" ? under(event) : undefined)
        }
        onPointerLeave={() => setPointed(undefined)}
        onFocus={({ target }) => setFocused(target.matches(":focus-visible"))}
        onBlur={() => setFocused(false)}
        onKeyDown={onKey}
        onWheel={(event) =>
          setBack((old) => Math.max(0, old - Math.round((event.deltaX + event.deltaY) / PITCH)))
        }
      />
      {told !== undefined && (
        <Told words={describe(picture, told)} x={xOf(span, told)} width={width} />
      )}
    </>
  );
}

const votedOn = (proposals: readonly ProposalView[]): TimelinePicture["proposed"] =>
  plansVotedOn(proposals).map(({ planName: name, planHeight: height }) => ({ name, height }));

/** From the first height with two blocks on; a fork that has none is no lane yet. */
const laneOf = ({ height, newest, met }: Fork): Lane[] =>
  height > 0 ? [{ common: height - 1, newest, met }] : [];

const WIDE = 300;

/** What a cell is, below it; a screen reader has it from the timeline itself. */
function Told({
  words: [title, ...rest],
  x,
  width,
}: {
  words: string[];
  x: number;
  width: number;
}) {
  const left = Math.max(8, Math.min(x - 8, width - WIDE - 8));
  return (
    <div className={css.told} style={{ left, maxWidth: WIDE }} aria-hidden="true">
      <b>{title}</b> {rest.join(", ")}
    </div>
  );
}
