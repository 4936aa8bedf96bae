import { startTransition, useEffect, useRef, useState } from "react";
import { usePage } from "../store/page.ts";
import type { Sample } from "../store/types.ts";
import { Turns } from "./turns.ts";

const turns = new Turns();
for (const type of ["keydown", "pointerdown"]) addEventListener(type, () => turns.pressed(), true);

/** Returns the value read at the chart's last turn to draw; undefined before its first. */
export function useTurn<T>(read: () => T): T | undefined {
  const [seen, setSeen] = useState<T>();
  const { frames } = usePage();
  const newest = useRef(read);
  newest.current = read;
  const last = useRef<T>(undefined);
  const drawn = useDrawn(seen);
  useEffect(
    () =>
      turns.join((ended) => {
        const next = newest.current();
        // A removed chart must not delay the new view at each of its turns.
        if (next === last.current || frames.getState().changing) return false;
        last.current = next;
        drawn.current = ended;
        startTransition(() => setSeen(() => next));
        return true;
      }),
    [frames, drawn],
  );
  return seen;
}

/**
 * Returns how many of a chart's `all` parts to draw: one more with each turn, so that a new chart
 * never blocks the page for the time of all its parts.
 */
export function useParts(all: number): number {
  const [parts, setParts] = useState(0);
  const drawn = useDrawn(parts);
  useEffect(() => {
    if (parts >= all) return;
    return turns.join((ended) => {
      drawn.current = ended;
      startTransition(() => setParts(parts + 1));
      return true;
    }, true);
  }, [parts, all, drawn]);
  return parts;
}

/**
 * Calls the stored function after the next render is on screen, including work that the chart
 * library defers to the next frame.
 */
function useDrawn(seen: unknown) {
  const drawn = useRef<() => void>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is drawn when it is another
  useEffect(() => {
    const ended = drawn.current;
    drawn.current = undefined;
    if (ended) requestAnimationFrame(() => setTimeout(ended));
  }, [seen]);
  useEffect(() => () => drawn.current?.(), []);
  return drawn;
}

const NONE: readonly Sample[] = [];

/** Samples over the chain's history while a chart is on screen; none before its first turn. */
export function useSamples(): readonly Sample[] {
  const { frames } = usePage();
  useEffect(() => {
    frames.setState(({ charts }) => ({ charts: charts + 1 }));
    return () => frames.setState(({ charts }) => ({ charts: charts - 1 }));
  }, [frames]);
  return useTurn(() => frames.getState().samples) ?? NONE;
}
