import { type CSSProperties, memo, type ReactNode, useRef, useState } from "react";
import { drawnElement } from "../pictures/drawn.ts";
import { useOnScreen } from "../pictures/on-screen.ts";
import { type Drawn, stacked } from "../pictures/picture.ts";
import { saveFile } from "../widgets/save-file.ts";
import { type Size, useSize } from "../widgets/use-size.ts";
import { useVisibleRows } from "../widgets/use-visible-rows.ts";
import { type ChartTable, csvOf } from "./chart-table.ts";
import css from "./charts.module.css";

interface ChartCardProps {
  title: string;
  /** The chart's message as text, also for screen readers. */
  summary: string;
  /** Must be the same function as long as it draws the same. */
  chart: (size: Size) => ReactNode;
  table: ChartTable;
  /** The drawn series with their colours. */
  legend?: readonly LegendEntry[];
  /** Draws the chart for saving; as on screen by default. */
  drawn?: () => Drawn;
  /** Controls that select the drawn data. */
  children?: ReactNode;
  /** As wide as the whole row of charts. */
  wide?: boolean;
  /** Height of the chart, if it does not fill its container. */
  height?: number;
  /** True if there is nothing to draw yet. */
  empty?: boolean;
  /** Called with a height pressed in the table, whose rows start with heights. */
  onHeight?: (height: number) => void;
}

export interface LegendEntry {
  readonly name: string;
  readonly color: string;
}

/** A chart with its data as a table, one click away; either can be saved. */
export function ChartCard(props: ChartCardProps) {
  const { title, summary, chart, table, legend = [], drawn, children, wide, empty, height } = props;
  const [asTable, setAsTable] = useState(false);
  const card = useRef<HTMLElement>(null);
  const { part } = table;
  const name = title.toLowerCase().replaceAll(" ", "-");
  const file = part ? `${name}-${part.some}-of-${part.all}-blocks` : name;
  const announced = useRef<HTMLParagraphElement>(null);
  const key = useRef<HTMLUListElement>(null);
  const asItStands = (): Drawn | undefined => {
    if (!drawn) return card.current ? drawnElement(card.current) : undefined;
    const [above, below] = [announced, key].map(({ current }) =>
      current ? [drawnElement(current)] : [],
    );
    return stacked([...(above ?? []), drawn(), ...(below ?? [])]);
  };
  const save = useOnScreen(title, empty || asTable ? undefined : asItStands, card);
  return (
    <section
      ref={card}
      className={`card ${css.card} ${height === undefined ? "" : css.fixed}`}
      style={{ "--height": height && `${height}px` } as CSSProperties}
      aria-label={title}
      data-wide={wide || undefined}
      data-empty={empty || undefined}
    >
      <header className={css.head} data-control="">
        <h2>{title}</h2>
        {!empty && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset's frame and legend have no place in a heading
          <div className={css.tools} role="group" aria-label={`${title}: show and save`}>
            <button type="button" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
              {asTable ? "As a chart" : "As a table"}
            </button>
            <button
              type="button"
              aria-label="Save the numbers as CSV"
              onClick={() => saveFile(`${file}.csv`, csvOf(table), "text/csv")}
            >
              CSV
            </button>
            <button
              type="button"
              disabled={asTable}
              aria-label="Save the picture as SVG"
              onClick={() => save("svg")}
            >
              SVG
            </button>
            <button
              type="button"
              disabled={asTable}
              aria-label="Save the picture as PNG"
              onClick={() => save("png")}
            >
              PNG
            </button>
          </div>
        )}
      </header>
      <p ref={announced} className={`small soft ${css.summary}`}>
        {summary}
      </p>
      {children}
      {!empty && asTable && <Twin title={title} table={table} onHeight={props.onHeight} />}
      {!empty && !asTable && (
        <>
          <Sized drawn={chart} />
          {legend.length > 0 && (
            <ul ref={key} className={`small ${css.legend}`}>
              {legend.map(({ name, color }) => (
                <li key={name} style={{ "--key": color } as CSSProperties}>
                  {name}
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </section>
  );
}

interface TwinProps {
  title: string;
  table: ChartTable;
  onHeight: ChartCardProps["onHeight"];
}

/** The table; of a long one only the visible rows are rendered. */
function Twin({ title, table, onHeight }: TwinProps) {
  const { columns, rows, lastFirst } = table;
  const scroller = useRef<HTMLElement>(null);
  const all = lastFirst ? rows().toReversed() : rows();
  const visible = useVisibleRows(scroller, all.length);
  return (
    <section
      ref={scroller}
      className={css.table}
      aria-label={`${title}, as a table`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
    >
      <table aria-rowcount={all.length + 1}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} className="number">
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {visible.above > 0 && <tr style={{ height: visible.above }} />}
          {all.slice(visible.from, visible.to).map((row) => (
            <tr key={row[0]}>
              {columns.map(({ title, show }, i) => (
                <td key={title} className="number">
                  {i === 0 && onHeight ? (
                    <button type="button" data-link="" onClick={() => onHeight(Number(row[0]))}>
                      {show(row[0] ?? "")}
                    </button>
                  ) : (
                    show(row[i] ?? "")
                  )}
                </td>
              ))}
            </tr>
          ))}
          {visible.below > 0 && <tr style={{ height: visible.below }} />}
        </tbody>
      </table>
    </section>
  );
}

/**
 * A chart in the size of its container, redrawn only when the size or `drawn` changes. The arrow
 * keys move along it and do nothing else there.
 */
const Sized = memo(({ drawn }: { drawn: (size: Size) => ReactNode }) => {
  const place = useRef<HTMLDivElement>(null);
  const size = useSize(place);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what it contains has the focus
    <div
      ref={place}
      className={css.chart}
      onKeyDown={(event) => {
        if (MOVES.has(event.key)) event.preventDefault();
      }}
    >
      {size && drawn(size)}
    </div>
  );
});

const MOVES: ReadonlySet<string> = new Set(["ArrowLeft", "ArrowRight"]);
