import { fileURLToPath } from "node:url";
import { EXAMPLES } from "./scenario-examples.ts";
import { scenarioSchema } from "./schema.ts";

export const SCENARIO_DOCS = fileURLToPath(new URL("../docs/scenarios.md", import.meta.url));

/** The part of JSON Schema that scenario schemas use. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
}

/** Returns the document with current tables. Throws for a table without a schema. */
export function withTables(document: string): string {
  const tables = tablesOf(JSON.parse(scenarioSchema()) as Schema);
  return document.replace(
    /<!-- table (\S+) -->\n[\s\S]*?<!-- end -->/g,
    (_, name: string) => `<!-- table ${name} -->\n${tableOf(tables, name)}\n<!-- end -->`,
  );
}

/** Returns the table of a value; for a value with several forms, one table for each under a heading. */
function tableOf(tables: ReadonlyMap<string, Schema>, name: string): string {
  const schema = tables.get(name);
  if (schema === undefined) throw new Error(`docs/scenarios.md: there is no table ${name}`);
  const forms = formsOf(schema, name.split(":")[1] ?? "");
  const text = forms.map(({ heading, rows }) => {
    const lines = rows.map(
      ({ key, form, usual, example, about }) =>
        `| \`${key}\` | ${form} | ${usual} | ${EXAMPLES[`${name}.${key}`] ?? example} | ${about} |`,
    );
    const title = forms.length > 1 ? [`${heading}:`, ""] : [];
    return [...title, HEAD, "|---|---|---|---|---|", ...lines].join("\n");
  });
  return text.join("\n\n");
}

const HEAD = "| Key | Value | Default | Example | Meaning |";

/**
 * The parts of the format that have a table: `file`, `genesis`, `import`, `binary`, `show`, `vary`,
 * `disturb`, and `verb:NAME`.
 */
export function tablesOf(file: Schema): ReadonlyMap<string, Schema> {
  const { genesis, binaries, steps, vary, disturb, always, never, eventually, sometimes, ...rest } =
    file.properties ?? {};
  const lists = { always, never, eventually, sometimes };
  const [imported, begun] = genesis?.anyOf ?? [];
  const { slashing, staking, gov, validators, ...plain } = begun?.properties ?? {};
  const [list] = validators?.anyOf ?? [];
  const parts: [string, Schema | undefined][] = [
    ["file", { ...file, properties: { ...rest, ...withoutForms(lists) } }],
    ["property", { properties: besideForm(eventually) }],
    ["genesis", { ...begun, properties: plain }],
    ["validator", list?.items],
    ["slashing", slashing],
    ["staking", staking],
    ["gov", gov],
    ["import", imported],
    ["binary", binaries?.additionalProperties as Schema],
    ["vary", vary?.items],
    ["disturb", disturb?.anyOf?.find(({ properties }) => properties !== undefined)],
    ["show", steps?.items?.anyOf?.[0]?.properties?.show],
    ...(steps?.items?.anyOf ?? []).map(({ properties = {} }): [string, Schema | undefined] => {
      const verb = Object.keys(properties)[0] ?? "";
      return [`verb:${verb}`, properties[verb]];
    }),
  ];
  return new Map(parts.flatMap(([name, schema]) => (schema ? [[name, schema] as const] : [])));
}

/** Lists of properties without their forms, which are those of `expect`. */
const withoutForms = (lists: Readonly<Record<string, Schema | undefined>>) =>
  Object.fromEntries(
    Object.entries(lists).flatMap(([key, list]) =>
      list ? [[key, { ...list, items: { type: "object" } }]] : [],
    ),
  );

/** Returns the keys of a property in addition to those of its form. */
function besideForm(list: Schema | undefined): Readonly<Record<string, Schema>> {
  const { name, from, within } = list?.items?.anyOf?.[0]?.properties ?? {};
  return Object.fromEntries(
    Object.entries({ name, from, within }).flatMap(([key, schema]) =>
      schema ? [[key, schema] as const] : [],
    ),
  );
}

interface Row {
  readonly key: string;
  readonly form: string;
  readonly usual: string;
  readonly example: string;
  readonly about: string;
}

interface Form {
  /** Distinguishes it from the other forms of the same value. */
  readonly heading: string;
  readonly rows: readonly Row[];
}

