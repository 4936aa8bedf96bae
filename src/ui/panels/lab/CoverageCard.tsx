import { useMemo, useState } from "react";
import { usePage } from "../../store/page.ts";
import type { Coverage, OutcomeView } from "../../store/types.ts";
import { count, plural, sentence } from "../../widgets/format.ts";
import type { OpenLab } from "./document.ts";
import css from "./lab.module.css";
import { QuestionBar } from "./QuestionBar.tsx";
import { useQuestion } from "./use-question.ts";

type Of = "bundled" | "this";

/** Outcomes that a set of files reaches, how often, and suggestions to reach the others. */
export function CoverageCard({ lab }: { lab: OpenLab }) {
  const { client } = usePage();
  const [answer, setAnswer] = useState<Coverage & { of: string }>();
  const query = useQuestion();
  const ask = (of: Of): Promise<void> =>
    query.start(async (question) => {
      const { text, file } = lab.store.getState();
      const files = of === "this" ? [{ text, file }] : await bundled();
      const found = await client.lab.findCoverage({ files, question });
      setAnswer({ ...found, of: of === "this" ? file : ofBundled(found.files, files.length) });
    });
  const reached = answer?.outcomes.filter(({ files }) => files > 0).length ?? 0;
  return (
    <section className={`card ${css.coverage}`} aria-label="Coverage">
      <header className={css.cardHead}>
        <h3>Outcomes reached</h3>
        {answer && (
          <span data-testid="reached">
            <b>{count(reached)}</b> of {count(answer.outcomes.length)} by {answer.of}
          </span>
        )}
        <span className={css.tools}>
          <button
            type="button"
            disabled={query.underWay !== undefined}
            onClick={() => void ask("this")}
          >
            By this file
          </button>
          <button
            type="button"
            disabled={query.underWay !== undefined}
            onClick={() => void ask("bundled")}
          >
            By all bundled scenarios
          </button>
        </span>
      </header>
      {query.problem && (
        <p className={css.problem} role="alert">
          {sentence(query.problem)}
        </p>
      )}
      <QuestionBar question={query} parts="files" />
      {!answer && !query.underWay && (
        <p className="soft">
          Every error, halt cause, end of evidence and of proposals, result of a sidecar and row of
          the profile is an outcome with a name. The files are run to their end to see which of them
          they reach.
        </p>
      )}
      {answer && <Reached answer={answer} reached={reached} />}
    </section>
  );
}

/** The outcomes, all or those searched for, and the problems of the files. */
function Reached({ answer, reached }: { answer: Coverage; reached: number }) {
  const [wanted, setWanted] = useState("");
  const [missing, setMissing] = useState(false);
  const rows = useMemo(
    () =>
      answer.outcomes.filter((outcome) => has(outcome, wanted) && !(missing && outcome.files > 0)),
    [answer, wanted, missing],
  );
  return (
    <>
      <progress
        className={css.bar}
        aria-label="Outcomes reached"
        max={answer.outcomes.length}
        value={reached}
      />
      {answer.problems.map((each) => (
        <p key={each} className={css.problem}>
          {each}
        </p>
      ))}
      <div className={css.bounds}>
        <label className={css.whole}>
          Find
          <input
            type="search"
            value={wanted}
            placeholder="slashing, halt, vote…"
            onChange={({ target }) => setWanted(target.value)}
          />
        </label>
        <label className={css.tick}>
          <input
            type="checkbox"
            checked={missing}
            onChange={({ target }) => setMissing(target.checked)}
          />
          Only what is not reached
        </label>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={css.scroll} aria-label="Outcomes" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Outcome</th>
              <th className="number">Files</th>
              <th>Reached by</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, words, files, by, reachable, reachedIn }) => (
              <tr key={name}>
                <td>
                  {words}
                  <br />
                  <code className="soft">{name}</code>
                </td>
                <td className="number">{files === 0 ? "–" : count(files)}</td>
                <td className={files === 0 ? "" : "soft"}>
                  {files === 0
                    ? `${reachable ? "would be by" : "not by a scenario"}: ${by}`
                    : `${reachedIn.slice(0, 2).join(", ")}${files > 2 ? ", …" : ""}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** Returns how many of the bundled scenarios were run, as text. */
const ofBundled = (ran: number, all: number): string =>
  ran < all
    ? `${count(ran)} of ${plural(all, "bundled scenario")}, where it was stopped`
    : plural(all, "bundled scenario");

/** True if an outcome has every word of the search. */
const has = ({ name, words, by }: OutcomeView, wanted: string): boolean => {
  const text = `${name} ${words} ${by}`.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

/** All bundled scenarios. Rejects if one cannot be loaded. */
async function bundled(): Promise<{ text: string; file: string }[]> {
  const read = async (file: string): Promise<Response> => {
    const answer = await fetch(`scenarios/${file}`);
    if (!answer.ok) throw new Error(`${file} could not be read (${answer.status})`);
    return answer;
  };
  const listed = (await (await read("index.json")).json()) as readonly { readonly file: string }[];
  return Promise.all(
    listed.map(async ({ file }) => ({ file, text: await (await read(file)).text() })),
  );
}
