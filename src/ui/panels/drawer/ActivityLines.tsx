import { memo, useEffect, useRef } from "react";
import type { ActivityKind } from "../../store/frame-store.ts";
import { useFrameState } from "../../store/page.ts";
import type { Activity } from "../../store/types.ts";
import { Icon, type IconName } from "../../widgets/Icon.tsx";
import { useNames } from "../../widgets/use-names.ts";
import css from "./ActivityLines.module.css";

const ROWS = 200;

const EMPTY: Readonly<Record<ActivityKind, string>> = {
  step: "Decisions appear here with what was asked and what was found, as soon as the chain makes one.",
  event: "Events that the chain emits appear here: slash, submit evidence, proposals.",
  log: "What nodes print appears here: upgrades needed, panics, evidence found.",
};

/** The newest lines of one kind; it follows the end unless scrolled away from it. */
export default function ActivityLines({ kind }: { kind: ActivityKind }) {
  const lines = useFrameState(({ activity }) => activity[kind]);
  const named = useNames();
  const list = useRef<HTMLOListElement>(null);
  const follow = useRef(true);
  useEffect(() => {
    if (follow.current && lines.length > 0)
      list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [lines]);
  if (lines.length === 0) return <p className={css.empty}>{EMPTY[kind]}</p>;
  return (
    <ol
      ref={list}
      className={css.lines}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: at }) => {
        follow.current = at.scrollTop + at.clientHeight > at.scrollHeight - 24;
      }}
    >
      {lines.slice(-ROWS).map((line) => (
        <Line key={line.seq} line={line} text={kind === "step" ? named(line.text) : line.text} />
      ))}
    </ol>
  );
}

const OUTCOMES: Readonly<Record<string, IconName>> = {
  ok: "check",
  refused: "cross",
  ignored: "minus",
  halt: "stop",
  error: "cross",
  info: "info",
};

const Line = memo(
  function Line({ line, text }: { line: Activity; text: string }) {
    return (
      <li className={css.line} data-outcome={line.outcome}>
        <span className={css.height}>{line.height}</span>
        <span className={css.where}>{[line.where, line.module].filter(Boolean).join(" · ")}</span>
        <span className={css.outcome}>
          <Icon name={OUTCOMES[line.outcome] ?? "info"} size={13} />
          <span className="hidden">{line.outcome}</span>
        </span>
        <span className={css.text}>{text}</span>
      </li>
    );
  },
  (a, b) => a.line.seq === b.line.seq && a.text === b.text,
);
