import { useStore } from "zustand";
import { usePage } from "../../../store/page.ts";
import { sentence } from "../../../widgets/format.ts";
import type { LabDocument, OpenLab } from "../document.ts";
import { IntegerField } from "../IntegerField.tsx";
import css from "../lab.module.css";
import { fileOf } from "../open-finding.ts";
import { QuestionBar } from "../QuestionBar.tsx";
import { useQuestion } from "../use-question.ts";
import { AddExpression, ExpressionList } from "./ExpressionList.tsx";
import { type Followed, followingOf, type Heights, type RunFile } from "./follow.ts";
import { SeriesCard } from "./SeriesCard.tsx";
import { useExpressionCheck } from "./use-expression-check.ts";

/** Expressions over the world, and their values at every height of a file's run. */
export default function FollowCard({ lab }: { lab: OpenLab }) {
  const { client } = usePage();
  const following = followingOf(lab, client);
  const followed = useStore(following.store);
  const { expressions, heights, ofFinding, answer } = followed;
  const query = useQuestion();
  const source = useStore(lab.store);
  const of = followedFile(source, followed);
  const { check, refusal, current } = useExpressionCheck(of, expressions);
  const [first] = check?.problems ?? [];
  const isSound = current && check !== undefined && !first && check.wrong.length === 0;
  const set = (change: Partial<Heights>): void =>
    following.store.setState({ heights: { ...heights, ...change } });
  const finding = findingOf(source);
  return (
    <>
      <section className={`card ${css.follow}`} aria-label="Follow a value">
        <header className={css.cardHead}>
          <h3>Follow a value</h3>
          <span className="small soft">what it is at every height of a run</span>
          {finding && (
            <select
              aria-label="The run of"
              value={ofFinding ? "finding" : "file"}
              onChange={({ target }) =>
                following.store.setState({ ofFinding: target.value === "finding" })
              }
            >
              <option value="file">{source.file}, as it is written</option>
              <option value="finding">the finding: {finding.property}</option>
            </select>
          )}
        </header>
        <ExpressionList following={following} check={check} />
        {(first || refusal) && (
          <p className={css.problem} role="alert">
            {first ? `${of.file}, line ${first.line}: ${sentence(first.message)}` : refusal}
          </p>
        )}
        <div className={css.bounds}>
          <AddExpression following={following} check={check} />
          <IntegerField
            label="From block"
            value={heights.from}
            least={0}
            none="beginning"
            set={(from) => set({ from })}
          />
          <IntegerField
            label="To block"
            value={heights.to}
            least={0}
            none="end"
            set={(to) => set({ to })}
          />
          <IntegerField
            label="Every so many"
            value={heights.every}
            least={1}
            set={(every) => set({ every })}
          />
          <span className={css.tools}>
            <button
              type="button"
              data-primary=""
              disabled={!isSound || expressions.length === 0 || query.underWay !== undefined}
              onClick={() => void query.start((question) => following.read(of, question))}
            >
              Follow
            </button>
          </span>
        </div>
        <QuestionBar question={query} parts="the file" />
        {query.problem && (
          <p className={css.problem} role="alert">
            {sentence(query.problem)}
          </p>
        )}
      </section>
      {answer && <SeriesCard answer={answer} source={of.text} />}
    </>
  );
}

const findingOf = ({ search, finding }: LabDocument) =>
  search?.findings[finding] ?? search?.findings[0];

/** The file to run: the edited one, or the story of the selected finding. */
function followedFile(source: LabDocument, { ofFinding }: Followed): RunFile {
  const finding = ofFinding ? findingOf(source) : undefined;
  return finding
    ? { text: finding.scenario, file: fileOf(finding) }
    : { text: source.text, file: source.file };
}
