import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { appliedPower } from "../../store/halt.ts";
import { useFrameState } from "../../store/page.ts";
import { goTo, useRoute } from "../../store/route.ts";
import { count } from "../../widgets/format.ts";
import css from "./Timeline.module.css";
import { heightAt, markLabels, PITCH, spanFor } from "./timeline-layout.ts";
import { paintTimeline } from "./timeline-paint.ts";
import { useColors } from "./use-colors.ts";
import { useWidth } from "./use-width.ts";

/** A cell for every block: its colour shows the binary, its label the event; the future is outlined. */
export default function Timeline() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(canvas);
  const color = useColors();
  const frame = useFrameState((world) => world.frame);
  const cells = useFrameState((world) => world.blocks);
  const { selection } = useRoute();
  const [back, setBack] = useState(0);

  const height = frame?.chain?.height ?? 0;
  const selected = selection?.kind === "block" ? Number(selection.id) : undefined;
  const initial = frame?.chain?.initialHeight ?? 1;
  const oldest = cells[0]?.height ?? initial;
  const scrolled = Math.min(back, Math.max(0, height - oldest - 20));
  const span = spanFor(width, height, scrolled, initial);

  const stuck = frame !== undefined && (frame.chain?.decidedHeight ?? 0) > height;

  useEffect(() => {
    const ctx = canvas.current?.getContext("2d");
    if (!ctx || width === 0) return;
    const scale = devicePixelRatio;
    ctx.canvas.width = width * scale;
    ctx.canvas.height = 64 * scale;
    ctx.scale(scale, scale);
    paintTimeline(
      ctx,
      {
        span,
        width,
        height,
        cells,
        binaries: frame?.binaries.map((binary) => binary.name) ?? [],
        plan: frame?.plan,
        ended: frame?.endedPlans ?? [],
        decided: frame?.chain?.decidedHeight ?? 0,
        selected,
        applied: stuck ? appliedPower(frame) / Math.max(1, frame.chainStatus?.totalPower ?? 1) : 0,
        other: frame?.forks.find((fork) => fork.height > 0),
      },
      color,
    );
  });

  const select = (at: number): void => {
    if (at >= initial && at <= height) goTo({ selection: { kind: "block", id: String(at) } });
  };
  const onPointer = (event: PointerEvent<HTMLCanvasElement>): void => {
    const at = heightAt(span, event.clientX - event.currentTarget.getBoundingClientRect().left);
    if (at !== undefined) select(at);
  };
  const onKey = (event: KeyboardEvent): void => {
    const moves: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      PageUp: -10,
      PageDown: 10,
      Home: -height,
      End: height,
    };
    const move = moves[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const at = Math.min(height, Math.max(oldest, (selected ?? height) + move));
    setBack(Math.max(0, height - at - Math.floor(span.cells * 0.4)));
    select(at);
  };

  return (
    <canvas
      ref={canvas}
      className={css.timeline}
      role="slider"
      tabIndex={0}
      aria-label="Blocks"
      aria-valuemin={Math.min(oldest, height)}
      aria-valuemax={height}
      aria-valuenow={selected ?? height}
      aria-valuetext={describe(selected ?? height, cells.find((c) => c.height === selected)?.marks)}
      onPointerUp={onPointer}
      onKeyDown={onKey}
      onWheel={(event) =>
        setBack((old) => Math.max(0, old - Math.round((event.deltaX + event.deltaY) / PITCH)))
      }
    />
  );
}

function describe(height: number, marks = 0): string {
  return [`block ${count(height)}`, ...markLabels(marks)].join(", ");
}
