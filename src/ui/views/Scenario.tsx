import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import { errorText } from "../../base/error-text.ts";
import { CodeEditor, type Remark } from "../panels/scenario/CodeEditor.tsx";
import {
  EMPTY,
  halfPair,
  isAtStop,
  type OpenScenario,
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
import { FilePick, textOf } from "../widgets/FilePick.tsx";
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
  const open = scenarioOf(usePage());
  const { file, text, names } = useStore(open.store);
  const [shown, setShown] = useState<Shown>("both");
  const [line, setLine] = useState(0);
  const [running, setRunning] = useState(false);
  const [adding, setAdding] = useState(false);
  const { outcomes, reached, remarks, failure } = useOutcomes(open);
  useEffect(() => {
    if (failure > 0) setLine(failure);
  }, [failure]);
  const run = async (to?: number): Promise<void> => {
    setRunning(true);
    await open.run(to);
    setRunning(false);
  };
  return (
    <div className={css.scenario} data-shown={shown}>
      <header className={css.head}>
        <h2 className={css.file}>{file}</h2>
        <Toolbar open={open} running={running} run={() => running || void run()} />
        <Segmented legend="What is shown" options={SHOWN} value={shown} onChange={setShown} />
      </header>
      <Problems open={open} remarks={remarks} />
      <div className={css.panes}>
        {shown !== "text" && (
          <Steps
            open={open}
            results={{ outcomes, reached }}
            adding={adding}
            setAdding={setAdding}
            show={setLine}
            run={(to) => void run(to)}
          />
        )}
        {shown !== "steps" && (
          <CodeEditor
            text={text}
            remarks={remarks}
            shown={line}
            names={names}
            write={(source) => open.write(source)}
          />
        )}
      </div>
    </div>
  );
}

/** The story of the last run; undefined if another world is shown. */
const useStory = (last: Run | undefined) =>
  useFrameState(({ frame }) => (frame?.world === last?.world ? frame?.story : undefined));

/** The results of the last run, the remarks about the text, and the line of the failed step. */
function useOutcomes(open: OpenScenario) {
  const { steps, problems, run: last } = useStore(open.store);
  const story = useStory(last);
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
  return { outcomes, reached, remarks, failure: steps[failed]?.line ?? 0 };
}

interface ToolbarProps {
  open: OpenScenario;
  running: boolean;
  run: () => void;
}

function Toolbar({ open, running, run }: ToolbarProps) {
  const { file, text, steps, problems, run: last } = useStore(open.store);
  const story = useStory(last);
  const openFile = async (input: File): Promise<void> => {
    try {
      open.open(input.name, await textOf(input));
    } catch (error) {
      open.store.setState({ refusal: `${input.name}: ${errorText(error)}` });
    }
  };
  const save = (): void => {
    const half = halfPair(text);
    if (half !== undefined) {
      open.store.setState({ refusal: `Line ${half.line}: ${half.message}` });
      return;
    }
    const type = text.trimStart().startsWith("{") ? "json" : "yaml";
    saveFile(file, text, `application/${type}`);
    open.saved();
  };
  return (
    <div className={css.actions} role="toolbar" aria-label="Scenario">
      <button
        type="button"
        data-primary=""
        aria-busy={running || undefined}
        disabled={problems.length > 0}
        onClick={run}
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
      <FilePick className={css.pick} label="Open a file" onPick={(input) => void openFile(input)} />
      <button type="button" onClick={save}>
        Save as a file
      </button>
      <Pin scenario={open} />
      <button type="button" onClick={() => closeDocument("scenario")}>
        Close
      </button>
    </div>
  );
}

function Problems({ open, remarks }: { open: OpenScenario; remarks: readonly Remark[] }) {
  const { refusal, replaced } = useStore(open.store);
  const [first] = remarks;
  return (
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
  );
}

interface StepsProps {
  open: OpenScenario;
  results: Pick<ReturnType<typeof useOutcomes>, "outcomes" | "reached">;
  /** True while the form for a new step is open. */
  adding: boolean;
  setAdding: (adding: boolean) => void;
  show: (line: number) => void;
  run: (to: number) => void;
}

/** The steps, and the form in which one is changed or added. */
function Steps({ open, results, adding, setAdding, show, run }: StepsProps) {
  const { steps, problems, stops, changing } = useStore(open.store);
  return (
    <section className={css.list} aria-label="Steps">
      <StepList
        steps={steps}
        problems={problems}
        {...results}
        stops={stops}
        show={show}
        change={(at) => {
          setAdding(false);
          open.change(at);
        }}
        edit={(edit) => void open.edit(edit)}
        stop={(at) => open.toggleStop(at)}
        run={run}
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
