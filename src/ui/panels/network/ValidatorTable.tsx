import { memo, Suspense, useCallback, useRef, useState } from "react";
import { useFrameState, useRound } from "../../store/page.ts";
import { proposerDrawn } from "../../store/rounds.ts";
import { hrefTo, useRoute } from "../../store/route.ts";
import type { Node } from "../../store/types.ts";
import { BinaryChip } from "../../widgets/BinaryChip.tsx";
import { count, percent } from "../../widgets/format.ts";
import { lazyPart } from "../../widgets/lazy-part.tsx";
import { NodeState } from "../../widgets/StateLabel.tsx";
import { faultLabel, partitionName } from "../../widgets/states.ts";
import { useVisibleRows } from "../../widgets/use-visible-rows.ts";
import css from "./ValidatorTable.module.css";
import { type Arrange, type Line, linesOf } from "./validator-lines.ts";

const Votes = lazyPart("", () => import("./Votes.tsx"));
const ValidatorTools = lazyPart("", () => import("./ValidatorTools.tsx"));

/**
 * Longer names are shortened in the middle, as names of one kind differ at their ends; a twin's
 * name includes the original's.
 */
const LONG = 12;
const END = /.{3}-twin$|.{5}$/;
/** Minimum number of rows for search and sorting. */
const MANY = 9;

export function ValidatorTable() {
  const frame = useFrameState((world) => world.frame);
  const [arrange, setArrange] = useState<Arrange>(() => (lines: readonly Line[]) => lines);
  const all = frame ? linesOf(frame) : [];
  const lines = all.length < MANY ? all : arrange(all);
  const total = useFrameState(({ frame }) => frame?.chainStatus?.totalPower ?? 0);
  const { selection } = useRoute();
  const scroller = useRef<HTMLElement>(null);
  const rows = useVisibleRows(scroller, lines.length);
  const newest = useRef(lines);
  newest.current = lines;
  const current = useCallback(() => newest.current, []);
  return (
    <section
      data-part="validators"
      ref={scroller}
      className={css.scroll}
      aria-label="Validators"
      tabIndex={all.length >= MANY ? 0 : undefined}
    >
      {all.length >= MANY && (
        <Suspense>
          <ValidatorTools
            shown={lines.length}
            all={all.length}
            lines={current}
            onArrange={setArrange}
          />
        </Suspense>
      )}
      <table aria-rowcount={lines.length + 1}>
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
          {lines.slice(rows.from, rows.to).map((line) => (
            <Row
              key={line.name}
              line={line}
              total={total}
              selected={selection?.kind === "node" && selection.id === line.name}
            />
          ))}
          {rows.below > 0 && <tr style={{ height: rows.below }} />}
        </tbody>
      </table>
    </section>
  );
}

interface RowProps {
  line: Line;
  total: number;
  selected: boolean;
}

const Row = memo(function Row({ line, total, selected }: RowProps) {
  const { name, validator, node } = line;
  const proposes = useRound(proposerDrawn) ?? (validator?.proposer ? name : undefined);
  return (
    <tr className={css.row} aria-current={selected || undefined}>
      <td>
        <a
          className={css.name}
          data-long={name.length > LONG || undefined}
          href={hrefTo({ selection: { kind: "node", id: name } })}
          title={name}
          aria-label={name}
        >
          {name.length > LONG ? (
            <>
              <span>{name.replace(END, "")}</span>
              <span>{name.match(END)}</span>
            </>
          ) : (
            name
          )}
        </a>
        {proposes === name && (
          <span className={css.proposer} title="proposes the next block">
            <span className="hidden">proposes the next block</span>
          </span>
        )}
      </td>
      <td className="number">
        {validator ? (
          <>
            {count(validator.power)}{" "}
            <span className={css.share}>{percent(validator.power, total)}</span>
          </>
        ) : (
          <span className={css.same} title={node?.validator}>
            same key as {node?.validator}
          </span>
        )}
      </td>
      <td>
        <NodeState validator={validator} node={node} faults={faultsOf(node)} />
      </td>
      <td>{node && <BinaryChip name={node.binary} />}</td>
      <td>
        <Suspense>
          <Votes name={name} />
        </Suspense>
      </td>
    </tr>
  );
}, looksTheSame);

/** The faults of the node, and its partition, shortened to fit the table. */
function faultsOf(node: Node | undefined): string {
  const { faults = [], partition = 0 } = node ?? {};
  const side = partition > 0 ? [partitionName(partition).replace("partition", "part.")] : [];
  return [...faults.map(({ kind }) => faultLabel(kind)), ...side].join(", ");
}

/** Every frame has new objects; only the values shown in a row may redraw it. */
function looksTheSame(a: RowProps, b: RowProps): boolean {
  const [was, is] = [a.line, b.line];
  return (
    a.selected === b.selected &&
    a.total === b.total &&
    was.name === is.name &&
    was.node?.process === is.node?.process &&
    was.node?.halted === is.node?.halted &&
    was.node?.binary === is.node?.binary &&
    was.validator?.power === is.validator?.power &&
    was.validator?.bond === is.validator?.bond &&
    was.validator?.jailed === is.validator?.jailed &&
    was.validator?.tombstoned === is.validator?.tombstoned &&
    was.validator?.proposer === is.validator?.proposer &&
    faultsOf(was.node) === faultsOf(is.node)
  );
}
