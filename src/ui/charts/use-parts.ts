import { startTransition, useEffect, useState } from "react";

/**
 * How many of a chart's `all` parts to draw: one more with each task, so that a chart that appears never holds
 * the page for as long as all of its parts together take.
 */
export function useParts(all: number): number {
  const [drawn, setDrawn] = useState(0);
  useEffect(() => {
    if (drawn >= all) return;
    const timer = setTimeout(() => startTransition(() => setDrawn(drawn + 1)));
    return () => clearTimeout(timer);
  }, [drawn, all]);
  return drawn;
}
