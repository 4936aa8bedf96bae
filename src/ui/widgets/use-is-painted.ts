import { useEffect, useState } from "react";

/** Whether what was drawn first is on screen: what comes then is a task of its own. */
export function useIsPainted(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    let after: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      after = setTimeout(setPainted, 0, true);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(after);
    };
  }, []);
  return painted;
}
