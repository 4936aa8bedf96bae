import { useRef, useState } from "react";
import type { ListedStep, Problem } from "../../store/types.ts";
import { Icon } from "../../widgets/Icon.tsx";
import type { Outcome } from "./outcomes.ts";
import type { Edit, Mark } from "./positions.ts";
import css from "./scenario.module.css";

interface StepListProps {
  steps: readonly ListedStep[];
  problems: readonly Problem[];
  outcomes: readonly (Outcome | undefined)[];
  stops: readonly Mark[];
  /** Height at which the last run ended, if it has. */
  reached: number | undefined;
  show: (line: number) => void;
  change: (at: number) => void;
  edit: (edit: Edit) => void;
  stop: (at: number) => void;
  run: (to: number) => void;
}

/** The list of steps; each can be moved, edited, disabled and run to. */
export function StepList({ steps, problems, outcomes, ...does }: StepListProps) {
  const [dragged, setDragged] = useState<number>();
  if (steps.length === 0) return <p className="soft">There are no steps yet.</p>;
  const last = outcomes.findLastIndex((outcome) => outcome?.state === "ok");
  return (
    <ol className={css.steps}>
      {steps.map((step, at) => {
        const wrong = problems.find(({ line }) => line >= step.line && line < step.to)?.message;
        return (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: two steps may be the same
            key={at}
            draggable
            data-dragged={dragged === at || undefined}
            onDragStart={() => setDragged(at)}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event) => dragged !== undefined && event.preventDefault()}
            onDrop={(event) => {
              if (dragged === undefined) return;
              event.preventDefault();
              does.edit({ edit: "move", at: dragged, to: at });
              setDragged(undefined);
            }}
          >
            <Step
              step={step}
              at={at}
              count={steps.length}
              wrong={wrong}
              runs={problems.length === 0}
              outcome={outcomes[at]}
              {...does}
            />
            {at === last && does.reached !== undefined && (
              <p className={css.here}>
                <span>here: block {does.reached}</span>
              </p>
            )}
          </li>
        );
      })}
    </ol>
  );
}

interface StepProps extends Omit<StepListProps, "steps" | "problems" | "outcomes"> {
  step: ListedStep;
  at: number;
  count: number;
  wrong: string | undefined;
  /** True if the file can run. */
  runs: boolean;
  outcome: Outcome | undefined;
}

function Step({ step, at, count, wrong, runs, outcome, stops, ...does }: StepProps) {
  const { verb, title, note, index, line } = step;
  const off = index < 0;
  const failed = outcome?.state === "failed";
  const message = wrong ?? (failed ? outcome.message : undefined);
  const stopsHere = stops.some((stop) => stop.at === at) && !off;
  return (
    <div className={css.step} data-off={off || undefined} data-bad={message ? "" : undefined}>
      <span className={css.state} data-state={message ? "failed" : outcome?.state}>
        {message ? (
          <>
            <Icon name="cross" size={14} />
            <span className="hidden">failed</span>
          </>
        ) : outcome?.state === "ok" ? (
          <>
            <Icon name="check" size={14} />
            <span className="hidden">passed</span>
          </>
        ) : (
          at + 1
        )}
      </span>
      <code className={css.verb}>{verb || "?"}</code>
      <button type="button" data-plain="" className={css.title} onClick={() => does.show(line)}>
        {title || "not a step"}
      </button>
      <span className={css.buttons}>
        {stopsHere && <span className={css.stop}>stops here</span>}
        {!off && (
          <button
            type="button"
            aria-label={`Run to step ${at + 1}`}
            disabled={!runs}
            onClick={() => does.run(at + 1)}
          >
            Run to here
          </button>
        )}
        <StepMenu
          step={step}
          at={at}
          isLast={at === count - 1}
          stopsHere={stopsHere}
          change={does.change}
          edit={does.edit}
          stop={does.stop}
        />
      </span>
      {(message || note) && (
        <p className={css.note} data-bad={message ? "" : undefined}>
          {message ?? note}
        </p>
      )}
    </div>
  );
}

interface StepMenuProps extends Pick<StepListProps, "change" | "edit" | "stop"> {
  step: ListedStep;
  at: number;
  isLast: boolean;
  stopsHere: boolean;
}

/** The less frequent actions of a step. */
function StepMenu({ step, at, isLast, stopsHere, ...does }: StepMenuProps) {
  const isOff = step.index < 0;
  const menu = useRef<HTMLDetailsElement>(null);
  /** Runs the selected action, and closes its menu. */
  const chosen = (act: () => void) => () => {
    close();
    act();
  };
  const close = (): void => {
    if (menu.current === null) return;
    menu.current.open = false;
    // The selected item is hidden now, and would lose the focus.
    menu.current.querySelector("summary")?.focus();
  };
  return (
    <details
      ref={menu}
      className={css.more}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !menu.current?.open) return;
        event.stopPropagation();
        close();
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) currentTarget.open = false;
      }}
    >
      <summary aria-label={`More about step ${at + 1}`}>…</summary>
      <div>
        <button type="button" disabled={step.json === ""} onClick={chosen(() => does.change(at))}>
          Change…
        </button>
        <button type="button" onClick={chosen(() => does.edit({ edit: "duplicate", at }))}>
          Duplicate
        </button>
        <button
          type="button"
          onClick={chosen(() => does.edit({ edit: isOff ? "enable" : "disable", at }))}
        >
          {isOff ? "Switch on" : "Switch off"}
        </button>
        <button
          type="button"
          disabled={at === 0}
          onClick={chosen(() => does.edit({ edit: "move", at, to: at - 1 }))}
        >
          Move up
        </button>
        <button
          type="button"
          disabled={isLast}
          onClick={chosen(() => does.edit({ edit: "move", at, to: at + 1 }))}
        >
          Move down
        </button>
        {!isOff && (
          <button type="button" aria-pressed={stopsHere} onClick={chosen(() => does.stop(at))}>
            {stopsHere ? "Do not stop here" : "Stop before it"}
          </button>
        )}
        <button type="button" onClick={chosen(() => does.edit({ edit: "remove", at }))}>
          Remove
        </button>
      </div>
    </details>
  );
}
