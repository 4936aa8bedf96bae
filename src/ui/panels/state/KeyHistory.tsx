import { useState } from "react";
import { usePage } from "../../store/page.ts";
import { hrefTo } from "../../store/route.ts";
import type { KeyHistory as History, KeyChange } from "../../store/types.ts";
import { count, grouped, plural, short } from "../../widgets/format.ts";
import { useNames } from "../../widgets/use-names.ts";
import { queryAt, useStateAnswer } from "./ask-state.ts";
import { changedFields, fieldsOf, numberIn } from "./entry-text.ts";
import css from "./KeyHistory.module.css";
import { StepChart } from "./StepChart.tsx";
import { useTampered } from "./use-tampered.ts";

/** Each may require a state to be recomputed. */
const AT_ONCE = 10;

interface KeyHistoryProps {
  store: string;
  /** The key. */
  of: string;
  height: number;
}

/** The blocks that changed a key, newest first, and the number in its value as a step chart. */
export function KeyHistory({ store, of: key, height }: KeyHistoryProps) {
  const { client } = usePage();
  const tampered = useTampered();
  const ask = (at: number): Promise<History> =>
    queryAt(client, at, (lab) => lab.getKeyHistory({ store, key, limit: AT_ONCE }));
  const { answer, problem, waiting } = useStateAnswer<History>({
    about: `history ${store} ${key}`,
    height,
    query: () => ask(height),
  });
  const [older, setOlder] = useState<{ readonly of: History; readonly is: History }>();
  const [asking, setAsking] = useState(false);
  const more = older && older.of === answer ? older.is : undefined;
  const known = more ?? answer;
  const changes = [...(answer?.changes ?? []), ...(more?.changes ?? [])];
  const askOlder = async (): Promise<void> => {
    if (answer === undefined || known === undefined) return;
    setAsking(true);
    await ask(known.since - 1).then(
      (next) =>
        setOlder({
          of: answer,
          is: { ...next, changes: [...(more?.changes ?? []), ...next.changes] },
        }),
      // It can be requested again.
      () => {},
    );
    setAsking(false);
  };
  const field = fieldThatChanges(changes);
  const points = changes.flatMap((change) => {
    const value = numberIn(change.text, field ?? "");
    return value === undefined ? [] : [{ height: change.height, value }];
  });
  return (
    <div className={css.history}>
      <h3>History</h3>
      {problem && <p className="soft">{problem}</p>}
      {waiting && changes.length === 0 && <p className="soft small">Reading…</p>}
      {field !== undefined && points.length > 1 && (
        <StepChart title={field || "value"} points={points.reverse()} last={height} />
      )}
      {known?.complete && changes.length === 0 && (
        <p className="soft small">No block up to {count(height)} ever wrote it.</p>
      )}
      <table hidden={changes.length === 0}>
        <thead>
          <tr>
            <th scope="col">After block</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change, i) => (
            <tr key={change.height}>
              <td>
                <Where
                  height={change.height}
                  first={known?.complete && i === changes.length - 1}
                  byHand={tampered.some(
                    (each) =>
                      each.height === change.height - 1 && each.store === store && each.key === key,
                  )}
                />
              </td>
              <td>
                {changes.length === 1 && change.present ? (
                  <span className="soft">as it is now</span>
                ) : (
                  <Became change={change} before={changes[i + 1]} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {known && !known.complete && (
        <p className="small">
          <button type="button" data-link="" disabled={asking} onClick={askOlder}>
            Look further back than block {count(known.since)}
          </button>
        </p>
      )}
    </div>
  );
}

interface WhereProps {
  height: number;
  first: boolean | undefined;
  /** True if the value was edited manually before that block. */
  byHand: boolean;
}

function Where({ height, first, byHand }: WhereProps) {
  if (first && height === 0) return "genesis";
  if (byHand) return `changed by hand before ${count(height)}`;
  return <a href={hrefTo({ selection: { kind: "block", id: String(height) } })}>{count(height)}</a>;
}

/** The result of a change: the fields that differ from the previous value, or all of them. */
function Became({ change, before }: { change: KeyChange; before: KeyChange | undefined }) {
  const named = useNames();
  if (!change.present) return <span className="faint">no such key</span>;
  const fields = before?.present ? changedFields(before.text, change.text) : fieldsOf(change.text);
  if (fields.length === 0) {
    return (
      <code title={change.value}>{change.value === "" ? "nothing" : short(change.value)}</code>
    );
  }
  return (
    <ul>
      {fields.slice(0, MOST).map(({ name, value }) => (
        <li key={name}>
          {name && <span className="soft">{name} </span>}
          {grouped(named(value))}
        </li>
      ))}
      {fields.length > MOST && (
        <li className="faint">and {plural(fields.length - MOST, "more field")}</li>
      )}
    </ul>
  );
}

const MOST = 4;

/** Minimum of numbers that count as an amount or a height rather than one of a few states. */
const GREAT = 100;

/**
 * The number field to draw: one that changes, amounts before states; empty if the value itself is a
 * number.
 */
function fieldThatChanges(changes: readonly KeyChange[]): string | undefined {
  const texts = changes.filter(({ present }) => present).map(({ text }) => text);
  const [newest = ""] = texts;
  const changing = fieldsOf(newest).flatMap(({ name }) => {
    const values = texts.map((text) => numberIn(text, name) ?? Number.NaN);
    const varies = !values.some(Number.isNaN) && new Set(values).size > 1;
    return varies ? [{ name, most: Math.max(...values) }] : [];
  });
  return (changing.find(({ most }) => most >= GREAT) ?? changing[0])?.name;
}
