import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import { errorText } from "../../base/error-text.ts";
import { checkFileSize, fileText } from "../../base/file-text.ts";
import { CodeEditor, type Remark } from "../panels/scenario/CodeEditor.tsx";
import {
  EMPTY,
  halfPair,
  isAtStop,
  type Run,
  scenarioOf,
  stateOf,
} from "../panels/scenario/document.ts";
import { outcomesOf } from "../panels/scenario/outcomes.ts";
import { Pin } from "../panels/scenario/Pin.tsx";
import { StepForm } from "../panels/scenario/StepForm.tsx";
import { StepList } from "../panels/scenario/StepList.tsx";
import css from "../panels/scenario/scenario.module.css";
import { useFrameState, usePage } from "../store/page.ts";
import { plural } from "../widgets/format.ts";
import { Segmented } from "../widgets/Segmented.tsx";
import { saveFile } from "../widgets/save-file.ts";
import { closeDocument } from "./close-document.ts";

type Shown = "steps" | "both" | "text";

const SHOWN: readonly (readonly [Shown, string])[] = [
  ["steps", "Steps"],
  ["both", "Both"],
  ["text", "Text"],
];

/** A scenario as a list of steps and as text, both editable. */
export default function Scenario() {
  const page = usePage();
  const open = scenarioOf(page);
  const { file, text, steps, problems, refusal, stops, ...more } = useStore(open.store);
  const { changing, replaced, run: last } = more;
  const [shown, setShown] = useState<Shown>("both");
  const [adding, setAdding] = useState(false);
  const [line, setLine] = useState(0);
  const [running, setRunning] = useState(false);
  const story = useFrameState(({ frame }) =>
    frame?.world === last?.world ? frame?.story : undefined,
  );
  const reached = useReached(last, stateOf(last, story));
  const outcomes = useMemo(() => outcomesOf(steps, last?.steps, story), [steps, last, story]);
  const failed = outcomes.findIndex((outcome) => outcome?.state === "failed");
  const remarks: readonly Remark[] = useMemo(() => {
    const step = steps[failed];
    const message = outcomes[failed]?.message ?? "";
    return [
      ...problems,
      ...(step === undefined || message === "" ? [] : [{ line: step.line, message }]),
    ];
  }, [problems, steps, outcomes, failed]);
  const failure = steps[failed]?.line ?? 0;
  useEffect(() => {
    if (failure > 0) setLine(failure);
  }, [failure]);
  const [first] = remarks;
  const run = async (to?: number): Promise<void> => {
    setRunning(true);
    await open.run(to);
    setRunning(false);
  };
  const openFile = async (input: File | undefined): Promise<void> => {
    if (input === undefined) return;
    try {
      checkFileSize(input.size);
      open.open(input.name, fileText(new Uint8Array(await input.arrayBuffer())));
    } catch (error) {
      open.store.setState({ refusal: `${input.name}: ${errorText(error)}` });
    }
  };
  return (
    <div className={css.scenario} data-shown={shown}>
      <header className={css.head}>
        <h2 className={css.file}>{file}</h2>
        <div className={css.actions} role="toolbar" aria-label="Scenario">
          <button
            type="button"
            data-primary=""
            aria-busy={running || undefined}
            disabled={problems.length > 0}
            onClick={() => running || void run()}
          >
            Run
          </button>
          {isAtStop({ run: last, text, steps }, story) && (
            <button type="button" onClick={() => void open.continueRun()}>
              Continue
            </button>
          )}
          <button type="button" onClick={() => open.open("mine.yaml", EMPTY)}>
            New
          </button>
          <button
            type="button"
            title="What was done in this world, as a scenario (Shift R)"
            onClick={() => void open.record()}
          >
            Record what I did
          </button>
          <label className={css.pick}>
            Open a file
            <input
              type="file"
              accept=".yaml,.yml,.json"
              onChange={({ target }) => {
                void openFile(target.files?.[0]);
                target.value = "";
              }}
            />
          </label>
          <button
            type="button"
            onClick={() => {
              const half = halfPair(text);
              if (half !== undefined) {
                open.store.setState({ refusal: `Line ${half.line}: ${half.message}` });
                return;
              }
              const type = text.trimStart().startsWith("{") ? "json" : "yaml";
              saveFile(file, text, `application/${type}`);
              open.saved();
            }}
          >
            Save as a file
          </button>
          <Pin scenario={open} />
          <button type="button" onClick={() => closeDocument("scenario")}>
            Close
          </button>
        </div>
        <Segmented legend="What is shown" options={SHOWN} value={shown} onChange={setShown} />
      </header>
      <div aria-live="polite">
        {(first || refusal) && (
          <p className={css.problem}>
            {first ? `Line ${first.line}: ${first.message}` : refusal}
            {remarks.length > 1 && ` (and ${plural(remarks.length - 1, "other")})`}
          </p>
        )}
        {replaced && (
          <p className={css.replaced}>
            What was written in {replaced.file} is in no file.
            <button type="button" onClick={() => open.reopen()}>
              Open it again
            </button>
          </p>
        )}
      </div>
      <div className={css.panes}>
        {shown !== "text" && (
          <section className={css.list} aria-label="Steps">
            <StepList
              steps={steps}
              problems={problems}
              outcomes={outcomes}
              stops={stops}
              reached={reached}
              show={(at) => setLine(at)}
              change={(at) => {
                setAdding(false);
                open.change(at);
              }}
              edit={(edit) => void open.edit(edit)}
              stop={(at) => open.toggleStop(at)}
              run={(to) => void run(to)}
            />
            {changing ? (
              <StepForm
                key={changing.json}
                json={changing.json}
                done="Change the step"
                cancel={() => open.change(undefined)}
                write={async (step) => {
                  const { at } = changing;
                  if (await open.edit({ edit: "replace", at, step })) open.change(undefined);
                }}
              />
            ) : adding ? (
              <StepForm
                json=""
                done="Add the step"
                cancel={() => setAdding(false)}
                write={async (step) => {
                  if (await open.edit({ edit: "insert", at: steps.length, step })) setAdding(false);
                }}
              />
            ) : (
              <p className={css.add}>
                <button type="button" onClick={() => setAdding(true)}>
                  Add a step…
                </button>
                <span className="soft small">{plural(steps.length, "step")}</span>
              </p>
            )}
          </section>
        )}
        {shown !== "steps" && (
          <CodeEditor
            text={text}
            remarks={remarks}
            shown={line}
            names={more.names}
            write={(source) => open.write(source)}
          />
        )}
      </div>
    </div>
  );
}

/** The height at which a run ended; undefined while it runs. */
function useReached(run: Run | undefined, state: string | undefined): number | undefined {
  const { frames } = usePage();
  const [reached, setReached] = useState<{ run: Run; height: number }>();
  useEffect(() => {
    if (run === undefined || (state !== "passed" && state !== "failed")) return;
    const height = frames.getState().frame?.chain?.height ?? 0;
    setReached((before) => (before?.run === run ? before : { run, height }));
  }, [run, state, frames]);
  return reached?.run === run ? reached?.height : undefined;
}
