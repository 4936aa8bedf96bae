import { type FormEvent, useEffect, useId, useState } from "react";
import { WORLD_NAME, WORLD_NOTE } from "../../base/limits.ts";
import { showKey } from "../panels/state/position.ts";
import { fork } from "../store/new-worlds.ts";
import { useActions, useDialog, useFrameState, usePage } from "../store/page.ts";
import { requestPersistence } from "../store/persistence.ts";
import { backToLive, shownHeight } from "../store/travel.ts";
import { Dialog, useCloseDialog } from "../widgets/Dialog.tsx";
import { Field } from "../widgets/Field.tsx";
import { count, sentence, UNNAMED } from "../widgets/format.ts";
import { useAttempt } from "../widgets/use-attempt.ts";
import css from "./form.module.css";

/**
 * Offers to change a past height in a branch. An embedded page has no list of worlds from which to
 * return, so it offers none.
 */
export default function Fork() {
  return document.documentElement.dataset.embedded === undefined ? <ForkForm /> : <OnlyLive />;
}

function OnlyLive() {
  const page = usePage();
  const { closeDialog } = useActions();
  const live = (): void => {
    backToLive(page);
    closeDialog();
  };
  return (
    <Dialog title="The past stays as it is">
      <p>Only the newest block can be gone on from.</p>
      <div className={css.buttons}>
        <button type="button" onClick={closeDialog}>
          Cancel
        </button>
        <button type="button" data-primary="" onClick={live}>
          Back to live
        </button>
      </div>
    </Dialog>
  );
}

/** Creates a branch at the shown height, and then runs the intended action there. */
function ForkForm() {
  const page = usePage();
  const { openDialog } = useActions();
  const closeDialog = useCloseDialog();
  const id = useId();
  const tamper = useDialog((dialog) => dialog.tamper);
  // A running chain continues meanwhile: the branch starts at the height in the dialog.
  const [shown] = useState(() => shownHeight(page.frames.getState()));
  const height = tamper?.height ?? shown;
  const world = useFrameState(({ frame }) => frame?.player?.kept?.name || UNNAMED);
  const afterFork = useDialog((dialog) => dialog.afterFork);
  const [name, setName] = useState(
    `${tamper ? "Impossible: " : ""}${world} · ${height}`.slice(0, WORLD_NAME),
  );
  const [note, setNote] = useState("");
  useEffect(() => () => page.dialog.setState({ afterFork: undefined, tamper: undefined }), [page]);
  const { busy, problem, attempt } = useAttempt();
  const forkAndAct = async (): Promise<void> => {
    void requestPersistence();
    await fork(page, height, name.trim(), note.trim(), tamper);
    const { frame } = page.frames.getState();
    if (tamper && frame) showKey({ ...tamper, world: frame.world });
    closeDialog();
    await afterFork?.();
  };
  const send = (event: FormEvent): void => {
    event.preventDefault();
    void attempt(forkAndAct);
  };
  return (
    <Dialog title={`${tamper ? "Impossible branch" : "Fork"} at block ${count(height)}`}>
      <form className={css.form} onSubmit={send}>
        <p id={id}>
          A new branch starts after block {count(height)} and opens paused. “{world}” does not
          change.
          {afterFork && " Your action is done in the branch."}
        </p>
        {tamper && (
          <p>
            In it one byte of {tamper.store} is changed in what every node holds. No block does
            that: the branch is marked as impossible, and its nodes go on as if nothing were wrong
            until one executes the blocks again.
          </p>
        )}
        <Field label="Name">
          {(control) => (
            <input
              {...control}
              dir="auto"
              maxLength={WORLD_NAME}
              value={name}
              onChange={({ target }) => setName(target.value)}
              onFocus={({ target }) => target.select()}
            />
          )}
        </Field>
        <Field label="Note" hint="What are you trying? Shown next to the name under Worlds.">
          {(control) => (
            <textarea
              {...control}
              dir="auto"
              rows={2}
              maxLength={WORLD_NOTE}
              value={note}
              onChange={({ target }) => setNote(target.value)}
            />
          )}
        </Field>
        {!tamper && !afterFork && (
          <p className="soft">
            Or, with another profile, binary or parameter,{" "}
            <button type="button" data-link="" onClick={() => openDialog("otherwise")}>
              replay with one change
            </button>
          </p>
        )}
        {problem && (
          <p className={css.error} role="alert">
            {sentence(problem)}
          </p>
        )}
        <div className={css.buttons}>
          <button type="button" onClick={closeDialog}>
            Cancel
          </button>
          <button type="submit" data-primary="" aria-busy={busy || undefined}>
            {afterFork
              ? "Fork here and do it"
              : tamper
                ? "Begin the impossible branch"
                : "Fork here"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
