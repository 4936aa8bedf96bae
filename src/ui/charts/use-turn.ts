import { startTransition, useEffect, useRef, useState } from "react";
import { usePage } from "../store/page.ts";
import type { Sample } from "../store/types.ts";
import { Turns } from "./turns.ts";

const turns = new Turns();

/** What was read at the chart's last turn to draw; undefined before its first. */
export function useTurn<T>(read: () => T): T | undefined {
  const [seen, setSeen] = useState<T>();
  const { frames } = usePage();
  const newest = useRef(read);
  newest.current = read;
  useEffect(
    () =>
      turns.join(() => {
        // A chart that goes keeps the view that comes waiting with each turn.
        if (!frames.getState().changing) startTransition(() => setSeen(() => newest.current()));
      }),
    [frames],
  );
  return seen;
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