/** Returns the forms of a value: one for all that are not maps, then one for each map. `own` is the value's key. */
function formsOf(schema: Schema, own: string): readonly Form[] {
  const { anyOf: forms = [schema], description = "" } = schema;
  const values = forms.filter(({ properties }) => properties === undefined);
  const value: Schema = { description, anyOf: values };
  return [
    ...(values.length > 0 ? [{ heading: "Not a map", rows: [rowOf(own, value, "")] }] : []),
    ...forms
      .filter((form) => !values.includes(form))
      .map((form) => ({
        heading: `A map with ${requiredOf(form).map(code).join(", ")}`,
        rows: rowsOf(form, "", "required"),
      })),
  ];
}

const requiredOf = ({ required = [] }: Schema): readonly string[] => required;

/** Returns a row for each key of a map and of its nested maps. `must` is the text for required keys. */
function rowsOf(schema: Schema, prefix: string, must: string): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const key = prefix + name;
    const isRequired = requiredOf(schema).includes(name);
    return [rowOf(key, property, isRequired ? must : ""), ...below(property, key, "required")];
  });
}

function below(schema: Schema, key: string, must: string): Row[] {
  const { items, additionalProperties: named, anyOf: forms = [] } = schema;
  const hasForms = forms.filter(({ properties }) => properties !== undefined).length > 1;
  return [
    ...rowsOf(schema, `${key}.`, must),
    ...(items ? below(items, `${key}[]`, must) : []),
    ...(typeof named === "object" ? below(named, `${key}.NAME`, must) : []),
    ...forms.flatMap((form) => {
      const inForm = `required in \`{ ${requiredOf(form).join(", ")} }\``;
      return below(form, key, hasForms ? inForm : must);
    }),
  ];
}

function rowOf(key: string, schema: Schema, required: string): Row {
  const { description = "", default: usual } = schema;
  const shown = usual === undefined || usual === "" ? "" : code(usual);
  return {
    key,
    form: formOf(schema),
    usual: required || shown,
    example: EXAMPLES[key.split(".").at(-1) ?? ""] ?? exampleOf(schema),
    about: cell(description),
  };
}

const code = (value: unknown): string =>
  `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** Kinds of text, sentence by how they are written: what they are called, and one of them. */
const TEXTS: readonly (readonly [pattern: RegExp, name: string, example: string])[] = [
  [/^\^\(\[0-9\.\]\+\(ns/, "duration", "`90s`"],
  [/^\^\[\+-\]\?/, "duration, also backward", "`-10s`"],
  [/^\^\(\[0-9\]\{1,22\}\)/, "amount with its denom", "`10000000stake`"],
  [/\\d\{4\}-/, "time (RFC 3339, UTC)", "`2026-01-01T00:00:00Z`"],
  [/^\\\$$/, "reference", "`$p`"],
];

const textKind = ({ pattern }: Schema) =>
  TEXTS.find(([sentence]) => pattern !== undefined && sentence.test(pattern));

/** A number that may also be written as text, to keep it exact. */
const isNumber = ({ anyOf = [] }: Schema): boolean =>
  anyOf.length === 2 &&
  anyOf.every(({ type, pattern }) => !pattern && /^(string|number)$/.test(type ?? ""));

function formOf(schema: Schema): string {
  if (isNumber(schema)) return "number, also as text";
  if (schema.anyOf) return [...new Set(schema.anyOf.map(formOf))].join(" or ");
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return schema.enum.map(code).join(", ");
  switch (schema.type) {
    case "integer":
      return `integer, ${schema.minimum} to ${schema.maximum}`;
    case "number":
      return `number, ${schema.minimum} to ${schema.maximum}`;
    case "boolean":
      return "`true`, `false`";
    case "string":
      return textKind(schema)?.[1] ?? "text";
    case "array":
      return `list of ${formOf(schema.items ?? {})}`;
    case "object":
      return "map";
    default:
      return "any value";
  }
}

function exampleOf(schema: Schema): string {
  if (schema.default !== undefined && schema.default !== "") return code(schema.default);
  if (isNumber(schema)) return '`"95000000"`';
  if (schema.anyOf) return schema.anyOf.map(exampleOf).findLast((one) => one !== "") ?? "";
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return code(schema.enum[0]);
  switch (schema.type) {
    case "integer":
      return code(Math.max(schema.minimum ?? 0, Math.min(12, schema.maximum ?? 12)));
    case "number":
      return code(((schema.minimum ?? 0) + (schema.maximum ?? 1)) / 2);
    case "boolean":
      return code(true);
    case "string":
      return textKind(schema)?.[2] ?? "";
    default:
      return "";
  }
}
