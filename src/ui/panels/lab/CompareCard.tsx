import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { errorText } from "../../../base/error-text.ts";
import { checkFileSize, fileText } from "../../../base/file-text.ts";
import { type Bundled, groupsOf } from "../../dialogs/bundled-stories.ts";
import { usePage } from "../../store/page.ts";
import { sentence } from "../../widgets/format.ts";
import { STORY, storeFile } from "../compare/other.ts";
import type { OpenLab } from "./document.ts";
import css from "./lab.module.css";
import { OtherValues, useOtherValues } from "./OtherValues.tsx";
import { compareScenario } from "./open-finding.ts";

/** Compares the file with other values, or with another file, in the compare view. */
export default function CompareCard({ lab }: { lab: OpenLab }) {
  const page = usePage();
  const { text, file, check } = useStore(lab.store);
  const [values, setValues] = useState([{ name: "seed", value: "" }]);
  const { edited, refusal } = useOtherValues({ text, file }, values);
  const stories = useStories();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const compare = async (otherOf: () => string | Promise<string>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setProblem("");
    try {
      await compareScenario(page, { text, file }, await otherOf());
    } catch (error) {
      setProblem(errorText(error));
    }
    setBusy(false);
  };
  const withValues = (): string =>
    storeFile(
      `${file} with ${values.map(({ name, value }) => `${name}=${value}`).join(", ")}`,
      edited?.text ?? "",
    );
  const opened = async (input: File): Promise<string> => {
    checkFileSize(input.size);
    return storeFile(input.name, fileText(new Uint8Array(await input.arrayBuffer())));
  };
  return (
    <section className={`card ${css.compare}`} aria-label="Compare">
      <header className={css.cardHead}>
        <h3>Compare</h3>
        <span className="small soft">{file} runs to its end and is compared with the other</span>
      </header>
      <h4>With other values</h4>
      <OtherValues values={values} set={setValues} edited={edited} />
      <div className={css.bounds}>
        <button
          type="button"
          disabled={values.length === MOST_VALUES}
          onClick={() => setValues([...values, { name: "", value: "" }])}
        >
          Another value
        </button>
        <span className={css.tools}>
          <button
            type="button"
            data-primary=""
            disabled={!edited?.text || values.length === 0}
            aria-busy={busy || undefined}
            onClick={() => void compare(withValues)}
          >
            Compare the two
          </button>
        </span>
      </div>
      <h4>With another file</h4>
      <div className={css.bounds}>
        <select
          aria-label="Compare with a bundled scenario"
          value=""
          disabled={!check}
          onChange={({ target: { value } }) => void compare(() => STORY + value)}
        >
          <option value="" disabled>
            A bundled scenario…
          </option>
          {groupsOf(stories, "").map(({ title, stories: some }) => (
            <optgroup key={title} label={title}>
              {some.map((story) => (
                <option key={story.file} value={story.file}>
                  {story.title}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
        <label className={css.pick}>
          A file to compare with
          <input
            type="file"
            accept=".yaml,.yml,.json"
            disabled={!check}
            onChange={({ target }) => {
              const [input] = target.files ?? [];
              if (input) void compare(() => opened(input));
              target.value = "";
            }}
          />
        </label>
      </div>
      {(problem || refusal) && (
        <p className={css.problem} role="alert">
          {sentence(problem || refusal)}
        </p>
      )}
    </section>
  );
}

const MOST_VALUES = 16;

/** The bundled scenarios; none if they cannot be loaded. */
function useStories(): readonly Bundled[] {
  const [stories, setStories] = useState<readonly Bundled[]>([]);
  useEffect(() => {
    fetch("scenarios/index.json")
      .then((answer) => answer.json())
      .then(setStories, () => {});
  }, []);
  return stories;
}
