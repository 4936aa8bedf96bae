import { type ReactNode, useId } from "react";
import css from "./Field.module.css";

/** Attributes that connect a control to its label, hint and error. */
interface FieldControl {
  id: string;
  "aria-describedby": string;
  "aria-invalid": boolean;
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** The engine's own text; empty if the value is valid. */
  error?: string | undefined;
  children: (control: FieldControl) => ReactNode;
}

/** A labelled control with its hint and its error. */
export function Field({ label, hint, error = "", children }: FieldProps) {
  const id = useId();
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-describedby": `${id}-about`, "aria-invalid": error !== "" })}
      <div id={`${id}-about`} className={css.about}>
        {error && (
          <p className={css.error} role="alert">
            {error}
          </p>
        )}
        {hint && !error && <p className={css.hint}>{hint}</p>}
      </div>
    </div>
  );
}

interface TextFieldProps extends Omit<FieldProps, "children"> {
  value: string;
  onChange: (value: string) => void;
  inputMode?: "numeric" | "decimal";
  placeholder?: string | undefined;
}

/** A field for one line of text. */
export function TextField({ label, hint, error, onChange, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <input {...control} {...input} onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  );
}

interface SelectFieldProps<T extends string> extends Omit<FieldProps, "children"> {
  value: T;
  onChange: (value: T) => void;
  /** Its `<option>` elements, whose values are of the type. */
  children: ReactNode;
}

/** A field with one choice of a list. */
export function SelectField<T extends string>(props: SelectFieldProps<T>) {
  const { label, hint, error, value, onChange, children } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChange(target.value as T)}>
          {children}
        </select>
      )}
    </Field>
  );
}

/** Two or more fields side by side if there is space. */
export function Fields({ children }: { children: ReactNode }) {
  return <div className={css.fields}>{children}</div>;
}

interface ChoicesProps<T extends string> {
  legend: string;
  value: T;
  options: readonly { value: T; label: string; about?: string }[];
  /** True to lay the options out in a row if there is space, for short ones in a long form. */
  beside?: boolean;
  onChange: (value: T) => void;
}

/** A choice among a few options, each with an explanation. */
export function Choices<T extends string>(props: ChoicesProps<T>) {
  const { legend, value, options, beside = false, onChange } = props;
  const name = useId();
  return (
    <fieldset className={css.choices} data-beside={beside || undefined}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={css.choice}
          data-on={option.value === value || undefined}
        >
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>
            {option.label}
            {option.about && <span className={css.hint}>{option.about}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface PickProps {
  legend: string;
  names: readonly string[];
  picked: readonly string[];
  onChange: (picked: readonly string[]) => void;
  hint?: string;
  error?: string;
}

/** Selects any number of names from a list. */
export function Pick({ legend, names, picked, onChange, hint, error = "" }: PickProps) {
  const id = useId();
  return (
    <fieldset className={css.choices} aria-describedby={`${id}-about`}>
      <legend>{legend}</legend>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={css.names} tabIndex={0} aria-label={legend}>
        {names.map((name) => (
          <label key={name} className={css.name}>
            <input
              type="checkbox"
              checked={picked.includes(name)}
              onChange={({ target }) =>
                onChange(names.filter((n) => (n === name ? target.checked : picked.includes(n))))
              }
            />
            {name}
          </label>
        ))}
      </section>
      <div id={`${id}-about`} className={css.about}>
        {error ? (
          <p className={css.error} role="alert">
            {error}
          </p>
        ) : (
          hint && <p className={css.hint}>{hint}</p>
        )}
      </div>
    </fieldset>
  );
}

interface TickProps {
  label: string;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A checkbox. */
export function Tick({ label, hint, checked, onChange }: TickProps) {
  return (
    <label className={css.choice} data-on={checked || undefined}>
      <input
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        {label}
        {hint && <span className={css.hint}>{hint}</span>}
      </span>
    </label>
  );
}
