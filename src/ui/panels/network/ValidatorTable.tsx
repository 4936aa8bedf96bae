import { lazy, memo, Suspense, useRef } from "react";
import { useWorld } from "../../store/frame-store.ts";
import { hrefTo, useRoute } from "../../store/route.ts";
import type { Node } from "../../store/types.ts";
import { BinaryChip } from "../../widgets/BinaryChip.tsx";
import { count, percent } from "../../widgets/format.ts";
import { NodeState } from "../../widgets/StateWord.tsx";
import { useVisibleRows } from "../../widgets/use-visible-rows.ts";
import { sideName } from "../../widgets/words.ts";
import css from "./ValidatorTable.module.css";

const Votes = lazy(() => import("./Votes.tsx"));

const NONE: readonly Node[] = [];

export function ValidatorTable() {
  const nodes = useWorld(({ frame }) => frame?.nodes ?? NONE);
  const total = useWorld(({ frame }) => frame?.chainStatus?.totalPower ?? 0);
  const { selection } = useRoute();
  const scroller = useRef<HTMLElement>(null);
  const rows = useVisibleRows(scroller, nodes.length);
  return (
    <section
      ref={scroller}
      className={css.scroll}
      aria-label="Validators"
      tabIndex={nodes.length > 8 ? 0 : undefined}
    >
      <table aria-rowcount={nodes.length + 1}>
        <thead>
          <tr>
            <th>Validator</th>
            <th className="number">Power</th>
            <th>State</th>
            <th>Binary</th>
            <th title="Prevote and precommit in the newest round">Votes</th>
          </tr>
        </thead>
        <tbody>
          {rows.above > 0 && <tr style={{ height: rows.above }} />}
          {nodes.slice(rows.from, rows.to).map((node) => (
            <Row
              key={node.name}
              node={node}
              total={total}
              selected={selection?.kind === "node" && selection.id === node.name}
            />
          ))}
          {rows.below > 0 && <tr style={{ height: rows.below }} />}
        </tbody>
      </table>
    </section>
  );
}

interface RowProps {
  node: Node;
  total: number;
  selected: boolean;
}

const Row = memo(function Row({ node, total, selected }: RowProps) {
  return (
    <tr className={css.row} aria-current={selected || undefined}>
      <td>
        <a className={css.name} href={hrefTo({ selection: { kind: "node", id: node.name } })}>
          {node.name}
        </a>
        {node.proposer && (
          <span className={css.proposer} title="proposes the next block">
            <span className="hidden">proposes the next block</span>
          </span>
        )}
      </td>
      <td className="number">
        {count(node.power)} <span className={css.share}>{percent(node.power, total)}</span>
      </td>
      <td>
        <NodeState node={node} trouble={troubleOf(node)} />
      </td>
      <td>
        <BinaryChip name={node.binary} />
      </td>
      <td>
        <Suspense>
          <Votes name={node.name} />
        </Suspense>
      </td>
    </tr>
  );
}, looksTheSame);

/** What is wrong with the machine, and which side of a cut network it is on. */
const troubleOf = ({ faults, partition }: Node): string =>
  [...faults.map(({ kind }) => kind), ...(partition > 0 ? [sideName(partition)] : [])].join(", ");

/** Frames bring new objects every time; only what a row shows may redraw it. */
function looksTheSame(a: RowProps, b: RowProps): boolean {
  return (
    a.selected === b.selected &&
    a.total === b.total &&
    a.node.power === b.node.power &&
    a.node.process === b.node.process &&
    a.node.binary === b.node.binary &&
    a.node.bond === b.node.bond &&
    a.node.jailed === b.node.jailed &&
    a.node.tombstoned === b.node.tombstoned &&
    a.node.proposer === b.node.proposer &&
    troubleOf(a.node) === troubleOf(b.node) &&
    a.node.name === b.node.name
  );
}
