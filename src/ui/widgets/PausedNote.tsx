import { useFrameState } from "../store/page.ts";

/** Whether the chain makes no blocks by itself. */
export const useRests = (): boolean =>
  useFrameState(({ frame }) => !(frame?.player?.playing || frame?.player?.busy));

interface PausedNoteProps {
  className?: string | undefined;
  /** What sending does to a paused chain. */
  children: string;
}

/** Says beside a button what it does to a paused chain; nothing while the chain runs. */
export function PausedNote({ className, children }: PausedNoteProps) {
  return (
    useRests() && (
      <p className={className ?? "soft small"} data-testid="paused">
        {children}
      </p>
    )
  );
}
