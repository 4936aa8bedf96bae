import { memo, useMemo, useState } from "react";
import type { ActivityKind } from "../../store/frame-store.ts";
import { useFrameState } from "../../store/page.ts";
import { hrefTo } from "../../store/route.ts";
import type { Activity } from "../../store/types.ts";
import { count } from "../../widgets/format.ts";
import { Icon, type IconName } from "../../widgets/Icon.tsx";
import { Linked, useLinkTargets } from "../../widgets/Linked.tsx";
import { ListTools } from "../../widgets/ListTools.tsx";
import type { LinkTargets } from "../../widgets/linked-parts.ts";
import { found, matches } from "../../widgets/search.ts";
import { useNames } from "../../widgets/use-names.ts";
import css from "./ActivityLines.module.css";
import drawer from "./Drawer.module.css";
import { NoSteps } from "./DrawerRoom.tsx";
import { KIND_LABELS, linesTable, shownLines } from "./lines-table.ts";
import { useEnd } from "./use-end.ts";

const ROWS = 200;

const EMPTY: Readonly<Record<Exclude<ActivityKind, "step">, string>> = {
  event: "Events that the chain emits appear here: slash, submit evidence, proposals.",
  log: "What nodes print appears here: upgrades needed, panics, evidence found.",
};

/** The newest lines of one kind; it follows the end unless scrolled away from it. */
export default function ActivityLines({ kind }: { kind: ActivityKind }) {
  const lines = useFrameState(({ activity }) => activity[kind]);
  const named = useNames();
  const known = useLinkTargets();
  const [query, setQuery] = useState("");
  const [outcome, setOutcome] = useState("");
  const shown = useMemo(() => {
    const all = shownLines(kind, lines, named);
    if (query === "" && outcome === "") return all;
    return all.filter(
      ({ line, text }) =>
        (outcome === "" || line.outcome === outcome) &&
        matches(`${line.height} ${line.where} ${line.module} ${text} ${line.text}`, query),
    );
  }, [kind, lines, named, query, outcome]);
  const end = useEnd(shown);
  if (lines.length === 0)
    return kind === "step" ? <NoSteps /> : <p className={drawer.empty}>{EMPTY[kind]}</p>;
  const outcomes = new Set([...lines.map((line) => line.outcome), ...(outcome ? [outcome] : [])]);
  return (
    <div className={css.activity}>
      <ListTools
        className={css.tools}
        of={KIND_LABELS[kind]}
        query={query}
        onQuery={setQuery}
        found={found(shown.length, lines.length)}
        copied={() => shown.map(({ line, text }) => copiedLine(line, text)).join("\n")}
        table={() => linesTable(shown)}
      >
        {outcomes.size > 1 && (
          <select
            aria-label="Only those with this outcome"
            value={outcome}
            onChange={(event) => setOutcome(event.target.value)}
          >
            <option value="">all outcomes</option>
            {[...outcomes].map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )}
      </ListTools>
      {shown.length === 0 ? (
        <p className={drawer.empty}>None of the newest {count(lines.length)} is like that.</p>
      ) : (
        <ol
          {...end}
          className={css.lines}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          tabIndex={0}
        >
          {shown.slice(-ROWS).map(({ line, text }) => (
            <Line key={line.seq} line={line} text={text} known={known} />
          ))}
        </ol>
      )}
    </div>
  );
}

const copiedLine = ({ height, where, module, outcome }: Activity, text: string): string =>
  [height, [where, module].filter(Boolean).join(" · "), outcome, text].join("\t");

const OUTCOMES: Readonly<Record<string, IconName>> = {
  ok: "check",
  refused: "cross",
  ignored: "minus",
  halt: "stop",
  error: "cross",
  info: "info",
};

const Line = memo(
  function Line({ line, text, known }: { line: Activity; text: string; known: LinkTargets }) {
    return (
      <li className={css.line} data-outcome={line.outcome}>
        <BlockLink height={line.height} />
        <span className={css.where}>
          <Linked text={[line.where, line.module].filter(Boolean).join(" · ")} targets={known} />
        </span>
        <span className={css.outcome}>
          <Icon name={OUTCOMES[line.outcome] ?? "info"} size={13} />
          <span className="hidden">{line.outcome}</span>
        </span>
        <span className={css.text}>
          <Linked text={text} targets={known} />
        </span>
      </li>
    );
  },
  (a, b) => a.line.seq === b.line.seq && a.text === b.text && a.known === b.known,
);

/** The height of a line, as a link to its block; lines before the first block have none. */
function BlockLink({ height }: { height: number }) {
  if (height === 0) return <span className={css.height}>0</span>;
  return (
    <a
      className={css.height}
      aria-label={`Block ${count(height)}`}
      href={hrefTo({ selection: { kind: "block", id: String(height) } })}
    >
      {count(height)}
    </a>
  );
}
