import { useEffect } from "react";
import { announcements } from "../../store/announcements.ts";
import { usePage } from "../../store/page.ts";

/**
 * Announces changes between frames to screen readers. Loaded with the band, so that the first
 * screen does not wait for its texts.
 */
export function useNarration(): void {
  const { frames, notices } = usePage();
  useEffect(
    () =>
      frames.subscribe(({ frame, travel }, { frame: before, travel: travelled }) => {
        // A difference between heights is not a change while the past is shown.
        if (!frame || frame === before || travel || travelled) return;
        // It may not apply in another world.
        if (before && before.world !== frame.world) notices.setState({ spoken: "" });
        const changes = announcements(before, frame);
        if (changes.length > 0) notices.setState({ spoken: changes.join(" ") });
      }),
    [frames, notices],
  );
}
