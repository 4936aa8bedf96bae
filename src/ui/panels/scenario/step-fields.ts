/**
 * Converts a step to the fields of a form, and back. Nested values are in YAML flow style, on one
 * line.
 */
import { formsOf, type Schema } from "./schema.ts";

export interface Fields {
  readonly verb: string;
  /** Index among the verb's formats. */
  readonly form: number;
  readonly values: Readonly<Record<string, string>>;
  /** The original values, which are preserved unless the field changes. */
  readonly source: Readonly<Record<string, unknown>>;
  readonly note: string;
  /** The name of its result, which is preserved. */
  readonly as: string;
  readonly show: string;
}

/** The key for a format that is not a map. */
export const WHOLE_STEP = "";

export const NO_FIELDS: Fields = {
  verb: "run",
  form: 0,
  values: {},
  source: {},
  note: "",
  as: "",
  show: "",
};

/** @param json a step; empty for a new one */
export function fieldsOf(json: string, verbs: ReadonlyMap<string, Schema>): Fields {
  if (json === "") return NO_FIELDS;
  const { note, as, show, ...step } = JSON.parse(json) as Record<string, unknown>;
  const [[verb, args] = ["run", undefined]] = Object.entries(step);
  const forms = formsOf(verbs.get(verb) ?? {});
  const input = isMap(args) ? args : { [WHOLE_STEP]: args };
  const fits = forms.findIndex((form) => accepts(form, args));
  const values = Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, source(value)]),
  );
  return {
    ...{ verb, form: Math.max(fits, 0), values, source: input },
    note: typeof note === "string" ? note : "",
    as: typeof as === "string" ? as : "",
    show: show === undefined ? "" : JSON.stringify(show),
  };
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** True if a value matches a form by its keys, type and enum; of nested values only enums count. */
function accepts(form: Schema, value: unknown): boolean {
  const { properties, required = [], type, enum: listed, const: only } = form;
  if (form.anyOf) return formsOf(form).some((one) => accepts(one, value));
  if (listed && !listed.includes(value)) return false;
  if (only !== undefined && only !== value) return false;
  if (isMap(value)) {
    if (properties === undefined) return type === undefined || type === "object";
    return (
      required.every((key) => Object.hasOwn(value, key)) &&
      Object.entries(value).every(([key, one]) => {
        const own = Object.hasOwn(properties, key) ? properties[key] : undefined;
        return own !== undefined && (isMap(one) || Array.isArray(one) || accepts(own, one));
      })
    );
  }
  if (properties) return false;
  const kinds = typeof type === "string" ? [type] : type;
  if (kinds === undefined) return true;
  if (Array.isArray(value)) return kinds.includes("array");
  if (typeof value === "number") return kinds.some((kind) => NUMBERS.includes(kind));
  return value === null ? kinds.includes("null") : kinds.includes(typeof value);
}

const source = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/** The step as YAML on one line. */
export function stepOf(fields: Fields, form: Schema | undefined): string {
  const { verb, values, source: input, note, as, show } = fields;
  const value = (key: string, schema: Schema): string | undefined => {
    const text = values[key] ?? "";
    if (Object.hasOwn(input, key) && text === source(input[key])) return JSON.stringify(input[key]);
    return text === "" ? undefined : flow(text, schema);
  };
  const args =
    form?.properties === undefined
      ? (value(WHOLE_STEP, form ?? {}) ?? "")
      : `{ ${[...new Set([...Object.keys(form.properties), ...Object.keys(input)])]
          .flatMap((key) => {
            const own = value(key, form.properties?.[key] ?? {});
            return own === undefined ? [] : [`${JSON.stringify(key)}: ${own}`];
          })
          .join(", ")} }`;
  const beside = [
    ...(as === "" ? [] : [`as: ${JSON.stringify(as)}`]),
    ...(note === "" ? [] : [`note: ${JSON.stringify(note)}`]),
    ...(show === "" ? [] : [`show: ${show}`]),
  ];
  return `{ ${[`${verb}: ${args}`, ...beside].join(", ")} }`;
}

/**
 * A value as YAML in the schema's type: text in quotes, a list also without brackets, anything else
 * unchanged.
 */
function flow(value: string, schema: Schema): string {
  const kinds = formsOf(schema).flatMap(({ type, enum: listed, const: only }) => [
    ...(typeof type === "string" ? [type] : (type ?? [])),
    ...(listed ?? []).map((one) => typeof one),
    ...(only === undefined ? [] : [typeof only]),
  ]);
  const isText = kinds.includes("string");
  if (/^(true|false)$/.test(value) && kinds.includes("boolean")) return value;
  if (/^-?[0-9]+(\.[0-9]+)?$/.test(value) && kinds.some((kind) => NUMBERS.includes(kind))) {
    // A number that would lose digits is a text, if the schema allows that.
    return isText && !Number.isSafeInteger(Number(value)) ? JSON.stringify(value) : value;
  }
  const structured = kinds.includes("array") || kinds.includes("object");
  if (structured && /^\s*[[{]/.test(value)) return value;
  const listed = formsOf(schema).some((one) => one.enum?.includes(value) || one.const === value);
  if (kinds.includes("array") && !listed) return `[${value}]`;
  return isText ? JSON.stringify(value) : value;
}

const NUMBERS = ["number", "integer"];
