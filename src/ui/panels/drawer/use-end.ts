import { type UIEvent, useEffect, useRef } from "react";

/** From the end by fewer pixels than a line is high: it is read there. */
const NEAR_PX = 24;

/** For lines that are read like a log: they stay at their end while others come, unless scrolled away from it. */
export function useEnd(lines: unknown) {
  const ref = useRef<HTMLOListElement>(null);
  const follows = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it scrolls when other lines are shown
  useEffect(() => {
    const list = ref.current;
    if (!list) return;
    // Told at once, and where the drawer becomes lower or higher: each time the page has just been laid out, so that to
    // ask how high the lines are lays out nothing.
    const observer = new ResizeObserver(() => {
      if (follows.current) list.scrollTo({ top: list.scrollHeight });
    });
    observer.observe(list);
    return () => observer.disconnect();
  }, [lines]);
  const onScroll = ({ currentTarget: at }: UIEvent): void => {
    follows.current = at.scrollTop + at.clientHeight > at.scrollHeight - NEAR_PX;
  };
  return { ref, onScroll };
}
