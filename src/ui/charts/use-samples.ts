import { startTransition, useEffect, useState } from "react";
import { usePage } from "../store/page.ts";
import type { Sample } from "../store/types.ts";

/** A chart costs tens of milliseconds to draw: twice a second is plenty for the eye. */
const EVERY_MS = 500;
/** The view itself is there at once; its charts follow. */
const FIRST_MS = 30;

/**
 * Samples over the chain's history while a chart is on screen; none at first. `phase` (0 to 1) says
 * when in the half second: two charts never draw in one task, the first time neither.
 */
export function useSamples(phase: number): readonly Sample[] {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const { frames } = usePage();
  useEffect(() => {
    frames.setState(({ charts }) => ({ charts: charts + 1 }));
    let seen: readonly Sample[] | undefined;
    let timer = setTimeout(
      function look() {
        timer = setTimeout(look, EVERY_MS);
        const newest = frames.getState().samples;
        if (newest === seen) return;
        seen = newest;
        startTransition(() => setSamples(newest));
      },
      FIRST_MS + phase * EVERY_MS,
    );
    return () => {
      clearTimeout(timer);
      frames.setState(({ charts }) => ({ charts: charts - 1 }));
    };
  }, [frames, phase]);
  return samples;
}
