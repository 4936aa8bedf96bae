import { useState } from "react";
import { errorText } from "../../base/error-text.ts";
import { FileError } from "../../base/file-text.ts";
import { useNewWorlds } from "../store/new-worlds.ts";
import type { Problem } from "../store/types.ts";
import { useCloseDialog } from "../widgets/Dialog.tsx";
import { textOf } from "../widgets/FilePick.tsx";
import { FileProblems } from "./FileProblems.tsx";
import css from "./Stories.module.css";

/** Maximum characters of the text field without a long task. */
const MAX_SHOWN = 100_000;

/** A scenario from a file or the clipboard; its problems are listed, and nothing runs. */
export function OwnScenario() {
  const closeDialog = useCloseDialog();
  const { loadScenario } = useNewWorlds();
  const [text, setText] = useState("");
  const [file, setFile] = useState("pasted.yaml");
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [busy, setBusy] = useState(false);

  const run = async (name: string, read: () => Promise<string>): Promise<void> => {
    setFile(name);
    setProblems([]);
    setBusy(true);
    const found = await problemsOf(name, read);
    setBusy(false);
    setProblems(found);
    if (found.length === 0) closeDialog();
  };

  const problemsOf = async (
    name: string,
    read: () => Promise<string>,
  ): Promise<readonly Problem[]> => {
    try {
      const content = await read();
      setText(content.length > MAX_SHOWN ? "" : content);
      return await loadScenario(content, name);
    } catch (error) {
      const line = error instanceof FileError ? error.line : 0;
      return [{ path: "", line, column: 0, message: errorText(error) }];
    }
  };

  return (
    <details className={css.own}>
      <summary>Run a scenario or genesis file of your own</summary>
      <label className={css.file}>
        <span className="small soft">
          A scenario file, YAML or JSON, or a genesis file that a chain was exported to
        </span>
        <input
          type="file"
          accept=".yaml,.yml,.json"
          onChange={async ({ target }) => {
            const [chosen] = target.files ?? [];
            if (chosen) await run(chosen.name, () => textOf(chosen));
            target.value = "";
          }}
        />
      </label>
      <label className={css.paste}>
        <span className="small soft">…or its text</span>
        <textarea
          rows={5}
          spellCheck={false}
          placeholder={"scenario: 1\nname: mine\ngenesis: { validators: 4 }\nsteps:\n  - run: 3"}
          value={text}
          aria-invalid={problems.length > 0}
          aria-describedby="own-problems"
          onChange={(event) => {
            setText(event.target.value);
            setFile("pasted.yaml");
            setProblems([]);
          }}
        />
      </label>
      <div id="own-problems" aria-live="polite">
        {problems.length > 0 && (
          <FileProblems problems={problems}>What is wrong with {file}:</FileProblems>
        )}
      </div>
      <button
        type="button"
        disabled={busy || text.trim() === ""}
        onClick={() => run(file, async () => text)}
      >
        {busy ? "Checking…" : "Check and run"}
      </button>
    </details>
  );
}
