import { useFrameState } from "../store/page.ts";
import { useOnlyWatches } from "./SteerButton.tsx";

/** Whether the chain makes no blocks by itself. */
export const useRests = (): boolean =>
  useFrameState(({ frame }) => !(frame?.player?.playing || frame?.player?.busy));

/** What sending does to a paused chain. */
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

/** Says beside a button what it does to a paused chain; nothing while the chain runs, nor where there is no button. */
export function PausedNote({ className, does }: PausedNoteProps) {
  const watches = useOnlyWatches();
  return (
    useRests() &&
    !watches && (
      <p className={className ?? "soft small"} data-testid="paused">
        The chain is paused: {DOES[does]}
      </p>
    )
  );
}

export type Paused = PausedNoteProps["does"];
