import { type CSSProperties, type ReactNode, useRef, useState } from "react";
import css from "./charts.module.css";
import { type Size, useSize } from "./use-size.ts";

interface ChartCardProps {
  title: string;
  /** The chart's message as text, also for screen readers. */
  summary: string;
  chart: (size: Size) => ReactNode;
  columns: readonly string[];
  /** Made only when they are looked at. */
  rows: () => readonly (readonly string[])[];
  /** What is drawn in the colours of the series, in their order. */
  legend?: readonly string[];
}

/** A chart and its twin: the same numbers as a table, one click away. */
export function ChartCard({ title, summary, chart, columns, rows, legend = [] }: ChartCardProps) {
  const [asTable, setAsTable] = useState(false);
  return (
    <section className={`card ${css.card}`} aria-label={title}>
      <header className={css.head}>
        <div>
          <h2>{title}</h2>
          <p className="small soft">{summary}</p>
        </div>
        <button type="button" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? "As a chart" : "As a table"}
        </button>
      </header>
      {asTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section className={css.table} aria-label={`${title}, as a table`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} className="number">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows().map((row) => (
                <tr key={row[0]}>
                  {row.map((cell, i) => (
                    <td key={columns[i]} className="number">
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : (
        <>
          <Sized label={`${title}. ${summary}`} drawn={chart} />
          {legend.length > 0 && (
            <ul className={`small ${css.legend}`}>
              {legend.map((name, i) => (
                <li key={name} style={{ "--key": `var(--series-${i % 8})` } as CSSProperties}>
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

interface SizedProps {
  label: string;
  drawn: (size: Size) => ReactNode;
}

/** An image that is drawn as large as its place is. */
function Sized({ label, drawn }: SizedProps) {
  const place = useRef<HTMLDivElement>(null);
  const size = useSize(place);
  return (
    <div ref={place} className={css.chart} role="img" aria-label={label}>
      {size && drawn(size)}
    </div>
  );
}
