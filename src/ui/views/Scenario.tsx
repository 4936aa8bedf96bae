import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import { errorText } from "../../input/error-text.ts";
import { checkFileSize, fileText } from "../../input/file-text.ts";
import { CodeEditor, type Remark } from "../panels/scenario/CodeEditor.tsx";
import { closeScenario } from "../panels/scenario/close.ts";
import { EMPTY, scenarioOf } from "../panels/scenario/document.ts";
import { outcomesOf } from "../panels/scenario/outcomes.ts";
import { Pin } from "../panels/scenario/Pin.tsx";
import { StepForm } from "../panels/scenario/StepForm.tsx";
import { StepList } from "../panels/scenario/StepList.tsx";
import css from "../panels/scenario/scenario.module.css";
import { useFrameState, usePage } from "../store/page.ts";
import { plural } from "../widgets/format.ts";
import { saveFile } from "../widgets/save-file.ts";

type Shown = "steps" | "both" | "text";

const SHOWN: readonly (readonly [Shown, string])[] = [
  ["steps", "Steps"],
  ["both", "Both"],
  ["text", "Text"],
];

/** A step that is added at a position, or one that is changed. */
export interface Writing {
  readonly at: number;
  readonly json: string;
  readonly isNew: boolean;
}

/** A scenario as a list of steps and as text, both of which can be changed. */
export default function Scenario() {
  const page = usePage();
  const open = scenarioOf(page);
  const { file, text, steps, problems, refusal, stops, ran } = useStore(open.store);
  const [shown, setShown] = useState<Shown>("both");
  const [writing, setWriting] = useState<Writing>();
  const [line, setLine] = useState(0);
  const [running, setRunning] = useState(false);
  const story = useFrameState(({ frame }) => frame?.story);
  const height = useFrameState(({ frame }) => frame?.chain?.height ?? 0);
  const outcomes = useMemo(
    () => outcomesOf(steps, ran, story?.file === file ? story : undefined),
    [steps, ran, story, file],
  );
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
  const openFile = async (given: File | undefined): Promise<void> => {
    if (given === undefined) return;
    try {
      checkFileSize(given.size);
      open.open(given.name, fileText(new Uint8Array(await given.arrayBuffer())));
    } catch (error) {
      open.store.setState({ refusal: `${given.name}: ${errorText(error)}` });
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
          <button type="button" onClick={() => open.open("mine.yaml", EMPTY)}>
            New
          </button>
          <button type="button" onClick={() => void open.record()}>
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
          <button type="button" onClick={() => saveFile(file, text, "application/yaml")}>
            Save as a file
          </button>
          <Pin add={(step) => open.edit({ edit: "insert", at: steps.length, step })} />
          <button type="button" onClick={closeScenario}>
            Close
          </button>
        </div>
        <fieldset className={css.switch}>
          <legend className="hidden">What is shown</legend>
          {SHOWN.map(([name, title]) => (
            <label key={name} data-chosen={shown === name || undefined}>
              <input
                type="radio"
                name="scenario-shown"
                checked={shown === name}
                onChange={() => setShown(name)}
              />
              {title}
            </label>
          ))}
        </fieldset>
      </header>
      <div aria-live="polite">
        {(first || refusal) && (
          <p className={css.problem}>
            {first ? `Line ${first.line}: ${first.message}` : refusal}
            {remarks.length > 1 && ` And ${plural(remarks.length - 1, "other")}.`}
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
              height={height}
              show={(at) => setLine(at)}
              change={(at) => setWriting({ at, json: steps[at]?.json ?? "", isNew: false })}
              edit={(edit) => void open.edit(edit)}
              stop={(json) => open.toggleStop(json)}
              run={(to) => void run(to)}
            />
            {writing ? (
              <StepForm
                key={`${writing.at} ${writing.json}`}
                json={writing.json}
                done={writing.isNew ? "Add the step" : "Change the step"}
                cancel={() => setWriting(undefined)}
                write={async (step) => {
                  const edit = writing.isNew ? "insert" : "replace";
                  if (await open.edit({ edit, at: writing.at, step })) setWriting(undefined);
                }}
              />
            ) : (
              <p className={css.add}>
                <button
                  type="button"
                  onClick={() => setWriting({ at: steps.length, json: "", isNew: true })}
                >
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
            write={(written) => open.write(written)}
          />
        )}
      </div>
    </div>
  );
}
