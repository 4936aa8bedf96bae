import { useMemo } from "react";
import { useFrameState } from "../../store/page.ts";
import type { Tampered } from "../../store/types.ts";

/** Returns the manual edits of the shown world, oldest first; the same array until they change. */
export function useTampered(): readonly Tampered[] {
  const text = useFrameState(({ frame }) => JSON.stringify(frame?.tampered ?? []));
  return useMemo(() => JSON.parse(text), [text]);
}
