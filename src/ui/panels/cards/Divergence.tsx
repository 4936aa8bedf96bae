import { useEffect, useRef, useState } from "react";
import { useFrameState, usePage } from "../../store/page.ts";
import type { Divergence as Answer, Node } from "../../store/types.ts";
import { count, plural, short } from "../../widgets/format.ts";
import { KeyValue } from "../state/KeyValue.tsx";
import css from "./Divergence.module.css";

const NONE: readonly Node[] = [];
const MORE = 20;

/** The keys in which the states of two nodes differ, with both values. */
export function Divergence({ before, after }: { before: string; after: string }) {
  const nodes = useFrameState(({ frame }) => frame?.nodes ?? NONE);
  const [pair, setPair] = useState({ before, after });
  const [shown, setShown] = useState(MORE);
  const answer = useDivergence(pair.before, pair.after);
  const choice = (side: "before" | "after", label: string) => (
    <label className={css.choice}>
      <span className="soft small">{label}</span>
      <select
        value={pair[side]}
        onChange={({ target }) => {
          setShown(MORE);
          setPair({ ...pair, [side]: target.value });
        }}
      >
        {nodes.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
  return (
    <div className={css.divergence}>
      <div className={css.pair}>
        {choice("before", "What")}
        {choice("after", "holds, and what")}
        <span className="soft small">holds</span>
      </div>
      {answer === undefined ? (
        <p className="soft small">Comparing…</p>
      ) : (
        <Differences pair={pair} answer={answer} shown={shown} />
      )}
      {answer && shown < answer.differences.length && (
        <button type="button" onClick={() => setShown(shown + MORE)}>
          {Math.min(MORE, answer.differences.length - shown)} more of {count(answer.total)}
        </button>
      )}
    </div>
  );
}

interface DifferencesProps {
  pair: { readonly before: string; readonly after: string };
  answer: Answer;
  shown: number;
}

function Differences({ pair, answer, shown }: DifferencesProps) {
  const { differences, total, beforeHeight, afterHeight } = answer;
  if (total === 0) {
    return <p className="small">They have the same state after block {count(beforeHeight)}.</p>;
  }
  return (
    <>
      <p className="small soft" aria-live="polite">
        {plural(total, "key")} {total === 1 ? "differs" : "differ"}
        {beforeHeight !== afterHeight &&
          `; ${pair.before} is at ${count(beforeHeight)} and ${pair.after} at ${count(afterHeight)}`}
        .
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={css.scroll} tabIndex={0} aria-label="Keys that differ">
        <ul className={css.keys}>
          {differences.slice(0, shown).map((one) => (
            <li key={`${one.store}/${one.key}`}>
              <p title={`${one.store} ${one.key}`}>
                <b>{one.store}</b> {one.name || <code>{short(one.key)}</code>}
              </p>
              {(["before", "after"] as const).map((side) => (
                <div key={side} className={css.held}>
                  <span className="soft">{pair[side]}</span>
                  <KeyValue one={one} side={side} />
                </div>
              ))}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

/** Queried again when the state of either node has changed. */
function useDivergence(before: string, after: string): Answer | undefined {
  const { client } = usePage();
  const states = useFrameState(({ frame }) =>
    [before, after]
      .map((name) => frame?.nodes.find((node) => node.name === name)?.appHash)
      .join("/"),
  );
  const at = useFrameState((state) => state.at);
  const [answer, setAnswer] = useState<{ readonly of: string; readonly is: Answer }>();
  const newest = useRef("");
  const of = `${before}/${after}`;
  useEffect(() => {
    if (at === undefined) return;
    const requested = `${of}/${states}/${at}`;
    newest.current = requested;
    client.lab.getDivergence({ before, after }).then(
      (is) => newest.current === requested && setAnswer({ of, is }),
      // A node may disappear with its world.
      () => {},
    );
  }, [client.lab, before, after, of, states, at]);
  return answer?.of === of ? answer.is : undefined;
}
