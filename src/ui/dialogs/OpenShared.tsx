import { type ReactNode, useEffect, useId, useState } from "react";
import { errorText } from "../../base/error-text.ts";
import { compareWith } from "../panels/compare/open.ts";
import { storeFile } from "../panels/compare/other.ts";
import { scenarioOf } from "../panels/scenario/document.ts";
import { leaveLink } from "../share/address.ts";
import type { Shared } from "../share/link.ts";
import { useNewWorlds } from "../store/new-worlds.ts";
import { useActions, useDialog, usePage } from "../store/page.ts";
import type { ScenarioSummary, WorldSummary } from "../store/types.ts";
import { showDocument } from "../views/documents.ts";
import { Dialog, useCloseDialog } from "../widgets/Dialog.tsx";
import { Fact, Facts } from "../widgets/Facts.tsx";
import { count, sentence, UNNAMED } from "../widgets/format.ts";
import { saveFile } from "../widgets/save-file.ts";
import { bytes } from "../widgets/sizes.ts";
import { useAttempt } from "../widgets/use-attempt.ts";
import { FileProblems } from "./FileProblems.tsx";
import form from "./form.module.css";
import css from "./OpenShared.module.css";

type SharedFile = Shared & { readonly size: number };

/** Shows the content of a link or a dropped file before any of it runs. */
export default function OpenShared() {
  const shared = useDialog((dialog) => dialog.shared);
  // However the dialog is closed, the address returns to a view of the page.
  useEffect(() => leaveLink, []);
  return (
    <Dialog title="Open what was shared with you?">
      {shared?.unread?.length ? (
        <p className={css.more}>
          Files are looked at one by one. Still to be dropped: {listed(shared.unread)}.
        </p>
      ) : null}
      {shared === undefined ? null : "problem" in shared ? (
        <NotOpened>
          <p className={form.error} role="alert">
            {shared.problem}
          </p>
        </NotOpened>
      ) : shared.kind === "scenario" ? (
        <Scenario {...shared} size={new Blob([shared.text]).size} />
      ) : (
        <World {...shared} size={shared.content.length} />
      )}
    </Dialog>
  );
}

/** Lists the first few names. */
const listed = (names: readonly string[]): string =>
  names.length > MOST_NAMED
    ? `${names.slice(0, MOST_NAMED).join(", ")} and ${count(names.length - MOST_NAMED)} more`
    : names.join(", ");

/** A message about something that cannot be opened. */
function NotOpened({ children }: { children: ReactNode }) {
  const { closeDialog } = useActions();
  return (
    <div className={form.form}>
      {children}
      <div className={form.buttons}>
        <button type="button" data-primary="" onClick={closeDialog}>
          Close
        </button>
      </div>
    </div>
  );
}

function Scenario(held: SharedFile & { kind: "scenario" }) {
  const { file, text, size } = held;
  const { client } = usePage();
  const { loadScenario } = useNewWorlds();
  const summary = useSummary(text, () => client.lab.readScenario({ text, file }));
  if (typeof summary === "string") return <Failed>{summary}</Failed>;
  if (summary === undefined) return <Looking />;
  const { problems, title, about, chainId, validators, steps } = summary;
  if (problems.length > 0)
    return (
      <NotOpened>
        <FileProblems problems={problems}>
          What is wrong with {file || "the scenario"}:
        </FileProblems>
      </NotOpened>
    );
  return (
    <Opened
      file={held}
      open={async () => {
        const [first] = await loadScenario(text, file, true);
        if (first) throw new Error(`${file}:${first.line} ${first.path} ${first.message}`);
      }}
      title={title}
      about={about}
    >
      <Fact name="A scenario">{file || "without a name"}</Fact>
      <Fact name="Size">{bytes(size)}</Fact>
      <Fact name="Chain">{chainId}</Fact>
      <Fact name="Validators">{count(validators)}</Fact>
      <Fact name="Steps">{count(steps)}</Fact>
    </Opened>
  );
}

