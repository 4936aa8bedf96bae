import { useEffect } from "react";
import { useActions, useFrameState } from "../store/page.ts";
import { useOnlyWatches } from "./ControlButton.tsx";

/** True if the chain makes no blocks automatically. */
export const useRests = (): boolean =>
  useFrameState(({ frame }) => !(frame?.player?.playing || frame?.player?.busy));

/** Stops automatic blocks while the user edits a form; a node's chain continues for all clients. */
export function useWaitingChain(waits: boolean): void {
  const { setFormOpen } = useActions();
  const ownsChain = useFrameState(({ frame }) => {
    const { attached, kept } = frame?.player ?? {};
    return attached === undefined && kept?.role !== "watching";
  });
  useEffect(() => {
    if (!waits || !ownsChain) return;
    void setFormOpen(true);
    return () => void setFormOpen(false);
  }, [waits, ownsChain, setFormOpen]);
}

/** Effect of sending on a paused chain. */
const DOES = {
  block: "this makes one block.",
  vote: "this runs it until voting has ended.",
  run: "this runs it until then.",
  wait: "this waits for its next block and makes none.",
  nothing: "this makes no block.",
} as const;

interface PausedNoteProps {
  className?: string | undefined;
  does: keyof typeof DOES;
}

/**
 * Explains beside a button its effect on a paused chain, or that the chain waits for the form;
 * nothing while it runs, nor without a button.
 */
export function PausedNote({ className, does }: PausedNoteProps) {
  const watches = useOnlyWatches();
  const rests = useRests();
  const waits = useFrameState(({ frame }) => frame?.player?.formOpen ?? false);
  if (watches || !(rests || waits)) return null;
  return (
    <p className={className ?? "soft small"} data-testid="paused">
      {rests ? `The chain is paused: ${DOES[does]}` : "The chain waits while this form is open."}
    </p>
  );
}

export type Paused = PausedNoteProps["does"];
