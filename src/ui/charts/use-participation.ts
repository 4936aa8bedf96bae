import { useEffect } from "react";
import { usePage } from "../store/page.ts";
import type { BlockWindowStore } from "./block-window.ts";

const EVERY_MS = 500;

/** Keeps the data of the window's blocks up to date, one query at a time. */
export function useParticipation(shown: BlockWindowStore): void {
  const { client, frames } = usePage();
  useEffect(() => {
    let requested = "";
    let asking = false;
    let current = true;
    const look = async (): Promise<void> => {
      const { last, count } = shown.getState();
      const { frame, at } = frames.getState();
      const about = `${frame?.world} ${at} ${last ?? frame?.chain?.height} ${count}`;
      if (
        at === undefined ||
        asking ||
        about === requested ||
        frame === undefined ||
        document.hidden
      )
        return;
      asking = true;
      requested = about;
      await client.lab.getParticipation({ last: last ?? 0, count }).then(
        (answer) => shown.setState({ answer, problem: "" }),
        (error: Error) => shown.setState({ problem: error.message }),
      );
      asking = false;
      if (current && shown.getState().last !== last) void look();
    };
    const timer = setInterval(look, EVERY_MS);
    const stop = shown.subscribe((is, was) => {
      if (is.last !== was.last || is.count !== was.count) void look();
    });
    void look();
    return () => {
      current = false;
      clearInterval(timer);
      stop();
    };
  }, [client, frames, shown]);
}
