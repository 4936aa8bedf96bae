import type { WorldComparison } from "../../store/types.ts";
import { count, list, plural } from "../../widgets/format.ts";
import { useNames } from "../../widgets/use-names.ts";
import { shortKey } from "../state/KeyList.tsx";
import { KeyValue } from "../state/KeyValue.tsx";
import css from "./compare.module.css";
import { SidesHead } from "./SidesHead.tsx";

interface KeyDifferencesProps {
  answer: WorldComparison;
  onMore: () => void;
}

/** The keys in which both states differ, formatted by their modules. */
export function KeyDifferences({ answer, onMore }: KeyDifferencesProps) {
  const named = useNames();
  const { state } = answer;
  if (state === undefined) return null;
  const { differences, total, stores } = state;
  return (
    <section className="card" aria-label="Keys that differ">
      <h2>
        {total === 0
          ? "The states are the same"
          : `${plural(total, "key")} of the state differ${total === 1 ? "s" : ""}`}
      </h2>
      {total > 0 && (
        <>
          <p className="soft small">
            {list(stores.map(({ store, changes }) => `${count(changes)} in ${store}`))}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
          <section className={css.scroll} tabIndex={0} aria-label="Keys">
            <table className={css.table}>
              <SidesHead columns={["Store", "Key"]} />
              <tbody>
                {differences.map((one) => {
                  const { store, key, name } = one;
                  return (
                    <tr key={`${store}/${key}`}>
                      <td className="soft">{store}</td>
                      <td title={key}>{named(name) || <code>{shortKey(key)}</code>}</td>
                      <td className={css.a}>
                        <KeyValue one={one} side="before" />
                      </td>
                      <td className={css.b}>
                        <KeyValue one={one} side="after" />
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </section>
          {differences.length < total && (
            <button type="button" onClick={onMore}>
              More of {count(total)}
            </button>
          )}
        </>
      )}
    </section>
  );
}