function World(held: SharedFile & { kind: "world" }) {
  const { file, content, size } = held;
  const { client } = usePage();
  const { openWorldFile } = useNewWorlds();
  const summary = useSummary(content, () => client.lab.readWorldFile({ name: file, content }));
  if (typeof summary === "string") return <Failed>{summary}</Failed>;
  if (summary === undefined) return <Looking />;
  const { problem, name, chainId, validators, height, actions, impossible, loss } = summary;
  if (problem) return <Failed>{`${file || "The world"} cannot be opened: ${problem}`}</Failed>;
  return (
    <Opened
      file={held}
      open={() => openWorldFile(file, content)}
      title={name || UNNAMED}
      about=""
      loss={loss}
    >
      <Fact name="A world">{file || "without a name"}</Fact>
      <Fact name="Size">{bytes(size)}</Fact>
      <Fact name="Chain">{chainId}</Fact>
      <Fact name="Validators">{count(validators)}</Fact>
      <Fact name={loss ? "Was saved at block" : "Stands at block"}>{count(height)}</Fact>
      <Fact name="Commands">{count(actions)}</Fact>
      {impossible && <Fact name="Impossible">a value was changed by hand in it</Fact>}
    </Opened>
  );
}

const Looking = () => <p role="status">Looking at it…</p>;

const Failed = ({ children }: { children: string }) => (
  <NotOpened>
    <p className={form.error} role="alert">
      {sentence(children)}
    </p>
  </NotOpened>
);

/**
 * Returns the summary from a call, or its error as text; undefined until loaded. Loaded again when
 * `about` changes.
 */
function useSummary<T extends ScenarioSummary | WorldSummary>(
  about: string | Uint8Array,
  ask: () => Promise<T>,
): T | string | undefined {
  const [summary, setSummary] = useState<T | string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `about` says what is asked
  useEffect(() => {
    let current = true;
    setSummary(undefined);
    ask().then(
      (found) => current && setSummary(found),
      (error: unknown) => current && setSummary(errorText(error)),
    );
    return () => {
      current = false;
    };
  }, [about]);
  return summary;
}

interface OpenedProps {
  file: SharedFile;
  open: () => Promise<void>;
  title: string;
  about: string;
  /** Describes unreadable parts. */
  loss?: string;
  children: ReactNode;
}

/** The summary of a shared item, and the actions to open it. */
function Opened({ file, open, title, about, loss = "", children }: OpenedProps) {
  const closeDialog = useCloseDialog();
  const page = usePage();
  const id = useId();
  const { busy, problem, attempt } = useAttempt();
  const take = (): Promise<void> =>
    attempt(async () => {
      await open();
      closeDialog();
    });
  const content = file.kind === "scenario" ? file.text : new Uint8Array(file.content);
  return (
    <div className={form.form}>
      <h3 className={css.title}>{title}</h3>
      {about && <p className={css.about}>{about}</p>}
      {loss && (
        <p className={form.error} role="alert">
          {loss} It opens as it was before that.
        </p>
      )}
      <Facts>{children}</Facts>
      {file.kind === "scenario" && (
        <details>
          <summary>Its text</summary>
          <pre className={form.file}>{file.text.slice(0, MOST_SHOWN)}</pre>
        </details>
      )}
      <div className={form.buttons}>
        <p id={id} className={form.paused}>
          It has not run yet. It opens paused, in its own world; your current one is kept under
          Worlds.
        </p>
        {problem && (
          <p className={form.error} role="alert">
            {sentence(problem)}
          </p>
        )}
        <button
          type="button"
          onClick={() => saveFile(file.file || file.kind, content, "application/octet-stream")}
        >
          Save the file
        </button>
        {file.kind === "scenario" && (
          <button
            type="button"
            onClick={() => {
              scenarioOf(page).open(file.file || "mine.yaml", file.text);
              closeDialog();
              showDocument("scenario");
            }}
          >
            Edit
          </button>
        )}
        {file.kind === "scenario" && (
          <button
            type="button"
            title="Runs it to its end beside the world on screen, and shows how they differ"
            onClick={() => {
              closeDialog();
              compareWith(page, { other: storeFile(file.file || "mine.yaml", file.text), at: 0 });
            }}
          >
            Compare
          </button>
        )}
        <button type="button" onClick={closeDialog}>
          Cancel
        </button>
        <button
          type="button"
          data-primary=""
          aria-describedby={id}
          aria-busy={busy || undefined}
          onClick={() => busy || void take()}
        >
          Open
        </button>
      </div>
    </div>
  );
}

const MOST_NAMED = 5;
/** Maximum characters of a text that are rendered without a long task. */
const MOST_SHOWN = 100_000;
