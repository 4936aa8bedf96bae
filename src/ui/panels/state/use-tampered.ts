import { useMemo } from "react";
import { useFrameState } from "../../store/page.ts";
import type { Tampered } from "../../store/types.ts";

/** What was changed by hand in the world that is shown, oldest first; the same array until that is another. */
export function useTampered(): readonly Tampered[] {
  const text = useFrameState(({ frame }) => JSON.stringify(frame?.tampered ?? []));
  return useMemo(() => JSON.parse(text), [text]);
}
