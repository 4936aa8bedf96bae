import { useEffect } from "react";
import { useActions } from "../../store/page.ts";
import { hrefTo } from "../../store/route.ts";
import type { LogLine, Sidecar, SidecarStep } from "../../store/types.ts";
import { useFollowed } from "../../store/use-followed.ts";
import { ControlButton } from "../../widgets/ControlButton.tsx";
import { WithHashes } from "../../widgets/Facts.tsx";
import { count } from "../../widgets/format.ts";
import { Icon } from "../../widgets/Icon.tsx";
import { OnDemand } from "../../widgets/OnDemand.tsx";
import { StateLabel } from "../../widgets/StateLabel.tsx";
import css from "./SidecarDetails.module.css";
import { needsPerson, STEP_STATES, sidecarState, stepTitle } from "./words.ts";

interface DetailsProps {
  node: string;
  /** True to include the node's name and state, if no row above shows them. */
  named?: boolean;
  /** Called once there is content. */
  onShown?: () => void;
}

/** One sidecar: its steps with their output, remedies, settings, files on disk, and log. */
export function SidecarDetails({ node, named = false, onShown }: DetailsProps) {
  const { answer, problem } = useFollowed(node, (lab) => lab.getSidecar({ node }));
  const shown = answer !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is shown once
  useEffect(() => {
    if (shown) onShown?.();
  }, [shown]);
  if (problem) return <p className={`${css.none} soft small`}>{problem}: it switches by hand.</p>;
  if (!answer?.line) return null;
  const { line, remedies } = answer;
  return (
    <section className={css.details} aria-label={`Sidecar of ${node}`}>
      {named && (
        <header className={css.head}>
          <h3>{node}</h3>
          <StateLabel state={sidecarState(line.state)} />
          <PlanLink plan={line.plan} height={line.height} />
        </header>
      )}
      <div className={css.head}>
        <p className={css.because} data-bad={needsPerson(line.state) || undefined}>
          <WithHashes text={line.because} />
        </p>
        <Remedies remedies={remedies} />
      </div>
      <div className={css.columns}>
        <Steps steps={line.steps} />
        <Rest sidecar={answer} />
      </div>
    </section>
  );
}

/** The current plan of a sidecar, with the block of its height. */
export function PlanLink({ plan, height }: { plan: string; height: number }) {
  if (plan === "") return <span />;
  return (
    <span className="soft small">
      {plan} at{" "}
      <a href={hrefTo({ selection: { kind: "block", id: String(height) } })}>
        block {count(height)}
      </a>
    </span>
  );
}

function Remedies({ remedies }: Pick<Sidecar, "remedies">) {
  const { act } = useActions();
  return (
    <span className={css.remedies}>
      {remedies.slice(0, 2).map(({ label, step }, i) => (
        <ControlButton
          key={label}
          data-primary={i === 0 ? "" : undefined}
          onClick={() => act(step, `Done: ${label}.`)}
        >
          {label}
        </ControlButton>
      ))}
    </span>
  );
}

function Steps({ steps }: { steps: readonly SidecarStep[] }) {
  return (
    <ol className={css.steps} aria-label="Steps of its upgrade">
      {steps.map((step) => (
        <Step key={step.step} step={step} />
      ))}
    </ol>
  );
}

function Step({ step }: { step: SidecarStep }) {
  const { state, note, at, lines } = step;
  const { word = "", icon = "ring" } = STEP_STATES[state] ?? {};
  // The text above all steps already reports a failure.
  const text = state === "failed" ? "" : note;
  return (
    <li className={css.step} data-state={state} aria-current={state === "now" ? "step" : undefined}>
      <Icon name={icon} size={14} />
      <div>
        <span className={css.title}>{stepTitle(step)}</span>{" "}
        {(word === "failed" || word === "now" || word === "left out") && <b>{word}</b>}
        {word === "done" && <span className="hidden">done</span>}{" "}
        {text && <span className="soft small">{text}</span>}
        {lines.length > 0 && state !== "left_out" && (
          <ul className={css.lines}>
            {lines.map((line, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own
              <li key={i}>
                <WithHashes text={line} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {at && <time dateTime={at}>{at.slice(11, 19)}</time>}
    </li>
  );
}

/** Settings, files on disk, and log of a sidecar. */
function Rest({ sidecar: { line, settings, files, log } }: { sidecar: Sidecar }) {
  const changed = settings.filter((setting) => setting.changed);
  return (
    <div className={css.rest}>
      <Settings settings={changed} empty="All settings are Cosmovisor's defaults." />
      <OnDemand title={`All ${settings.length} settings`}>
        {() => <Settings settings={settings} empty="" />}
      </OnDemand>
      <h3>On its disk</h3>
      <dl className={css.files}>
        {files.map(({ path, content }) => (
          <div key={path}>
            <dt>{path}</dt>
            <dd>{content}</dd>
          </div>
        ))}
      </dl>
      <h3>Its log</h3>
      <Log lines={log} of={line?.node ?? ""} />
    </div>
  );
}

function Settings({ settings, empty }: Pick<Sidecar, "settings"> & { empty: string }) {
  if (settings.length === 0) return <p className="soft small">{empty}</p>;
  return (
    <dl className={css.settings}>
      {settings.map(({ name, value, meaning, changed }) => (
        <div key={name} data-changed={changed || undefined}>
          <dt>
            {name}={value}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}

function Log({ lines, of }: { lines: readonly LogLine[]; of: string }) {
  if (lines.length === 0) return <p className="soft small">It has written nothing yet.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <ol className={css.log} tabIndex={0} aria-label={`Log of the sidecar of ${of}, newest first`}>
      {lines.toReversed().map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own
        <li key={lines.length - i} data-level={line.level}>
          {line.height === 0 ? (
            <span className={css.height}>0</span>
          ) : (
            <a href={hrefTo({ selection: { kind: "block", id: String(line.height) } })}>
              {count(line.height)}
            </a>
          )}
          <span>
            <WithHashes text={line.text} />
          </span>
        </li>
      ))}
    </ol>
  );
}
