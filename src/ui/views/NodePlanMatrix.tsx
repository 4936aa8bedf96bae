import { memo, useRef } from "react";
import SavePicture from "../pictures/SavePicture.tsx";
import { useActions, useFrameState } from "../store/page.ts";
import { hrefTo } from "../store/route.ts";
import type { Frame, Node } from "../store/types.ts";
import { BinaryChip } from "../widgets/BinaryChip.tsx";
import { useWatching } from "../widgets/ControlButton.tsx";
import { count, percent } from "../widgets/format.ts";
import { StateLabel } from "../widgets/StateLabel.tsx";
import { processState } from "../widgets/states.ts";
import { useVisibleRows } from "../widgets/use-visible-rows.ts";
import css from "./Upgrades.module.css";

/** Each node: its binary, its process, and its readiness for the plan. */
export function NodePlanMatrix() {
  const frame = useFrameState((world) => world.frame);
  const scroller = useRef<HTMLElement>(null);
  const rows = useVisibleRows(scroller, frame?.nodes.length ?? 0);
  if (!frame) return null;
  const plan = frame.plan?.name ? frame.plan : undefined;
  return (
    <section className={`card ${css.matrix}`} data-part="binaries" aria-labelledby="matrix">
      <header className={css.head}>
        <h2 id="matrix">Nodes{plan && ` × plan ${plan.name}`}</h2>
        <SwitchAll frame={frame} />
      </header>
      <section
        ref={scroller}
        className={css.scroll}
        aria-label="Every node"
        tabIndex={frame.nodes.length > 7 ? 0 : undefined}
      >
        <table aria-rowcount={frame.nodes.length + 1}>
          <thead>
            <tr>
              <th>Node</th>
              <th className="number">Share</th>
              <th>Binary</th>
              <th>Process</th>
              {plan && <th>At {count(plan.height)}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.above > 0 && <tr style={{ height: rows.above }} />}
            {frame.nodes.slice(rows.from, rows.to).map((node) => (
              <Row
                key={node.name}
                name={node.name}
                share={share(frame, node)}
                binary={node.binary}
                process={node.process}
                halted={node.halted}
                readiness={plan && (READINESS[node.forPlan] ?? `${node.staged} on disk`)}
              />
            ))}
            {rows.below > 0 && <tr style={{ height: rows.below }} />}
          </tbody>
        </table>
      </section>
      <SavePicture title={plan ? `Nodes and plan ${plan.name}` : "Nodes"} at="bottom" />
    </section>
  );
}

/** Share of the power of a node's key; for a second node with that key, its owner. */
function share({ validators, chainStatus }: Frame, { name, validator }: Node): string {
  const holder = validators.find((one) => one.name === validator);
  if (holder === undefined) return "";
  return name === validator ? percent(holder.power, chainStatus?.totalPower ?? 0) : validator;
}

interface RowProps {
  name: string;
  share: string;
  binary: string;
  process: string;
  halted: boolean | undefined;
  readiness: string | undefined;
}

const Row = memo(function Row({ name, share, binary, process, halted, readiness }: RowProps) {
  return (
    <tr className={css.node}>
      <td>
        <a href={hrefTo({ selection: { kind: "node", id: name } })}>{name}</a>
      </td>
      <td className="number soft">{share}</td>
      <td>
        <BinaryChip name={binary} />
      </td>
      <td>
        <StateLabel state={processState({ process, halted })} />
      </td>
      {readiness !== undefined && <td>{readiness}</td>}
    </tr>
  );
});

/** In any other case a binary with the handler is on its disk. */
const READINESS: Readonly<Record<string, string>> = {
  applied: "applied",
  skips: "skips it",
  handler: "has the Handler",
  none: "no handler",
};

/** Switches every node to one binary. */
function SwitchAll({ frame }: { frame: Frame }) {
  const { act } = useActions();
  const watching = useWatching();
  const others = frame.binaries.filter((binary) =>
    frame.nodes.some((node) => node.binary !== binary.name),
  );
  if (others.length === 0) return null;
  return (
    <select
      aria-label="Switch all nodes to another binary"
      value=""
      disabled={watching}
      onChange={({ target }) =>
        act({ nodes: { which: "all", binary: target.value } }, `All nodes run ${target.value}.`)
      }
    >
      <option value="">Switch all to…</option>
      {others.map((binary) => (
        <option key={binary.name}>{binary.name}</option>
      ))}
    </select>
  );
}
