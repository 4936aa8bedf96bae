import { useEffect, useId, useState } from "react";
import { errorText } from "../../../base/error-text.ts";
import css from "./scenario.module.css";
import { formsOf, type Schema, scenarioSchema, valuesOf, verbsOf } from "./schema.ts";
import { type Fields, fieldsOf, NO_FIELDS, stepOf, WHOLE_STEP } from "./step-fields.ts";

interface StepFormProps {
  /** The edited step, in JSON; empty for a new one. */
  json: string;
  done: string;
  cancel: () => void;
  write: (step: string) => Promise<void>;
}

/** A form for a step, generated from the schema of its verb. */
export function StepForm({ json, done, cancel, write }: StepFormProps) {
  const [schema, setSchema] = useState<Schema>();
  const [problem, setProblem] = useState("");
  const [fields, setFields] = useState<Fields>(NO_FIELDS);
  useEffect(() => {
    scenarioSchema().then(
      (found) => {
        setSchema(found);
        setFields(fieldsOf(json, verbsOf(found)));
      },
      (error: unknown) => setProblem(errorText(error)),
    );
  }, [json]);
  if (schema === undefined) return <p className="soft">{problem || "Reading the schema…"}</p>;
  const verbs = verbsOf(schema);
  const args = verbs.get(fields.verb);
  const forms = args === undefined ? [] : formsOf(args);
  const form = forms[fields.form];
  const set = (key: string, value: string): void =>
    setFields((before) => ({ ...before, values: { ...before.values, [key]: value } }));
  return (
    <form
      className={css.form}
      aria-label="A step"
      onSubmit={(event) => {
        event.preventDefault();
        void write(stepOf(fields, form));
      }}
    >
      <label>
        <span>What</span>
        <select
          // biome-ignore lint/a11y/noAutofocus: the form was asked for
          autoFocus
          value={fields.verb}
          onChange={({ target }) => setFields({ ...NO_FIELDS, verb: target.value })}
        >
          {[...verbs.keys()].map((verb) => (
            <option key={verb}>{verb}</option>
          ))}
        </select>
      </label>
      <p className="soft small">{forms[0]?.description ?? args?.description}</p>
      {forms.length > 1 && (
        <label>
          <span>Form</span>
          <select
            value={fields.form}
            onChange={({ target }) =>
              setFields({ ...fields, form: Number(target.value), values: {}, source: {} })
            }
          >
            {forms.map((one, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: forms have no names
              <option key={i} value={i}>
                {formName(one)}
              </option>
            ))}
          </select>
        </label>
      )}
      <Arguments schema={form} fields={fields} set={set} />
      <label>
        <span>note</span>
        <input
          value={fields.note}
          onChange={({ target }) => setFields({ ...fields, note: target.value })}
        />
      </label>
      <p className={css.add}>
        <button type="submit" data-primary="">
          {done}
        </button>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </p>
    </form>
  );
}

interface ArgumentsProps {
  schema: Schema | undefined;
  fields: Fields;
  set: (key: string, value: string) => void;
}

/** A field for each argument of the step, or one for a step without names. */
function Arguments({ schema, fields, set }: ArgumentsProps) {
  const id = useId();
  if (schema?.properties)
    return Object.entries(schema.properties).map(([key, field]) => (
      <Field
        key={key}
        id={`${id}-${key}`}
        name={key}
        schema={field}
        required={schema.required?.includes(key) ?? false}
        value={fields.values[key] ?? ""}
        set={(value) => set(key, value)}
      />
    ));
  return (
    <Field
      id={`${id}-whole`}
      name={fields.verb}
      schema={schema ?? {}}
      required
      value={fields.values[WHOLE_STEP] ?? ""}
      set={(value) => set(WHOLE_STEP, value)}
    />
  );
}

const formName = ({ properties, required = [], enum: listed, type }: Schema): string => {
  if (properties)
    return `with ${(required.length > 0 ? required : Object.keys(properties)).join(", ")}`;
  return listed
    ? listed.join(" or ")
    : type === "integer"
      ? "a number"
      : type === "array"
        ? "a list"
        : `a ${String(type)}`;
};

interface FieldProps {
  id: string;
  name: string;
  schema: Schema;
  required: boolean;
  value: string;
  set: (value: string) => void;
}

function Field({ id, name, schema, required, value, set }: FieldProps) {
  const listed = valuesOf(schema);
  const only = listed.length > 0 && formsOf(schema).every((one) => valuesOf(one).length > 0);
  const about = schema.description ?? "";
  return (
    <div className={css.field}>
      <label htmlFor={id}>
        {name}
        {required && <span className="soft"> · needed</span>}
      </label>
      {only ? (
        <select
          id={id}
          value={value}
          required={required}
          onChange={({ target }) => set(target.value)}
        >
          <option value="" />
          {listed.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          value={value}
          required={required}
          aria-describedby={`${id}-about`}
          spellCheck={false}
          onChange={({ target }) => set(target.value)}
        />
      )}
      <p id={`${id}-about`} className="soft small">
        {about}
      </p>
    </div>
  );
}
