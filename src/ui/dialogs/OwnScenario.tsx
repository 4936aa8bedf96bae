import { useState } from "react";
import { useActions } from "../store/page.ts";
import type { Problem } from "../store/types.ts";
import css from "./Stories.module.css";

/** A scenario from a file or from the clipboard; what is wrong with it is listed, and nothing runs. */
export function OwnScenario() {
  const { loadScenario, closeDialog } = useActions();
  const [text, setText] = useState("");
  const [file, setFile] = useState("pasted.yaml");
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [busy, setBusy] = useState(false);

  const run = async (content: string, name: string): Promise<void> => {
    setText(content);
    setFile(name);
    setBusy(true);
    const found = await loadScenario(content, name);
    setBusy(false);
    setProblems(found);
    if (found.length > 0) return;
    closeDialog();
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
            if (chosen) await run(await chosen.text(), chosen.name);
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
          <div className={css.problems}>
            <p>Nothing has run. What is wrong with {file}:</p>
            <ul>
              {problems.map((problem) => (
                <li key={`${problem.line}${problem.path}${problem.message}`}>
                  {problem.line > 0 && <span>line {problem.line} </span>}
                  {problem.path && <code>{problem.path}</code>} {problem.message}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
      <button type="button" disabled={busy || text.trim() === ""} onClick={() => run(text, file)}>
        {busy ? "Checking…" : "Check and run"}
      </button>
    </details>
  );
}
