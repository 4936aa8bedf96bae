import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import { errorText } from "../../../base/error-text.ts";
import { usePage } from "../../store/page.ts";
import type { FamilyCheck, ScenarioNames } from "../../store/types.ts";
import { FilePick, textOf } from "../../widgets/FilePick.tsx";
import { count, plural } from "../../widgets/format.ts";
import { Icon } from "../../widgets/Icon.tsx";
import { saveFile } from "../../widgets/save-file.ts";
import { CodeEditor } from "../scenario/CodeEditor.tsx";
import { scenarioOf } from "../scenario/document.ts";
import type { OpenLab } from "./document.ts";
import { type Family, familyText, listFamilies } from "./families.ts";
import css from "./lab.module.css";

const NO_NAMES: ScenarioNames | undefined = undefined;

/** The file whose cases are drawn: its text, its properties, and its variations. */
export function Hypothesis({ lab }: { lab: OpenLab }) {
  const { text, check, problems, refusal } = useStore(lab.store);
  const [line, setLine] = useState(0);
  const remarks = useMemo(() => problems, [problems]);
  const [first] = problems;
  return (
    <section className={`card ${css.hypothesis}`} aria-label="Hypothesis">
      <Head lab={lab} />
      <CodeEditor
        text={text}
        remarks={remarks}
        shown={line}
        names={NO_NAMES}
        label="Text of the hypothesis"
        write={(source) => lab.write(source)}
      />
      <div aria-live="polite">
        {first ? (
          <p className={css.problem}>
            <button type="button" data-link="" onClick={() => setLine(first.line)}>
              Line {first.line}
            </button>
            : {first.message}
            {problems.length > 1 && ` (and ${plural(problems.length - 1, "other")})`}
          </p>
        ) : (
          refusal && <p className={css.problem}>{refusal}</p>
        )}
        {check && !first && (
          <p className={`small ${css.sound}`}>
            <Icon name="check" size={14} />
            {check.properties.length === 0
              ? "It states no property: a step that cannot be done is a finding."
              : check.properties.length === 1
                ? "1 property, checked at every block."
                : `${count(check.properties.length)} properties, checked at every block.`}
          </p>
        )}
      </div>
      {check && <Cases check={check} />}
    </section>
  );
}

/** The file's name, and the ways to open another and to save it. */
function Head({ lab }: { lab: OpenLab }) {
  const page = usePage();
  const { file, title, text } = useStore(lab.store);
  const families = useFamilies();
  const openFile = async (input: File): Promise<void> => {
    try {
      lab.open(input.name, await textOf(input));
    } catch (error) {
      lab.store.setState({ refusal: `${input.name}: ${errorText(error)}` });
    }
  };
  const choose = async (chosen: string): Promise<void> => {
    try {
      if (chosen === SOURCE) {
        const source = scenarioOf(page).store.getState();
        lab.open(source.file, source.text);
      } else lab.open(chosen, await familyText(chosen));
    } catch (error) {
      lab.store.setState({ refusal: errorText(error) });
    }
  };
  const save = (): void => {
    const type = text.trimStart().startsWith("{") ? "json" : "yaml";
    saveFile(file, text, `application/${type}`);
  };
  return (
    <header className={css.cardHead}>
      <h3>{title || file}</h3>
      {title && <span className="small soft">{file}</span>}
      <span className={css.tools}>
        <select
          aria-label="Open a family"
          value=""
          onChange={({ target }) => void choose(target.value)}
        >
          <option value="" disabled>
            Open…
          </option>
          <option value={SOURCE}>The scenario that is written here</option>
          {families.map(({ file: each, title }) => (
            <option key={each} value={each}>
              {title}
            </option>
          ))}
        </select>
        <FilePick className={css.pick} label="A file" onPick={(input) => void openFile(input)} />
        <button type="button" onClick={save}>
          Save
        </button>
      </span>
    </header>
  );
}

/** The properties, and the values that differ from case to case. */
function Cases({ check }: { check: FamilyCheck }) {
  return (
    <>
      {check.properties.length > 0 && (
        <ul className={css.facts} aria-label="Properties">
          {check.properties.map(({ kind, name }) => (
            <li key={`${kind} ${name}`}>
              <code>{kind}</code>
              <span>{name}</span>
            </li>
          ))}
        </ul>
      )}
      <h3>What may differ</h3>
      {check.variations.length === 0 && (
        <p className="small soft">
          Nothing: this is one case. <code>vary:</code> and <code>disturb:</code> make it many.
        </p>
      )}
      <ul className={css.facts} aria-label="What may differ">
        {check.variations.map(({ what, domain }) => (
          <li key={`${what} ${domain}`}>
            <span>{what}</span>
            <span className="soft">{domain}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

const SOURCE = "written";

/** The bundled families; none if they cannot be loaded. */
function useFamilies(): readonly Family[] {
  const [families, setFamilies] = useState<readonly Family[]>([]);
  useEffect(() => {
    let current = true;
    listFamilies().then(
      (all) => current && setFamilies(all),
      () => {},
    );
    return () => {
      current = false;
    };
  }, []);
  return families;
}
