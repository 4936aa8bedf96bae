import { useState } from "react";
import { useStore } from "zustand";
import { groupsOf } from "../../dialogs/bundled-stories.ts";
import { useBundledStories } from "../../dialogs/use-bundled-stories.ts";
import { usePage } from "../../store/page.ts";
import { FilePick, textOf } from "../../widgets/FilePick.tsx";
import { sentence } from "../../widgets/format.ts";
import { useAttempt } from "../../widgets/use-attempt.ts";
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
  const stories = useBundledStories();
  const { busy, problem, attempt } = useAttempt();
  const compare = (otherOf: () => string | Promise<string>): Promise<void> =>
    attempt(async () => compareScenario(page, { text, file }, await otherOf()));
  const withValues = (): string =>
    storeFile(
      `${file} with ${values.map(({ name, value }) => `${name}=${value}`).join(", ")}`,
      edited?.text ?? "",
    );
  const opened = async (input: File): Promise<string> => storeFile(input.name, await textOf(input));
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
        <FilePick
          className={css.pick}
          label="A file to compare with"
          disabled={!check}
          onPick={(input) => void compare(() => opened(input))}
        />
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
