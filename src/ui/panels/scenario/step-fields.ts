/** A step as the fields of a form, and back. What is no plain value is written as in YAML, on one line. */
import { formsOf, type Schema } from "./schema.ts";

export interface Fields {
  readonly verb: string;
  /** Which of the verb's forms. */
  readonly form: number;
  readonly values: Readonly<Record<string, string>>;
  readonly note: string;
  /** The name of its result, which stays. */
  readonly as: string;
  readonly show: string;
}

/** The key of a form that is no map. */
export const WHOLE = "";

export const NO_FIELDS: Fields = { verb: "run", form: 0, values: {}, note: "", as: "", show: "" };

/** @param json a step; empty for a new one */
export function fieldsOf(json: string, verbs: ReadonlyMap<string, Schema>): Fields {
  if (json === "") return NO_FIELDS;
  const { note, as, show, ...step } = JSON.parse(json) as Record<string, unknown>;
  const [[verb, args] = ["run", undefined]] = Object.entries(step);
  const forms = formsOf(verbs.get(verb) ?? {});
  const isMap = typeof args === "object" && args !== null && !Array.isArray(args);
  const keys = isMap ? Object.keys(args) : [];
  const fits = forms.findIndex(({ properties, required = [] }) =>
    isMap
      ? keys.every((key) => properties && Object.hasOwn(properties, key)) &&
        required.every((key) => keys.includes(key))
      : properties === undefined,
  );
  const values = isMap
    ? Object.fromEntries(Object.entries(args).map(([key, value]) => [key, written(value)]))
    : { [WHOLE]: written(args) };
  return {
    ...{ verb, form: Math.max(fits, 0), values },
    note: typeof note === "string" ? note : "",
    as: typeof as === "string" ? as : "",
    show: show === undefined ? "" : JSON.stringify(show),
  };
}

const written = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/** The step as YAML on one line. */
export function stepOf({ verb, values, note, as, show }: Fields, form: Schema | undefined): string {
  const args =
    form?.properties === undefined
      ? flow(values[WHOLE] ?? "", form ?? {})
      : `{ ${Object.entries(form.properties)
          .filter(([key]) => (values[key] ?? "") !== "")
          .map(([key, schema]) => `${JSON.stringify(key)}: ${flow(values[key] ?? "", schema)}`)
          .join(", ")} }`;
  const beside = [
    ...(as === "" ? [] : [`as: ${JSON.stringify(as)}`]),
    ...(note === "" ? [] : [`note: ${JSON.stringify(note)}`]),
    ...(show === "" ? [] : [`show: ${show}`]),
  ];
  return `{ ${[`${verb}: ${args}`, ...beside].join(", ")} }`;
}

/** A value as the schema means it: text in quotes, a list also without brackets, all else as it is. */
function flow(value: string, schema: Schema): string {
  const kinds = formsOf(schema).flatMap(({ type, enum: listed, const: only }) => [
    ...(typeof type === "string" ? [type] : (type ?? [])),
    ...(listed ?? []).map((one) => typeof one),
    ...(only === undefined ? [] : [typeof only]),
  ]);
  const isText = kinds.includes("string");
  if (/^(true|false)$/.test(value) && kinds.includes("boolean")) return value;
  if (/^-?[0-9]+(\.[0-9]+)?$/.test(value) && kinds.some((kind) => NUMBERS.includes(kind))) {
    return value;
  }
  const structured = kinds.includes("array") || kinds.includes("object");
  if (structured && /^\s*[[{]/.test(value)) return value;
  const listed = formsOf(schema).some((one) => one.enum?.includes(value) || one.const === value);
  if (kinds.includes("array") && !listed) return `[${value}]`;
  return isText ? JSON.stringify(value) : value;
}

const NUMBERS = ["number", "integer"];
