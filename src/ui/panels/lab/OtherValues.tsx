import { useEffect, useId, useState } from "react";
import { errorText } from "../../../base/error-text.ts";
import { usePage } from "../../store/page.ts";
import type { EditedBeginning } from "../../store/types.ts";
import { sentence } from "../../widgets/format.ts";
import { Icon } from "../../widgets/Icon.tsx";
import css from "./lab.module.css";

export interface Value {
  readonly name: string;
  readonly value: string;
}

interface Found {
  readonly about: string;
  readonly edited?: EditedBeginning;
  /** Reason why the check failed; empty if it succeeded. */
  readonly refusal: string;
}

/**
 * A file with other values, or their problems; without a text until the current input is checked.
 */
export function useOtherValues(
  file: { readonly text: string; readonly file: string },
  values: readonly Value[],
): Pick<Found, "edited" | "refusal"> {
  const { client } = usePage();
  const [found, setFound] = useState<Found>({ about: "", refusal: "" });
  const about = JSON.stringify([file, values]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `about` says what is asked
  useEffect(() => {
    let current = true;
    client.lab.editBeginning({ file, values: [...values] }).then(
      (edited) => current && setFound({ about, edited, refusal: "" }),
      (error) => current && setFound({ about, refusal: errorText(error) }),
    );
    return () => {
      current = false;
    };
  }, [about, client]);
  if (found.about === about) return found;
  // The parameters that can be overridden depend on the file, which rarely changes.
  const edited = found.edited && { ...found.edited, text: "", refused: [] };
  return { refusal: "", ...(edited && { edited }) };
}

interface OtherValuesProps {
  values: readonly Value[];
  set: (values: Value[]) => void;
  /** Absent until it is known. */
  edited: EditedBeginning | undefined;
}

/** Overridden values, each with its problem below it. */
export function OtherValues({ values, set, edited }: OtherValuesProps) {
  const id = useId();
  const offered = edited?.offered ?? [];
  const change = (at: number, part: Partial<Value>): void =>
    set(values.map((one, i) => (i === at ? { ...one, ...part } : one)));
  return (
    <ol className={css.values} aria-label="Other values">
      {values.map(({ name, value }, i) => {
        const now = offered.find((one) => one.name === name);
        const isEmpty = name === "" || value === "";
        const why = isEmpty ? undefined : edited?.refused.find((one) => one.value === i)?.why;
        const problemId = `${id}-${i}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what is written in
          <li key={i}>
            <label className={css.whole}>
              Name {i + 1}
              <input
                type="text"
                list={`${id}-names`}
                value={name}
                spellCheck={false}
                autoComplete="off"
                aria-invalid={why !== undefined || undefined}
                aria-describedby={why && problemId}
                onChange={({ target }) => change(i, { name: target.value })}
              />
            </label>
            <label className={css.whole}>
              Value {i + 1}
              <input
                type="text"
                list={`${id}-values-${i}`}
                value={value}
                spellCheck={false}
                autoComplete="off"
                placeholder={now && `now ${now.value}`}
                onChange={({ target }) => change(i, { value: target.value })}
              />
              <datalist id={`${id}-values-${i}`}>
                {now?.choices.map((choice) => (
                  <option key={choice} value={choice} />
                ))}
              </datalist>
            </label>
            <button
              type="button"
              data-plain=""
              aria-label={`Remove value ${i + 1}`}
              onClick={() => set(values.filter((_, at) => at !== i))}
            >
              <Icon name="cross" size={14} />
            </button>
            {why && (
              <p id={problemId} className="small">
                {sentence(why)}
              </p>
            )}
          </li>
        );
      })}
      <datalist id={`${id}-names`}>
        {offered.map((one) => (
          <option key={one.name} value={one.name} />
        ))}
      </datalist>
    </ol>
  );
}
