import { useState } from "react";
import { errorText } from "../../../base/error-text.ts";
import SavePicture from "../../pictures/SavePicture.tsx";
import { usePage } from "../../store/page.ts";
import type { FamilyFile, FindingView, NoReturn, ReturnPoint } from "../../store/types.ts";
import { count, percent, plural, sentence } from "../../widgets/format.ts";
import { IntegerField } from "./IntegerField.tsx";
import css from "./lab.module.css";
import { NoReturnChart } from "./NoReturnChart.tsx";
import { caseName, playScenario } from "./open-finding.ts";
import { QuestionBar } from "./QuestionBar.tsx";
import { useQuestion } from "./use-question.ts";

const FUTURES = 50;
const MOST_FUTURES = 1_000;

interface NoReturnCardProps {
  finding: FindingView;
  family: FamilyFile;
}

/** Probability of the end of a finding's case at each of its points. */
export function NoReturnCard({ finding, family }: NoReturnCardProps) {
  const page = usePage();
  const [futures, setFutures] = useState(FUTURES);
  const [answer, setAnswer] = useState<NoReturn>();
  const [untold, setUntold] = useState("");
  const [asTable, setAsTable] = useState(false);
  const query = useQuestion();
  const ask = (): Promise<void> =>
    query.start(async (question) => {
      const { seed, number, ancestors, kind, property } = finding;
      const found = await page.client.lab.findNoReturn({
        ...{ family, seed, number, ancestors, kind, property, futures, question },
      });
      const [first] = found.problems;
      if (first) return `Line ${first.line}: ${first.message}`;
      setAnswer(found);
    });
  const goTo = async ({ scenario }: NoReturn, height: number): Promise<void> => {
    setUntold("");
    try {
      await playScenario(page, scenario, "bad-case.yaml", height);
    } catch (error) {
      setUntold(errorText(error));
    }
  };
  const problem = query.problem || untold;
  const each = answer?.points[0]?.futures ?? futures;
  return (
    <section className={`card ${css.noReturn}`} aria-label="Point of no return">
      <header className={css.cardHead}>
        <h3>Point of no return</h3>
        <span className="small soft">
          from each point, how many of {plural(each, "random continuation")} of case{" "}
          {caseName(finding)} end in this failure
          {answer?.stopped && `, of ${count(futures)} requested`}
        </span>
        {answer && (
          <button type="button" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            Table
          </button>
        )}
      </header>
      <QuestionBar question={query} parts="futures from each point" />
      {!query.underWay && (!answer || answer.stopped) && (
        <div className={css.bounds}>
          <IntegerField
            label="Futures from each point"
            value={futures}
            least={1}
            most={MOST_FUTURES}
            set={setFutures}
          />
          <button type="button" onClick={() => void ask()}>
            {answer ? "Find it again" : "Find it"}
          </button>
        </div>
      )}
      {problem && (
        <p className={css.problem} role="alert">
          {sentence(problem)}
        </p>
      )}
      {answer &&
        (asTable ? (
          <Twin answer={answer} goTo={(height) => void goTo(answer, height)} />
        ) : (
          <div className={css.picture}>
            <NoReturnChart answer={answer} goTo={(height) => void goTo(answer, height)} />
            <SavePicture title="Point of no return" />
          </div>
        ))}
      {answer && <p className={css.cliff}>{cliffOf(answer)}</p>}
    </section>
  );
}

const shareOf = (point: ReturnPoint | undefined): string =>
  point === undefined ? "100 %" : percent(point.ended, point.futures);

/** Returns the step that made the end likely, as a sentence. */
function cliffOf({ points, cliff, unavoidable }: NoReturn): string {
  const point = points[cliff];
  const certain = points[unavoidable];
  const last = certain ? ` From block ${count(certain.height)} on every future ends so.` : "";
  if (point === undefined) return `No command makes a difference: it always ends so.${last}`;
  const what = point.command || "the chain runs on";
  return `At block ${count(point.height)} it goes from ${shareOf(point)} to ${shareOf(points[cliff + 1])}: ${sentence(what)}${last}`;
}

interface TwinProps {
  answer: NoReturn;
  goTo: (height: number) => void;
}

function Twin({ answer, goTo }: TwinProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={css.scroll} aria-label="Point of no return as a table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th className="number">Block</th>
            <th>What is done next</th>
            <th className="number">End so</th>
            <th className="number">Share</th>
          </tr>
        </thead>
        <tbody>
          {answer.points.map((point, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two points of a height may be equal, and the list never changes
            <tr key={i} data-shown={i === answer.cliff || undefined}>
              <td className="number">
                <button type="button" data-link="" onClick={() => goTo(point.height)}>
                  {count(point.height)}
                </button>
              </td>
              <td>{point.command}</td>
              <td className="number">
                {count(point.ended)} of {count(point.futures)}
              </td>
              <td className="number">{shareOf(point)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
