import { useState } from "react";
import { useActions, useFrameState, usePage } from "../../store/page.ts";
import type { Frame, Notice } from "../../store/types.ts";
import { plural } from "../../widgets/format.ts";
import { saveWorld } from "../../widgets/save-file.ts";
import css from "./band.module.css";
import { WatchingNode } from "./WatchingNode.tsx";

const LABELS: Readonly<Record<string, string>> = {
  export: "Export to a file",
  start_anew: "Start anew",
  retry: "Try again",
};

/** Notices about lost data, now or soon; the others are information. */
const BAD = ["damaged", "mismatch", "cleared", "full", "unavailable", "left", "unopened"];
/** While these last, no change is on disk. */
const UNSAVED = ["full", "unavailable", "left"];

const isUnsaved = ({ kind }: Notice): boolean => UNSAVED.includes(kind);
const isBad = ({ kind }: Notice): boolean => BAD.includes(kind);

/** True if data is lost, or will be, and this tab can do something about it. */
export const hasBadNotice = ({ player }: Frame): boolean =>
  player?.kept?.role !== "watching" && player?.notices.some(isBad) === true;

/** Returns the label of a notice's action; "continue" has another one if nothing can be saved. */
function labelOf(notice: Notice, action: string): string {
  const { actions } = notice;
  if (action !== "continue") return LABELS[action] ?? action;
  if (isUnsaved(notice) && actions.length > 1) return "Go on unsaved";
  return actions.includes("start_anew") ? "Continue from here" : "OK";
}

/** Notices about this tab and its world, the most severe first, with their actions. */
export function NoticeBand() {
  const player = useFrameState(({ frame }) => frame?.player);
  const notices = player?.notices ?? [];
  const watching = player?.kept?.role === "watching";
  const first = notices.findLast(isUnsaved) ?? notices.find(isBad) ?? notices[0];
  if (watching && player.attached) return <WatchingNode attached={player.attached} />;
  if (watching) return <Watching notices={notices} />;
  if (first) return <Found key={first.id} notice={first} more={notices.length - 1} />;
  return (
    <div className={css.band}>
      <p role="status">{player?.note}</p>
    </div>
  );
}

function Watching({ notices }: { notices: readonly Notice[] }) {
  const { openDialog } = useActions();
  return (
    <section className={css.band} aria-label="Watching" data-testid="watching">
      <div className={css.say}>
        <p role="status">
          Another tab plays this world. This tab shows it, and takes over when the other is closed.
        </p>
        {notices.map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </div>
      <div className={css.actions}>
        <button type="button" onClick={() => openDialog("worlds")}>
          Open another world
        </button>
      </div>
    </section>
  );
}

function Found({ notice, more }: { notice: Notice; more: number }) {
  const { client, actions } = usePage();
  const [busy, setBusy] = useState("");
  const [problem, setProblem] = useState("");
  const bad = isBad(notice);
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
      data-tone={bad ? "bad" : undefined}
      data-kind={notice.kind}
      data-testid="notice"
      aria-label="Notice"
    >
      <div className={css.say}>
        <p role={bad ? "alert" : "status"}>{notice.text}</p>
        {problem && (
          <p className={css.problem} role="alert">
            {problem}
          </p>
        )}
        {more > 0 && <p className="small soft">{plural(more, "more notice")} after this one.</p>}
      </div>
      {notice.actions.length > 0 && (
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
