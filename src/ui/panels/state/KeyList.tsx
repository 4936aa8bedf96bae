import { useDeferredValue, useState } from "react";
import type { StoreKeys } from "../../store/types.ts";
import { count, grouped } from "../../widgets/format.ts";
import { ListTools } from "../../widgets/ListTools.tsx";
import { found } from "../../widgets/search.ts";
import { useNames } from "../../widgets/use-names.ts";
import { useStateAnswer } from "./ask-state.ts";
import { lineOf } from "./entry-text.ts";
import css from "./KeyList.module.css";

const ON_A_PAGE = 100;

interface KeyListProps {
  store: string;
  height: number;
  chosen: string;
  onChoose: (key: string) => void;
}

/** The searchable keys of a store, in hex and as text. */
export function KeyList({ store, height, chosen, onChoose }: KeyListProps) {
  const [query, setQuery] = useState("");
  const search = useDeferredValue(query).trim();
  const [page, setPage] = useState(0);
  const offset = page * ON_A_PAGE;
  const { answer, problem } = useStateAnswer<StoreKeys>({
    about: `keys ${store} ${page} ${search}`,
    height,
    query: (lab) => lab.getStoreKeys({ store, search, offset, limit: ON_A_PAGE }),
  });
  const named = useNames();
  const keys = answer?.keys ?? [];
  const total = answer?.total ?? 0;
  const missing = answer?.missing;
  const pages = Math.ceil(total / ON_A_PAGE);
  return (
    <section className={`card ${css.keys}`} aria-label={`Keys of ${store}`}>
      <ListTools
        of="keys"
        query={query}
        onQuery={(next) => {
          setQuery(next);
          setPage(0);
        }}
        found={found(keys.length, total)}
        copied={() => keys.map(({ key, name, text }) => [key, name, text].join("\t")).join("\n")}
      >
        {pages > 1 && (
          <>
            <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>
              Before
            </button>
            <span className="soft small">
              {count(offset + 1)} to {count(offset + keys.length)}
            </span>
            <button type="button" disabled={page + 1 >= pages} onClick={() => setPage(page + 1)}>
              Next
            </button>
          </>
        )}
      </ListTools>
      {problem && <p role="alert">{problem}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={css.scroll} tabIndex={0} aria-label="List of keys">
        <table>
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">Means</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {keys.map(({ key, name, text, size }) => (
              <tr key={key} data-chosen={key === chosen || undefined}>
                <td>
                  <button
                    type="button"
                    data-link=""
                    className="mono"
                    aria-pressed={key === chosen}
                    title={key}
                    onClick={() => onChoose(key)}
                  >
                    {shortKey(key)}
                  </button>
                </td>
                <td className={css.name} title={named(name)}>
                  {named(name)}
                </td>
                <td className={css.value}>
                  {text === "" ? (
                    <span className="faint">{size === 0 ? "empty" : `${count(size)} bytes`}</span>
                  ) : (
                    grouped(named(lineOf(text)))
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {answer && total === 0 && (
          <p className="soft small">{search ? "No key matches." : "This store has no keys."}</p>
        )}
        {missing && (
          <p className="small">
            <b>{named(missing.name) || `key ${shortKey(missing.key)}`}</b> is not there.{" "}
            <button type="button" data-link="" onClick={() => onChoose(missing.key)}>
              Show the proof
            </button>
          </p>
        )}
      </section>
    </section>
  );
}

/** `21 14 7f65…84b2`: the start of a key, and its end. */
export const shortKey = (key: string): string =>
  key.length > 12
    ? `${key.slice(0, 2)} ${key.slice(2, 8)}…${key.slice(-4)}`
    : key.replace(/^(..)(.)/, "$1 $2");
