import type { ComparedSides } from "../../store/dialog.ts";
import type { WorldComparison } from "../../store/types.ts";
import { count, grouped, plural, short } from "../../widgets/format.ts";
import { OnDemand } from "../../widgets/OnDemand.tsx";
import { useNames } from "../../widgets/use-names.ts";
import css from "./compare.module.css";
import type { compareTable, Row } from "./rows.ts";
import { SidesHead } from "./SidesHead.tsx";
import { WhyBothButton } from "./WhyBothButton.tsx";

interface DifferencesProps {
  title: string;
  answer: WorldComparison;
  table: ReturnType<typeof compareTable>;
  /** Both sides at their heights, for explanations of a difference. */
  sides: ComparedSides | undefined;
}

/** Differences at these heights: chain, validators, nodes, proposals, transactions and events. */
export function Differences({ title, answer, table, sides }: DifferencesProps) {
  const { blocks } = answer;
  const { rows, folded, same } = table;
  const events = blocks?.events ?? [];
  const none = rows.length + folded.length === 0;
  return (
    <section className="card" aria-label="What differs">
      <h2>
        {title}: {none ? "nothing differs" : plural(rows.length, "difference")}
      </h2>
      {rows.length > 0 && <Table rows={rows} label="Differences" sides={sides} />}
      {folded.length > 0 && (
        <OnDemand
          title={`${count(folded.length)} that follow from others: hashes, times, missed blocks`}
        >
          {() => <Table rows={folded} label="Differences that follow from others" />}
        </OnDemand>
      )}
      {events.length > 0 && (
        <OnDemand
          title={`${plural(blocks?.differingEvents ?? 0, "event")} of this block that one has more often`}
        >
          {() => (
            <Table
              label="Events that differ"
              rows={events.map(({ type, attributes, a, b }) => ({
                about: type,
                what: attributes.join(" "),
                a: times(a),
                b: times(b),
              }))}
            />
          )}
        </OnDemand>
      )}
      {!none && same.length > 0 && <p className="soft small">The same: {same.join(", ")}.</p>}
    </section>
  );
}

const times = (n: number): string => (n === 0 ? "none" : n === 1 ? "once" : `${n} times`);

const HASH = /^[0-9A-F]{40,}$/;

interface TableProps {
  rows: readonly Row[];
  label: string;
  sides?: ComparedSides | undefined;
}

function Table({ rows, label, sides }: TableProps) {
  const named = useNames();
  const shown = (value: string) =>
    HASH.test(value) ? <code title={value}>{short(value)}</code> : grouped(named(value));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={css.scroll} tabIndex={0} aria-label={label}>
      <table className={css.table}>
        <SidesHead columns={["Of", "What"]} />
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.about} ${row.what}`}>
              <td className="soft">{row.about}</td>
              <td>
                {grouped(named(row.what))}{" "}
                {row.why && sides && (
                  <WhyBothButton {...row.why} of={row.about} sides={sides} inline />
                )}
              </td>
              <td className={css.a}>{shown(row.a)}</td>
              <td className={css.b}>{shown(row.b)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
