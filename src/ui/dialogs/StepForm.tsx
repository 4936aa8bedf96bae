import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { Outcome, Running, ScenarioStep } from "../store/actions.ts";
import { type Page, useActions, usePage } from "../store/page.ts";
import {
  announcedAfter,
  followPreview,
  previewStep,
  type StepPreview,
} from "../store/preview-step.ts";
import { useCloseDialog } from "../widgets/Dialog.tsx";
import { type Paused, PausedNote, useWaitingChain } from "../widgets/PausedNote.tsx";
import css from "./form.module.css";

/** Time in ms that the form waits for a refusal before the step continues in the background. */
const TIMEOUT_MS = 600;

/** The engine's error for the field at the end of a path, e.g. `height` of `misbehavior.height`. */
export type ErrorOf = (field: string) => string;

interface StepFormProps {
  /** The step for the current form. */
  step: ScenarioStep;
  /** Fields that show their own error; any other error is shown above the buttons. */
  fields: readonly string[];
  /** The field for refusals without a path in the step. */
  mainField?: string;
  action: string;
  /** Message while it takes longer than a moment. */
  doing: string;
  /** Message when it is done. */
  done: string | ((outcome: Outcome) => string);
  /** True if the `done` message applies only until the next block. */
  untilNextBlock?: boolean;
  /** Effect of sending it on a paused chain. */
  paused: Paused;
  /** Pacing of its blocks, and true if the chain is paused after them. */
  how?: Running;
  onDone?: () => void;
  children: (errorOf: ErrorOf, preview: StepPreview | undefined) => ReactNode;
}

/** A form whose result is one scenario step: previewed while it is edited, run when it is sent. */
export function StepForm({
  step,
  fields,
  mainField = "",
  action,
  doing,
  done,
  untilNextBlock = false,
  paused,
  how,
  onDone,
  children,
}: StepFormProps) {
  const { frames, client } = usePage();
  const closeDialog = useCloseDialog();
  const { runStep, notify, report, dismiss, undo } = useActions();
  const json = JSON.stringify(step);
  const { preview, announced, accepted, take } = usePreview(json);
  const [refused, setRefused] = useState<{ json: string; outcome: Outcome }>();
  const [busy, setBusy] = useState(false);
  useWaitingChain(!busy);

  // The preview follows the chain. A refusal that it cannot predict stays until the form changes.
  const refusal = preview?.refusal ?? (refused?.json === json ? refused.outcome : undefined);
  // It was valid until the chain continued.
  const isOutdated = preview?.refusal !== undefined && !preview.isReadOnly && accepted === json;
  const path = refusal?.path ?? "";
  const message = `${isOutdated ? "The chain has moved on: " : ""}${refusal?.message ?? ""}`;
  const place =
    path.split(/[.[]/).findLast((part) => fields.includes(part)) ??
    // A path with only the step's name does not locate the problem.
    (/[.[]/.test(path) ? "" : mainField);

  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const { travel } = frames.getState();
    // The form may be older than the selection of the past height.
    if (travel) {
      const message = `Block ${travel.height} is past: fork there, or go back to live.`;
      return setRefused({
        json,
        outcome: { ok: false, message, path: "", height: 0, value: "", found: "" },
      });
    }
    setBusy(true);
    // The preview may be outdated.
    const now = await previewStep(client, json);
    if (now?.refusal) {
      setBusy(false);
      return take(now);
    }
    const running = runStep(json, how);
    const outcome = await Promise.race([running, later(TIMEOUT_MS)]);
    setBusy(false);
    if (outcome && !outcome.ok) return setRefused({ json, outcome });
    closeDialog();
    onDone?.();
    const notice = outcome ? undefined : notify(doing, "doing");
    const end = await running;
    if (notice !== undefined) dismiss(notice);
    if (!end.ok) return report(end);
    const said = notify(typeof done === "string" ? done : done(end), "info", undo);
    if (untilNextBlock) atNextBlock(frames, end.height, () => dismiss(said));
  };

  return (
    <form
      className={css.form}
      onSubmit={send}
      noValidate
      data-outdated={isOutdated ? "" : undefined}
    >
      {children((field) => (refusal && field === place ? message : ""), preview)}
      {refusal && place === "" && (
        <p className={css.error} role="alert">
          {message}
        </p>
      )}
      <p className="hidden" aria-live="polite">
        {!refusal && announced === preview?.sentence && announced}
      </p>
      <div className={css.buttons}>
        {!refusal && preview?.sentence !== "" && (
          <p className={css.preview} data-testid="preview">
            {preview ? preview.sentence : "…"}
          </p>
        )}
        <PausedNote className={css.paused} does={paused} />
        <button type="button" onClick={closeDialog}>
          Cancel
        </button>
        <button type="submit" data-primary="" disabled={busy}>
          {action}
        </button>
      </div>
    </form>
  );
}

const later = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(resolve, ms, undefined));

/** Runs a function as soon as there is a block above a height. */
function atNextBlock(frames: Page["frames"], height: number, act: () => void): void {
  const isThere = (): boolean => (frames.getState().frame?.chain?.height ?? 0) > height;
  const stop = frames.subscribe(() => {
    if (!isThere()) return;
    stop();
    act();
  });
  if (isThere()) act();
}

const SETTLE_MS = 120;

/**
 * Previews a step with the engine, once the form has not changed for a moment and again with every
 * frame. `announced` is the sentence of the preview that was announced last, `accepted` the last
 * step that was not refused. `take` shows an answer from another call until the next preview.
 */
function usePreview(json: string) {
  const { frames, client } = usePage();
  const [preview, setPreview] = useState<StepPreview>();
  const [announced, setAnnounced] = useState({ sentence: "", byChain: false });
  const [accepted, setAccepted] = useState("");
  const latest = useRef(json);
  const again = useRef<() => void>(() => {});
  useEffect(() => {
    const show = (answer: StepPreview | undefined, settled: boolean, requested: string): void => {
      setPreview(answer);
      if (answer && !answer.refusal) setAccepted(requested);
      setAnnounced((known) => announcedAfter(known, answer?.sentence ?? "", settled));
    };
    const { request, stop } = followPreview({ frames, client }, () => latest.current, show);
    again.current = request;
    return stop;
  }, [frames, client]);
  useEffect(() => {
    latest.current = json;
    const timer = setTimeout(() => again.current(), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [json]);
  return { preview, announced: announced.sentence, accepted, take: setPreview };
}
