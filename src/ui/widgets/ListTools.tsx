import type { ReactNode } from "react";
import css from "./ListTools.module.css";
import { saveTable } from "./save-table.ts";
import { useCopy } from "./use-copy.ts";

interface ListToolsProps {
  /** Plural noun of the list's entries: “validators”. */
  of: string;
  query: string;
  onQuery: (query: string) => void;
  /** Number of entries shown and in total, as text. */
  found: string;
  /** Returns the visible list as text; called when it is copied. */
  copied: () => string;
  /** The same as a table with a header, if it can be saved as one; built on demand. */
  table?: () => readonly (readonly (string | number)[])[];
  /** Filters and orders. */
  children?: ReactNode;
  className?: string | undefined;
}

/** The search field of a list, its filters, and a button that copies the visible entries. */
export function ListTools(props: ListToolsProps) {
  const { of, query, onQuery, found, copied, table, children, className = "" } = props;
  const copy = useCopy();
  return (
    <search aria-label={of} className={`${css.tools} ${className}`}>
      <input
        type="search"
        aria-label={`Search ${of}`}
        placeholder={`Search ${of}`}
        value={query}
        onChange={(event) => onQuery(event.target.value)}
      />
      {children}
      <span className={css.found} role="status">
        {found}
        <span className="hidden"> {of} found</span>
      </span>
      <button
        type="button"
        aria-label={`Copy the ${of} shown`}
        onClick={() => copy(copied(), `${found} ${of}`)}
      >
        Copy
      </button>
      {table && (
        <button
          type="button"
          aria-label={`Save the ${of} shown as CSV`}
          onClick={() => saveTable(of, table())}
        >
          CSV
        </button>
      )}
    </search>
  );
}
