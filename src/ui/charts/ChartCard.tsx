import { type ReactNode, useState } from "react";
import css from "./charts.module.css";

interface ChartCardProps {
  title: string;
  /** The chart's message in words, also for those who do not see it. */
  summary: string;
  chart: ReactNode;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** A chart and its twin: the same numbers as a table, one click away. */
export function ChartCard({ title, summary, chart, columns, rows }: ChartCardProps) {
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
              {rows.map((row) => (
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
        <div className={css.chart} role="img" aria-label={`${title}. ${summary}`}>
          {chart}
        </div>
      )}
    </section>
  );
}
