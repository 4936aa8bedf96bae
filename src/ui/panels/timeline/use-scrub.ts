import { type PointerEvent, useEffect, useRef } from "react";
import { PITCH, type Span, xOf } from "./timeline-layout.ts";

/** Pixels that a pointer moves before a drag starts. */
const SLACK = 5;

/** Shows a height; `moving` while the pointer is down. */
type GoTo = (height: number, moving: boolean) => void;

/**
 * Dragging along the timeline: shows the height under the pointer, at most once per animation
 * frame; beyond an end the heights continue as long as the pointer is held there.
 */
export function useScrub(span: Span, goTo: GoTo) {
  const newest = useRef({ span, goTo });
  newest.current = { span, goTo };
  const drag = useRef<{ from: number; x: number; left: number; width: number; moved: boolean }>(
    undefined,
  );
  const next = useRef(0);
  const gone = useRef(0);

  const under = (): number => {
    const { x = 0, left = 0, width = 0 } = drag.current ?? {};
    const { first, cells } = newest.current.span;
    const cell = Math.floor((x - left - xOf(newest.current.span, first)) / PITCH);
    const beyond =
      x < left ? (x - left) / PITCH : x > left + width ? (x - left - width) / PITCH : 0;
    return first + Math.max(0, Math.min(cell, cells - 1)) + Math.round(beyond);
  };
  const draw = (): void => {
    const { moved, x, left, width } = drag.current ?? { moved: false, x: 0, left: 0, width: 0 };
    if (!moved) return;
    const at = under();
    if (at !== gone.current) newest.current.goTo(at, true);
    gone.current = at;
    // Held beyond an end, it continues.
    next.current = x < left || x > left + width ? requestAnimationFrame(draw) : 0;
  };
  useEffect(() => () => cancelAnimationFrame(next.current), []);

  return {
    moving: () => drag.current?.moved ?? false,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return;
        const { left, width } = event.currentTarget.getBoundingClientRect();
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { from: event.clientX, x: event.clientX, left, width, moved: false };
      },
      onPointerCancel(event: PointerEvent<HTMLElement>) {
        end(event);
      },
    },
    move({ clientX }: PointerEvent<HTMLElement>): void {
      const { current } = drag;
      if (!current) return;
      current.x = clientX;
      current.moved ||= Math.abs(clientX - current.from) > SLACK;
      next.current ||= requestAnimationFrame(() => {
        next.current = 0;
        draw();
      });
    },
    end,
  };

  /** Returns true if it was dragged: the last height is shown. */
  function end(_: PointerEvent<HTMLElement>): boolean {
    const moved = drag.current?.moved ?? false;
    cancelAnimationFrame(next.current);
    next.current = 0;
    if (moved) newest.current.goTo(under(), false);
    drag.current = undefined;
    gone.current = 0;
    return moved;
  }
}
