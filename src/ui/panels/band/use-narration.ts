import { useEffect } from "react";
import { narrate } from "../../store/narrate.ts";
import { usePage } from "../../store/page.ts";

/**
 * Has screen readers say what changes from one frame to the next. It comes with the band, so that the first screen
 * does not wait for its words.
 */
export function useNarration(): void {
  const { frames, notices } = usePage();
  useEffect(
    () =>
      frames.subscribe(({ frame, travel }, { frame: before, travel: travelled }) => {
        // A difference between heights is no change while travelling.
        if (!frame || frame === before || travel || travelled) return;
        // In another world it may not be so.
        if (before && before.world !== frame.world) notices.setState({ spoken: "" });
        const changes = narrate(before, frame);
        if (changes.length > 0) notices.setState({ spoken: changes.join(" ") });
      }),
    [frames, notices],
  );
}
