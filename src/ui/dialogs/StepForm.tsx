import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import type { Outcome, Step, StepPreview } from "../store/actions.ts";
import { useActions } from "../store/page.ts";
import css from "./form.module.css";

/** How long the form waits for a refusal before it lets the step run on in the background. */
const PATIENCE_MS = 600;

/** The engine's words about the field at the end of a path, e.g. `height` of `misbehavior.height`. */
type ErrorOf = (field: string) => string;

interface StepFormProps {
  /** What the form would run as it stands. */
  step: Step;
  /** Fields that show their own error; an error elsewhere stands above the buttons. */
  fields: readonly string[];
  /** The field that a refusal belongs to which names no place in the step. */
  mainField?: string;
  action: string;
  /** Said when it takes longer than a moment. */
  doing: string;
  /** Said when it is done. */
  done: string | ((outcome: Outcome) => string);
  onDone?: () => void;
  children: (errorOf: ErrorOf, preview: StepPreview | undefined) => ReactNode;
}

/** A form whose result is one scenario step: previewed while it is filled in, run when it is sent. */
export function StepForm({
  step,
  fields,
  mainField = "",
  action,
  doing,
  done,
  onDone,
  children,
}: StepFormProps) {
  const { runStep, closeDialog, notify, dismiss } = useActions();
  const json = JSON.stringify(step);
  const preview = usePreview(json);
  const [refusal, setRefusal] = useState<{ json: string; outcome: Outcome }>();
  const [busy, setBusy] = useState(false);

  // What was refused stays refused until something in the form changes. Where the fault lies is
  // most precise in the preview: a step that is run may have come further before it was refused.
  const fault = refusal?.json === json ? refusal.outcome : preview?.fault;
  const path = fault?.path || (fault && preview?.fault?.path) || "";
  const place =
    path.split(/[.[]/).findLast((part) => fields.includes(part)) ?? (path === "" ? mainField : "");

  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const running = runStep(json);
    const outcome = await Promise.race([running, later(PATIENCE_MS)]);
    setBusy(false);
    if (outcome && !outcome.ok) return setRefusal({ json, outcome });
    closeDialog();
    onDone?.();
    const notice = outcome ? undefined : notify(doing, "doing");
    const end = await running;
    if (notice !== undefined) dismiss(notice);
    if (end.ok) notify(typeof done === "string" ? done : done(end));
    else notify(end.message, "error");
  };

  return (
    <form className={css.form} onSubmit={send} noValidate>
      {children((field) => (fault && field === place ? fault.message : ""), preview)}
      {fault && place === "" && (
        <p className={css.error} role="alert">
          {fault.message}
        </p>
      )}
      {!fault && preview?.sentence !== "" && (
        <p className={css.preview} aria-live="polite" data-testid="preview">
          {preview ? preview.sentence : "…"}
        </p>
      )}
      <div className={css.buttons}>
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

const SETTLE_MS = 120;

/** What the engine says that a step would do; asked when the form has been left alone for a moment. */
function usePreview(json: string): StepPreview | undefined {
  const { previewStep } = useActions();
  const [preview, setPreview] = useState<StepPreview>();
  useEffect(() => {
    let current = true;
    const timer = setTimeout(async () => {
      const answer = await previewStep(json);
      if (current) setPreview(answer);
    }, SETTLE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [previewStep, json]);
  return preview;
}
