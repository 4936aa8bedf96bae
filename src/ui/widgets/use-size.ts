import { type RefObject, startTransition, useEffect, useState } from "react";

/** Space available to a drawing, in CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of an element once it is known, kept up to date. */
export function useSize(ref: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>();
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const { width, height } = entry.contentRect;
      startTransition(() => setSize({ width, height }));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return size;
}
