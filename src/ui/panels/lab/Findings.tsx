import { type Ref, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { usePage } from "../../store/page.ts";
import { goTo } from "../../store/route.ts";
import type { FindingView } from "../../store/types.ts";
import { count, plural, sentence } from "../../widgets/format.ts";
import { Icon } from "../../widgets/Icon.tsx";
import { saveFile } from "../../widgets/save-file.ts";
import { useAttempt } from "../../widgets/use-attempt.ts";
import { scenarioOf } from "../scenario/document.ts";
import { isUnderWay, type OpenLab } from "./document.ts";
import css from "./lab.module.css";
import { NoReturnCard } from "./NoReturnCard.tsx";
import { caseName, compareFinding, fileOf, openFinding } from "./open-finding.ts";

const WITHOUT: Readonly<Record<string, string>> = { violated: "does not hold either" };

/** The findings of a search, one at a time. */
export function Findings({ lab }: { lab: OpenLab }) {
  const { search, finding: at } = useStore(lab.store);
  const shown = useAwaited(lab);
  const findings = search?.findings ?? [];
  const finding = findings[at] ?? findings[0];
  if (finding === undefined || search === undefined)
    return (
      <section className="card" aria-label="Findings">
        <h3>Findings</h3>
        <p className="soft">
          {isUnderWay(search)
            ? "Nothing yet."
            : search?.state === "held"
              ? `In ${plural(search.done, "case")} everything held.`
              : "A search draws cases of the file and runs them. Counterexamples are shrunk and listed here."}
        </p>
      </section>
    );
  return (
    <>
      {findings.length > 1 && <Table lab={lab} findings={findings} shown={finding} />}
      <Finding
        key={`${finding.kind} ${finding.property} ${finding.number}`}
        ref={shown}
        finding={finding}
      />
      {search.family && (
        <NoReturnCard key={finding.scenario} finding={finding} family={search.family} />
      )}
    </>
  );
}

/** Scrolls to the first finding of a search started here, unless the user is typing. */
function useAwaited(lab: OpenLab): Ref<HTMLElement> {
  const { search, isAwaited } = useStore(lab.store);
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isAwaited || search === undefined) return;
    const isFound = search.findings.length > 0;
    const writes = document.activeElement?.matches("[contenteditable]");
    if (isFound && !writes) ref.current?.scrollIntoView({ block: "nearest" });
    if (isFound || !isUnderWay(search)) lab.store.setState({ isAwaited: false });
  }, [lab, search, isAwaited]);
  return ref;
}

interface TableProps {
  lab: OpenLab;
  findings: readonly FindingView[];
  shown: FindingView;
}

function Table({ lab, findings, shown }: TableProps) {
  return (
    <section className="card" aria-label="All findings">
      <table>
        <thead>
          <tr>
            <th>Property</th>
            <th className="number">Case</th>
            <th className="number">Steps</th>
            <th className="number">Block</th>
          </tr>
        </thead>
        <tbody>
          {findings.map((each, i) => (
            <tr key={`${each.kind} ${each.property}`} data-shown={each === shown || undefined}>
              <td>
                <button
                  type="button"
                  data-link=""
                  aria-pressed={each === shown}
                  onClick={() => lab.store.setState({ finding: i })}
                >
                  {each.kind}: {each.property}
                </button>
              </td>
              <td className="number">{caseName(each)}</td>
              <td className="number">{each.steps.length}</td>
              <td className="number">{count(each.height)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Finding({ finding, ref }: { finding: FindingView; ref: Ref<HTMLElement> }) {
  const page = usePage();
  const { kind, property, height, message, seed, steps, stepsBefore, log } = finding;
  const { busy, problem, attempt } = useAttempt();
  const [showsLog, setShowsLog] = useState(false);
  return (
    <section ref={ref} className={`card ${css.finding}`} aria-label="Finding">
      <header className={css.verdict}>
        <div>
          <h3 className={css.say}>
            {kind}: {property}. {plural(steps.length, "step")} {steps.length === 1 ? "is" : "are"}{" "}
            enough.
          </h3>
          <p>{sentence(message)}</p>
          <p className="small soft">
            Case {caseName(finding)} of seed {seed}
          </p>
        </div>
        <div className={css.tools}>
          <button
            type="button"
            onClick={() => saveFile(fileOf(finding), finding.scenario, "application/yaml")}
          >
            Save as scenario
          </button>
          <button
            type="button"
            onClick={() => {
              scenarioOf(page).open(fileOf(finding), finding.scenario);
              goTo({ view: "scenario" });
            }}
          >
            Edit
          </button>
          <button
            type="button"
            data-primary=""
            aria-busy={busy || undefined}
            onClick={() => void attempt(() => openFinding(page, finding, height))}
          >
            Open at block {count(height)}
          </button>
        </div>
      </header>
      {problem && (
        <p className={css.problem} role="alert">
          {problem}
        </p>
      )}
      <header className={css.cardHead}>
        <h3>
          Shrunk from {plural(stepsBefore, "step")} to {steps.length}
        </h3>
        <span className="small soft">with the result if that step is left out</span>
        <button type="button" aria-pressed={showsLog} onClick={() => setShowsLog(!showsLog)}>
          Shrink log
        </button>
      </header>
      {showsLog ? <ShrinkLog log={log} /> : <Steps steps={steps} />}
      {finding.counterfactual && (
        <p className={css.counterfactual}>
          <b>{sentence(finding.counterfactual)}</b>
          {finding.counterfactualScenario && (
            <button
              type="button"
              aria-busy={busy || undefined}
              onClick={() => void attempt(() => compareFinding(page, finding))}
            >
              Compare the two
            </button>
          )}
        </p>
      )}
    </section>
  );
}

/** The attempts to shorten a finding. */
function ShrinkLog({ log }: Pick<FindingView, "log">) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={css.scroll} aria-label="Shrink log" tabIndex={0}>
      <ol className={css.log} aria-label="What was tried">
        {log.map(({ words, kept }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same may be tried twice, and the list never changes
          <li key={i} data-kept={kept || undefined}>
            <Icon name={kept ? "check" : "cross"} size={14} />
            <span>{words}</span>
            <span className="small soft">{kept ? "still fails: kept" : "passes"}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The steps of a finding, each with the result if it is left out. */
function Steps({ steps }: Pick<FindingView, "steps">) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={css.scroll} aria-label="Steps of the finding" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th className="number">#</th>
            <th>Step</th>
            <th>What it does</th>
            <th className="number">At</th>
            <th>Without it</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ verb, words, height: ended, without }, i) => (
            <tr
              // biome-ignore lint/suspicious/noArrayIndexKey: steps may be equal, and the list never changes
              key={i}
            >
              <td className="number soft">{i + 1}</td>
              <td className={css.verb}>
                <code>{verb}</code>
              </td>
              <td>{words}</td>
              <td className="number">{count(ended)}</td>
              <td className={css.without} data-without={without}>
                {without === "holds" && <Icon name="check" size={14} />}
                {WITHOUT[without] ?? without}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
