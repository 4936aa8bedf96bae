import { useEffect } from "react";
import { usePage } from "../../store/page.ts";
import { situationPhrase } from "../../store/situation.ts";
import { count } from "../../widgets/format.ts";

const EVERY_MS = 1000;
/** The document's original title. */
const OWN = document.title;

/** Shows the most important message in the tab's title: the problem, or the chain's height. */
export function usePageTitle(): void {
  const { frames } = usePage();
  useEffect(() => {
    const write = (): void => {
      const { frame, travel } = frames.getState();
      if (!frame) return;
      const wrong = situationPhrase(frame);
      document.title = `${travel ? "Past · " : ""}${wrong || `Block ${count(frame.chain?.height ?? 0)}`} · ${OWN}`;
    };
    write();
    const timer = setInterval(write, EVERY_MS);
    return () => clearInterval(timer);
  }, [frames]);
}
