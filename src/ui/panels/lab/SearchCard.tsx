import { useState } from "react";
import { useStore } from "zustand";
import type { Search, SearchGuide } from "../../store/types.ts";
import { count, plural, sentence } from "../../widgets/format.ts";
import { type Bounds, isUnderWay, type OpenLab } from "./document.ts";
import { IntegerField } from "./IntegerField.tsx";
import css from "./lab.module.css";

/** Messages for the ends of a search. */
const ENDS: Readonly<Record<string, string>> = {
  found: "Ended: it found what it looked for.",
  held: "Ended: nothing was found.",
  stopped: "Stopped.",
};

/** The search: its limits, its progress, and the results of its cases. */
export function SearchCard({ lab }: { lab: OpenLab }) {
  const { bounds, search, check } = useStore(lab.store);
  const [starting, setStarting] = useState(false);
  const goesOn = isUnderWay(search);
  const set = (change: Partial<Bounds>): void =>
    lab.store.setState({ bounds: { ...bounds, ...change } });
  const start = async (): Promise<void> => {
    setStarting(true);
    await lab.start();
    setStarting(false);
  };
  return (
    <section className={`card ${css.search}`} aria-label="Search">
      <header className={css.bounds}>
        <h3>Search</h3>
        {!goesOn && (
          <>
            <IntegerField
              label="Seed"
              value={bounds.seed}
              least={0}
              set={(seed) => set({ seed })}
            />
            <IntegerField
              label="Cases at most"
              value={bounds.runs}
              least={0}
              none="no limit"
              set={(runs) => set({ runs })}
            />
            <IntegerField
              label="Seconds at most"
              value={bounds.seconds}
              least={0}
              most={86_400}
              none="no limit"
              set={(seconds) => set({ seconds })}
            />
            <label className={css.tick}>
              <input
                type="checkbox"
                checked={bounds.all}
                onChange={({ target }) => set({ all: target.checked })}
              />
              Go on after a finding
            </label>
            <label
              className={css.tick}
              title="Three in four cases are mutations of earlier ones that reached something new"
            >
              <input
                type="checkbox"
                checked={bounds.guided}
                onChange={({ target }) => set({ guided: target.checked })}
              />
              Coverage-guided
            </label>
          </>
        )}
        <span className={css.tools}>
          {search && goesOn && (
            <span className="small soft">{plural(search.workers, "worker")}</span>
          )}
          {goesOn ? (
            <button type="button" onClick={() => void lab.stop()}>
              Stop
            </button>
          ) : (
            <button
              type="button"
              data-primary=""
              disabled={check === undefined}
              aria-busy={starting || undefined}
              onClick={() => starting || void start()}
            >
              Search
            </button>
          )}
        </span>
      </header>
      {search && search.state !== "" && <Progress search={search} />}
    </section>
  );
}

/** Progress of a guided search. */
function Learned({ guide, outcomes }: { guide: SearchGuide; outcomes: number }) {
  const { features, corpus, generations, quiet } = guide;
  const last = quiet === 0 ? "" : `, nothing new in the last ${count(quiet)}`;
  return (
    <p className="small soft">
      {plural(features, "feature")} and {plural(outcomes, "outcome")} reached,{" "}
      {plural(corpus, "case")} in the corpus, {plural(generations, "generation")}
      {last}
    </p>
  );
}

function Progress({ search }: { search: Search }) {
  const { state, done, of, seconds, mostSeconds, violated, properties, seed, problem } = search;
  const { unfinished, firstUnfinished, unsound, unasked } = search;
  const share = Math.max(
    of === 0 ? 0 : done / of,
    mostSeconds === 0 ? 0 : Math.min(1, seconds / mostSeconds),
  );
  return (
    <div className={css.progress}>
      <dl className={css.numbers}>
        <div>
          <dd>{count(done)}</dd>
          <dt>{of === 0 ? "cases" : `of ${count(of)} cases`}</dt>
        </div>
        <div>
          <dd>{seconds > 0 ? count(done / seconds) : "–"}</dd>
          <dt>a second</dt>
        </div>
        <div>
          <dd>{seconds.toFixed(1)} s</dd>
          <dt>{mostSeconds === 0 ? `seed ${seed}` : `of ${count(mostSeconds)} s, seed ${seed}`}</dt>
        </div>
      </dl>
      <div className={css.far}>
        <progress
          className={css.bar}
          aria-label="Searched"
          value={isUnderWay(search) ? share : 1}
        />
        <p className="small soft" role="status">
          {state === "running" && "Drawing cases and running them…"}
          {state === "shrinking" && "Making the story shorter…"}
          {ENDS[state] ?? ""}
          {state === "failed" && problem}
        </p>
        {search.guide && <Learned guide={search.guide} outcomes={search.outcomes.length} />}
      </div>
      <ul className={css.tally} aria-label="What the cases came to">
        <li data-tone="ok">
          <span>{unfinished > 0 ? "holds to its end" : "holds"}</span>
          <b>{count(Math.max(0, done - violated - unfinished - unsound))}</b>
        </li>
        {properties.map(({ name, kind, cases }) => (
          <li key={`${kind} ${name}`} data-tone="bad">
            <span>
              {kind}: {name}
            </span>
            <b>{count(cases)}</b>
          </li>
        ))}
        {unfinished > 0 && (
          <li data-tone="warn">
            <span>
              holds up to a step that could not be done
              {firstUnfinished && (
                <span className={`small ${css.why}`}>
                  The first is case {count(firstUnfinished.number)}, at its step{" "}
                  {firstUnfinished.step + 1}: {sentence(firstUnfinished.message)}
                </span>
              )}
            </span>
            <b>{count(unfinished)}</b>
          </li>
        )}
        {unsound > 0 && (
          <li data-tone="off">
            <span>no sound scenario: did not run</span>
            <b>{count(unsound)}</b>
          </li>
        )}
        {unasked
          .filter((name) => !search.unreached.includes(name))
          .map((name) => (
            <li key={name} data-tone="warn">
              <span>{name}</span>
              <b>decided in no case</b>
            </li>
          ))}
        {search.unreached.map((name) => (
          <li key={name} data-tone="warn">
            <span>sometimes: {name}</span>
            <b>never yet</b>
          </li>
        ))}
      </ul>
    </div>
  );
}
