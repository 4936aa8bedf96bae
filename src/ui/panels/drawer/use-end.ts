import { type UIEvent, useEffect, useRef } from "react";

/** Within this distance of the end, less than a line, the list counts as scrolled to its end. */
const NEAR_PX = 24;

/**
 * Log-like lines stay scrolled to their end while others arrive, unless the user scrolls away. A
 * last line that is higher than the list is shown from its start, which names its subject.
 */
export function useEnd(lines: unknown) {
  const ref = useRef<HTMLOListElement>(null);
  const follows = useRef(true);
  const last = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it scrolls when other lines are shown
  useEffect(() => {
    const list = ref.current;
    if (!list) return;
    // Runs at once, and when the height of the drawer changes: the page has just been laid out, so
    // that measuring the lines is free.
    const observer = new ResizeObserver(() => {
      if (!follows.current) return;
      const { top = 0 } = list.lastElementChild?.getBoundingClientRect() ?? {};
      const begins = list.scrollTop + top - list.getBoundingClientRect().top;
      list.scrollTo({ top: Math.min(list.scrollHeight - list.clientHeight, begins) });
      last.current = list.scrollTop;
    });
    observer.observe(list);
    return () => observer.disconnect();
  }, [lines]);
  const onScroll = ({ currentTarget: at }: UIEvent): void => {
    const isNear = at.scrollTop + at.clientHeight > at.scrollHeight - NEAR_PX;
    // A scroll event may arrive after new lines, whose end is further away: only scrolling back
    // leaves the end.
    follows.current = isNear || (follows.current && at.scrollTop >= last.current);
    last.current = at.scrollTop;
  };
  return { ref, onScroll };
}
