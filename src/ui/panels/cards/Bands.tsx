import { useState } from "react";
import { useActions, useFrameState, usePage } from "../../store/page.ts";
import type { Notice } from "../../store/types.ts";
import { saveWorld } from "../../widgets/save-file.ts";
import css from "./Bands.module.css";

const LABELS: Readonly<Record<string, string>> = {
  export: "Export to a file",
  start_anew: "Start anew",
  retry: "Try again",
};

/** Something is lost, or will be; the others are information. */
const BAD = ["damaged", "mismatch", "cleared", "full", "unavailable", "left", "unopened"];
/** As long as they last, nothing that is done is on disk. */
const UNSAVED = ["full", "unavailable", "left"];

/** What an action of a notice is called: to go on means something else where nothing can be saved. */
function labelOf({ kind, actions }: Notice, action: string): string {
  if (action !== "continue") return LABELS[action] ?? action;
  if (UNSAVED.includes(kind) && actions.length > 1) return "Go on unsaved";
  return actions.includes("start_anew") ? "Go on from here" : "OK";
}

/** What there is to know about this tab and its world, each with what can be done about it. */
export default function Bands() {
  const notices = useFrameState(({ frame }) => frame?.player?.notices);
  const watching = useFrameState(({ frame }) => frame?.player?.kept?.role === "watching");
  return (
    <>
      {watching && <Watching />}
      {notices?.map((notice) => (
        <Found key={notice.id} notice={notice} watching={watching} />
      ))}
    </>
  );
}

function Watching() {
  const { openDialog } = useActions();
  return (
    <section className={css.band} aria-label="Watching" data-testid="watching">
      <p role="status">
        Another tab plays this world. This one shows it, and takes over when that one is closed.
      </p>
      <div className={css.actions}>
        <button type="button" onClick={() => openDialog("worlds")}>
          Open another world
        </button>
      </div>
    </section>
  );
}

function Found({ notice, watching }: { notice: Notice; watching: boolean }) {
  const { client, actions } = usePage();
  const [busy, setBusy] = useState("");
  const [problem, setProblem] = useState("");
  const answer = async (action: string): Promise<void> => {
    if (busy) return;
    setBusy(action);
    setProblem("");
    try {
      const { file } = await client.lab.answerNotice({ notice: notice.id, action });
      if (file) saveWorld(file);
    } catch (error) {
      setProblem((error as Error).message);
    }
    setBusy("");
  };
  return (
    <section
      className={css.band}
      data-tone={BAD.includes(notice.kind) ? "bad" : undefined}
      data-kind={notice.kind}
      data-testid="notice"
      aria-label="Notice"
    >
      <div>
        <p role={BAD.includes(notice.kind) ? "alert" : "status"}>{notice.text}</p>
        {problem && (
          <p className={css.problem} role="alert">
            {problem}
          </p>
        )}
      </div>
      {notice.actions.length > 0 && !watching && (
        <div className={css.actions}>
          {notice.kind === "full" && (
            <button type="button" data-primary="" onClick={() => actions.openDialog("worlds")}>
              Make room…
            </button>
          )}
          {notice.actions.map((action, i) => (
            <button
              key={action}
              type="button"
              data-primary={i === 0 && notice.kind !== "full" ? "" : undefined}
              aria-busy={busy === action || undefined}
              onClick={() => answer(action)}
            >
              {labelOf(notice, action)}
            </button>
          ))}
        </div>
      )}
    </section>
  );
}
