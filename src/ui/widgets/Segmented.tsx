import { useId } from "react";
import css from "./Segmented.module.css";

interface SegmentedProps<T extends string> {
  /** Accessible label of the choice. */
  legend: string;
  options: readonly (readonly [value: T, title: string])[];
  /** Undefined while none is selected. */
  value: T | undefined;
  onChange: (value: T) => void;
}

/** A choice among a few options, side by side. */
export function Segmented<T extends string>({
  legend,
  options,
  value,
  onChange,
}: SegmentedProps<T>) {
  const name = useId();
  return (
    <fieldset className={css.segmented}>
      <legend className="hidden">{legend}</legend>
      {options.map(([each, title]) => (
        <label key={each} data-chosen={value === each || undefined}>
          <input
            type="radio"
            name={name}
            checked={value === each}
            onChange={() => onChange(each)}
          />
          {title}
        </label>
      ))}
    </fieldset>
  );
}
