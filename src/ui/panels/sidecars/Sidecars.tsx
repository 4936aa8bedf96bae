import { useRef, useState } from "react";
import { useActions, useFrameState } from "../../store/page.ts";
import { hrefTo, useRoute } from "../../store/route.ts";
import type { Sidecars as Answer, SidecarLine } from "../../store/types.ts";
import { useFollowed } from "../../store/use-followed.ts";
import { useWatching } from "../../widgets/ControlButton.tsx";
import { count, list, plural } from "../../widgets/format.ts";
import { StateLabel } from "../../widgets/StateLabel.tsx";
import { PlanLink, SidecarDetails } from "./SidecarDetails.tsx";
import css from "./Sidecars.module.css";
import { needsPerson, STEP_STATES, sidecarState, stepTitle } from "./words.ts";

const LINES = 6;
const MANY = 100;

/** The sidecars of all nodes: urgent ones first, the others summarized; one of them expanded. */
export function Sidecars() {
  const [all, setAll] = useState(false);
  const limit = all ? MANY : LINES;
  const { answer, problem } = useFollowed(`${limit}`, (lab) => lab.getSidecars({ limit }));
  const { selection } = useRoute();
  if (!answer) return problem ? <p className="soft small">{problem}</p> : null;
  const { lines, counts } = answer;
  const total = counts.reduce((sum, { nodes }) => sum + nodes, 0);
  const selected = selection?.kind === "node" ? selection.id : undefined;
  const open = selected ?? lines[0]?.node;
  const hidden = total - lines.length;
  return (
    <section
      className={`card ${css.sidecars}`}
      data-part="sidecars"
      data-none={total === 0 || undefined}
      aria-labelledby="sidecars"
    >
      <header className={css.head}>
        <h2 id="sidecars">Sidecars (Cosmovisor)</h2>
        <span className="soft small">{summary(answer, total)}</span>
        <Attach />
      </header>
      {total > 0 && (
        <ul aria-label="Sidecars, those that need a person first">
          {lines.map((line) => (
            <Row key={line.node} line={line} open={line.node === open} sought={selected} />
          ))}
        </ul>
      )}
      {hidden > 0 &&
        (all ? (
          <p className="soft small">and {count(hidden)} more</p>
        ) : (
          <button type="button" data-link="" onClick={() => setAll(true)}>
            {plural(hidden, "more sidecar")}
          </button>
        ))}
      {selected !== undefined && total > 0 && lines.every(({ node }) => node !== selected) && (
        <SidecarDetails key={selected} node={selected} named />
      )}
    </section>
  );
}

/** Returns the number of sidecars in each state, and of nodes without one. */
function summary({ counts, without }: Answer, total: number): string {
  if (total === 0) return "No node has one: their operators switch binaries by hand.";
  const states = counts.map(({ state, nodes }) => `${count(nodes)} ${sidecarState(state).label}`);
  const none = without > 0 ? [`${plural(without, "node")} without`] : [];
  return `${list([...states, ...none])}`;
}

interface RowProps {
  line: SidecarLine;
  open: boolean;
  /** The selected node: its row is scrolled into view. */
  sought: string | undefined;
}

function Row({ line, open, sought }: RowProps) {
  const { node, state, plan, height, because, steps } = line;
  const ref = useRef<HTMLLIElement>(null);
  const isSought = node === sought;
  return (
    <li ref={ref} className={css.item} data-open={open || undefined}>
      <div className={css.row}>
        <a
          className={css.node}
          href={hrefTo({ selection: { kind: "node", id: node } })}
          aria-current={open || undefined}
        >
          {node}
        </a>
        <StateLabel state={sidecarState(state)} />
        <Segments steps={steps} />
        {open ? (
          <PlanLink plan={plan} height={height} />
        ) : (
          <span className={css.because} data-bad={needsPerson(state) || undefined} title={because}>
            {because}
          </span>
        )}
      </div>
      {open && (
        <SidecarDetails
          node={node}
          onShown={() => {
            if (!isSought) return;
            // As much of it as fits, its name above all.
            ref.current?.scrollIntoView({ block: "nearest" });
            ref.current?.firstElementChild?.scrollIntoView({ block: "nearest" });
          }}
        />
      )}
    </li>
  );
}

/** The steps as a row of small bars; the current or failed one as text. */
function Segments({ steps }: { steps: SidecarLine["steps"] }) {
  const at = steps.findLast(({ state }) => state === "failed" || state === "now");
  const done = steps.filter(({ state }) => state === "done").length;
  const label = at
    ? `${stepTitle(at)}: ${STEP_STATES[at.state]?.word}`
    : `${done} of ${steps.length} steps done`;
  return (
    <span className={css.segments} role="img" aria-label={label} title={label} data-bar="">
      {steps.map(({ step, state }) => (
        <i key={step} data-state={state} />
      ))}
    </span>
  );
}

const MODES = [
  ["staged", "binaries must be on disk"],
  ["download", "may download binaries"],
  ["manual", "none: operators switch by hand"],
] as const;

/** Attaches a sidecar to every node, or removes it. */
function Attach() {
  const { act } = useActions();
  const watching = useWatching();
  const some = useFrameState(({ frame }) => (frame?.nodes.length ?? 0) > 0);
  return (
    <select
      aria-label="Give every node a sidecar"
      value=""
      disabled={watching || !some}
      onChange={({ target }) =>
        act(
          { nodes: { which: "all", sidecar: { mode: target.value } } },
          target.value === "manual"
            ? "No node has a sidecar now."
            : "Every node has a sidecar now.",
        )
      }
    >
      <option value="">Give every node one…</option>
      {MODES.map(([mode, words]) => (
        <option key={mode} value={mode}>
          {words}
        </option>
      ))}
    </select>
  );
}
