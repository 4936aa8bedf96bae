import { useEffect, useMemo, useState } from "react";
import { useFrameState, usePage } from "../../store/page.ts";
import { hrefTo, useRoute } from "../../store/route.ts";
import type { LogLine, Node } from "../../store/types.ts";
import { count } from "../../widgets/format.ts";
import { Linked, useLinkTargets } from "../../widgets/Linked.tsx";
import { ListTools } from "../../widgets/ListTools.tsx";
import { found, matches } from "../../widgets/search.ts";
import { useNames } from "../../widgets/use-names.ts";
import lineCss from "./ActivityLines.module.css";
import css from "./NodeLog.module.css";
import { useEnd } from "./use-end.ts";

const LINES = 200;
const NONE: readonly Node[] = [];

/** The log of one node; by default of the selected validator's. */
export default function NodeLog() {
  const nodes = useFrameState(({ frame }) => frame?.nodes ?? NONE);
  const { selection } = useRoute();
  const selected = selection?.kind === "node" ? selection.id : "";
  const [chosen, setChosen] = useState({ name: "", beside: selected });
  const requested = chosen.beside === selected ? chosen.name : "";
  const name = requested || selected || (nodes[0]?.name ?? "");
  const all = useNodeLog(name);
  const named = useNames();
  const [query, setQuery] = useState("");
  const lines = useMemo(
    () =>
      all
        .map((line) => ({ ...line, text: named(line.text) }))
        .filter(({ height, module, text }) => matches(`${height} ${module} ${text}`, query)),
    [all, named, query],
  );
  return (
    <div className={css.log}>
      <label className={css.pick}>
        <span className="hidden">Node</span>
        <select
          value={name}
          onChange={({ target }) => setChosen({ name: target.value, beside: selected })}
        >
          {nodes.map((node) => (
            <option key={node.name}>{node.name}</option>
          ))}
        </select>
      </label>
      {all.length > 0 && (
        <ListTools
          className={lineCss.tools}
          of="lines"
          query={query}
          onQuery={setQuery}
          found={found(lines.length, all.length)}
          copied={() => lines.map(copiedLine).join("\n")}
          table={() => [
            ["height", "node", "level", "module", "text"],
            ...lines.map(({ height, level, module, text }) => [height, name, level, module, text]),
          ]}
        />
      )}
      {lines.length === 0 ? (
        <p className="soft">
          {all.length === 0 ? "This node has printed nothing yet." : "No line has that."}
        </p>
      ) : (
        <Lines key={name} name={name} lines={lines} />
      )}
    </div>
  );
}

function Lines({ name, lines }: { name: string; lines: readonly LogLine[] }) {
  const known = useLinkTargets();
  const end = useEnd(lines);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <ol {...end} className={css.lines} tabIndex={0} aria-label={`Log of ${name}`}>
      {lines.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own
        <li key={i} data-level={line.level}>
          {line.height === 0 ? (
            <span className={css.height}>0</span>
          ) : (
            <a
              className={css.height}
              href={hrefTo({ selection: { kind: "block", id: String(line.height) } })}
            >
              {count(line.height)}
            </a>
          )}
          <b>{line.level === "error" ? "ERR" : "INF"}</b>
          <span>
            <Linked text={line.text} targets={known} />{" "}
            <span className="faint">module={line.module}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

const copiedLine = ({ height, level, text, module }: LogLine): string =>
  [height, level, text, `module=${module}`].join("\t");

/** Queried again whenever the world's log has grown. */
function useNodeLog(node: string): readonly LogLine[] {
  const { client } = usePage();
  const grown = useFrameState(
    ({ activity, frame, at }) => `${frame?.world}${at || (activity.log.at(-1)?.seq ?? 0)}`,
  );
  const isThere = useFrameState(({ at }) => at !== undefined);
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `grown` says when the answer is stale
  useEffect(() => {
    if (!node || !isThere) return;
    let current = true;
    client.lab.getNodeLog({ node, limit: LINES }).then(
      (log) => current && setLines(log.lines),
      () => current && setLines([]),
    );
    return () => {
      current = false;
    };
  }, [node, grown, isThere]);
  return lines;
}
