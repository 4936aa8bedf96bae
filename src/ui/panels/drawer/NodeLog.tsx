import { useEffect, useState } from "react";
import { useFrameState, usePage } from "../../store/page.ts";
import { useRoute } from "../../store/route.ts";
import type { LogLine, Node } from "../../store/types.ts";
import css from "./NodeLog.module.css";

const LINES = 200;
const NONE: readonly Node[] = [];

/** The log of one node; the selected validator's unless another is chosen. */
export default function NodeLog() {
  const nodes = useFrameState(({ frame }) => frame?.nodes ?? NONE);
  const { selection } = useRoute();
  const [chosen, setChosen] = useState("");
  const selected = selection?.kind === "node" ? selection.id : "";
  const name = chosen || selected || (nodes[0]?.name ?? "");
  const lines = useNodeLog(name);
  return (
    <div className={css.log}>
      <label className={css.pick}>
        <span className="hidden">Node</span>
        <select value={name} onChange={(event) => setChosen(event.target.value)}>
          {nodes.map((node) => (
            <option key={node.name}>{node.name}</option>
          ))}
        </select>
      </label>
      {lines.length === 0 ? (
        <p className="soft">This node has printed nothing yet.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <ol className={css.lines} tabIndex={0} aria-label={`Log of ${name}`}>
          {lines.map((line, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own
            <li key={i} data-level={line.level}>
              <span className={css.height}>{line.height}</span>
              <b>{line.level === "error" ? "ERR" : "INF"}</b>
              <span>
                {line.text} <span className="faint">module={line.module}</span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

/** Asked again whenever the world's log has grown. */
function useNodeLog(node: string): readonly LogLine[] {
  const { client } = usePage();
  const grown = useFrameState(
    ({ activity, frame }) => `${frame?.world}${activity.log.at(-1)?.seq ?? 0}`,
  );
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `grown` says when the answer is stale
  useEffect(() => {
    if (!node) return;
    let current = true;
    client.lab.getNodeLog({ node, limit: LINES }).then(
      (log) => current && setLines(log.lines),
      () => current && setLines([]),
    );
    return () => {
      current = false;
    };
  }, [node, grown]);
  return lines;
}
