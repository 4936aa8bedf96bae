import { type RefObject, useEffect, useState } from "react";

/** Height of every row in CSS pixels, matching the tables' styles. */
const ROW_HEIGHT = 36;
/** Up to this number all rows are rendered: simpler, and find-in-page finds them. */
const ALL_UP_TO = 60;
const CHUNK = 10;
const AHEAD = 5;

export interface VisibleRows {
  readonly from: number;
  readonly to: number;
  /** Heights of the omitted rows above and below. */
  readonly above: number;
  readonly below: number;
}

/** Returns which rows of a long table to render at its scroll position. */
export function useVisibleRows(
  scroller: RefObject<HTMLElement | null>,
  count: number,
): VisibleRows {
  const [first, setFirst] = useState(0);
  // A few rows before the visible number is known: the next ones are a separate task.
  const [seen, setSeen] = useState(0);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const follow = (): void => {
      const row = Math.floor(element.scrollTop / ROW_HEIGHT);
      setFirst(Math.floor(row / CHUNK) * CHUNK);
    };
    const observer = new ResizeObserver(([entry]) =>
      setSeen(Math.ceil((entry?.contentRect.height ?? 0) / ROW_HEIGHT)),
    );
    observer.observe(element);
    element.addEventListener("scroll", follow, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", follow);
    };
  }, [scroller]);
  if (count <= ALL_UP_TO) return { from: 0, to: count, above: 0, below: 0 };
  const from = Math.max(0, Math.min(first, count - CHUNK) - CHUNK);
  // It renders again only when it was scrolled by a chunk.
  const to = Math.min(count, first + CHUNK + seen + AHEAD);
  return { from, to, above: from * ROW_HEIGHT, below: (count - to) * ROW_HEIGHT };
}
