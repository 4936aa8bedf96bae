import { useEffect, useState } from "react";
import { wantSamples } from "../store/frame-loop.ts";
import { useWorld } from "../store/frame-store.ts";
import type { Sample } from "../store/types.ts";

/** A chart costs about 15 ms to draw: four times a second is plenty for the eye. */
const EVERY_MS = 250;

/** Samples over the chain's history while a chart is on screen. */
export function useSamples(): readonly Sample[] {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => {
    const stop = wantSamples();
    const timer = setInterval(() => setSamples(useWorld.getState().samples), EVERY_MS);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, []);
  return samples;
}
