import { type UIEvent, useEffect, useRef } from "react";

/** From the end by fewer pixels than a line is high: it is read there. */
const NEAR_PX = 24;

/**
 * For lines that are read like a log: they stay at their end while others come, unless scrolled away from it. A last line
 * that is higher than the list is shown from its beginning, which says what it is about.
 */
export function useEnd(lines: unknown) {
  const ref = useRef<HTMLOListElement>(null);
  const follows = useRef(true);
  const last = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it scrolls when other lines are shown
  useEffect(() => {
    const list = ref.current;
    if (!list) return;
    // Told at once, and where the drawer becomes lower or higher: each time the page has just been laid out, so that to
    // ask how high the lines are lays out nothing.
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
    // Told late of a scroll to the end that was, where lines have come since: only the way back leaves it.
    follows.current = isNear || (follows.current && at.scrollTop >= last.current);
    last.current = at.scrollTop;
  };
  return { ref, onScroll };
}
