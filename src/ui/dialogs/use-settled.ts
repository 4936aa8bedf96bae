import { useState } from "react";
import { useFrameState } from "../store/page.ts";
import type { Frame } from "../store/types.ts";

/**
 * A value that a form proposes from the newest frame, e.g. a height: it follows the chain until the
 * chain waits for the form, and then stays. On a chain that does not wait, such as a node's, it
 * comes from the first frame.
 */
export function useSettled<T extends string | number>(propose: (frame: Frame | undefined) => T): T {
  const newest = useFrameState(({ frame }) => propose(frame));
  const stands = useFrameState(({ frame }) => {
    const { playing, busy, formOpen, attached } = frame?.player ?? {};
    return formOpen || !(playing || busy) || attached !== undefined;
  });
  const [settled, settle] = useState<T>();
  if (stands && settled === undefined) settle(newest);
  return settled ?? newest;
}
