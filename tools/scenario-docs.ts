/**
 * Writes the tables of docs/scenarios.md from the schemas that read scenario files; the prose between
 * them stays.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
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

/** The document with fresh tables. Throws for a table that no part of the schema gives. */
export function withTables(document: string): string {
  const tables = tablesOf(JSON.parse(scenarioSchema()) as Schema);
  return document.replace(
    /<!-- table (\S+) -->\n[\s\S]*?<!-- end -->/g,
    (_, name: string) => `<!-- table ${name} -->\n${tableOf(tables, name)}\n<!-- end -->`,
  );
}

function tableOf(tables: ReadonlyMap<string, Schema>, name: string): string {
  const schema = tables.get(name);
  if (schema === undefined) throw new Error(`docs/scenarios.md: there is no table ${name}`);
  const lines = rowsOf(schema, name.split(":")[1] ?? "", "").map(
    ({ key, form, usual, example, about }) =>
      `| \`${key}\` | ${form} | ${usual} | ${EXAMPLES[`${name}.${key}`] ?? example} | ${about} |`,
  );
  return ["| Key | Value | Default | Example | Meaning |", "|---|---|---|---|---|", ...lines].join(
    "\n",
  );
}

/** The parts of the format that have a table: `file`, `genesis`, `import`, `binary`, and `verb:NAME`. */
export function tablesOf(file: Schema): ReadonlyMap<string, Schema> {
  const { genesis, binaries, steps, ...rest } = file.properties ?? {};
  const [imported, begun] = genesis?.anyOf ?? [];
  const { slashing, staking, gov, validators, ...plain } = begun?.properties ?? {};
  const [list] = validators?.anyOf ?? [];
  const parts: [string, Schema | undefined][] = [
    ["file", { ...file, properties: { ...rest } }],
    ["genesis", { ...begun, properties: plain }],
    ["validator", list?.items],
    ["slashing", slashing],
    ["staking", staking],
    ["gov", gov],
    ["import", imported],
    ["binary", binaries?.additionalProperties as Schema],
    ...(steps?.items?.anyOf ?? []).map(({ properties = {} }): [string, Schema | undefined] => {
      const verb = Object.keys(properties)[0] ?? "";
      return [`verb:${verb}`, properties[verb]];
    }),
  ];
  return new Map(parts.flatMap(([name, schema]) => (schema ? [[name, schema] as const] : [])));
}

interface Row {
  readonly key: string;
  readonly form: string;
  readonly usual: string;
  readonly example: string;
  readonly about: string;
}

/**
 * A row for each key of a map, and for each form that is no map. `own` is the key under which it all
 * stands.
 */
function rowsOf(schema: Schema, own: string, prefix: string): Row[] {
  if (schema.anyOf && !isNumber(schema)) {
    const { description = "" } = schema;
    const rows = schema.anyOf.flatMap((form) => rowsOf({ description, ...form }, own, prefix));
    return rows.filter(({ key }, i) => rows.findIndex((row) => row.key === key) === i);
  }
  const { properties } = schema;
  if (properties === undefined) return own === "" ? [] : [rowOf(own, schema, false)];
  return Object.entries(properties).flatMap(([name, property]) => {
    const key = prefix + name;
    const required = schema.required?.includes(name) ?? false;
    return [rowOf(key, property, required), ...below(property, key)];
  });
}

const below = (schema: Schema, key: string): Row[] => [
  ...(schema.properties ? rowsOf(schema, "", `${key}.`) : []),
  ...(schema.items ? below(schema.items, `${key}[]`) : []),
  ...(typeof schema.additionalProperties === "object"
    ? below(schema.additionalProperties, `${key}.NAME`)
    : []),
  ...(schema.anyOf ?? []).flatMap((form) => below(form, key)),
];

function rowOf(key: string, schema: Schema, required: boolean): Row {
  const { description = "", default: usual } = schema;
  const shown = usual === undefined || usual === "" ? "" : code(usual);
  return {
    key,
    form: formOf(schema),
    usual: required ? "required" : shown,
    example: exampleOf(schema) || (EXAMPLES[key.split(".").at(-1) ?? ""] ?? ""),
    about: cell(description),
  };
}

/** What is written under keys whose form gives no example, by the last part of the key. */
const EXAMPLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    name: "v2",
    "file.name": "double-sign",
    "validator.name": "val-0",
    "genesis.evidence_types": "[oracle]",
    "genesis.accounts": "{ alice: 1000000000stake }",
    "genesis.max_evidence_bytes": "4096",
    title: "A remark",
    about: "What is to be seen",
    accounts: "{ alice: 1000000000stake }",
    evidence_types: "[oracle]",
    proposal_cancel_dest: "chain1…",
    import: "genesis.json",
    binary: "v1",
    evidence_routes: "[equivocation]",
    modules: "{ bank: 5, oracle: 1 }",
    handlers: "[v2]",
    plan_applied: "v2",
    event: "slash",
    from: "alice",
    memo: "hello",
    codespace: "sdk",
    log: "insufficient funds",
    metadata: "ipfs://remark",
    info: '{"binaries":{}}',
    daemon_name: "chaind",
    refused: "no checksum",
    validators: "[val-2]",
    by: "[val-0, val-1]",
    node: "val-2",
    stage: "v2",
    skip_upgrades: "[20]",
    heights: "[20]",
    pre_upgrade_exits: "[30, 0]",
    backup_dir: "/mnt/backups",
    custom_pre_upgrade: "preupgrade.sh",
    state_sync: "val-1",
    path: "config/app.toml",
    content: "halt-height = 0",
    remove_file: "data/upgrade-info.json",
    partition: "[[val-0], [val-1, val-2]]",
    groups: "[[val-0], [val-1, val-2]]",
    clear: "all",
    url: "https://releases.example/v2",
    get: "/lab/v1/nodes",
    json: "{ height: 3 }",
    because: "UPGRADE",
    disk: "val-0",
    file: "upgrade-info.json",
    type: "slash",
    attributes: "{ reason: double_sign }",
    store: "evidence",
    key: "00AB",
    value: "present",
    tokens: "val-2",
    "@type": "/chain.bank.v1beta1.MsgSend",
  }).map(([key, example]) => [key, `\`${example}\``]),
);

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
      return `whole number, ${schema.minimum} to ${schema.maximum}`;
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
  if (schema.anyOf) return schema.anyOf.map(exampleOf).find((one) => one !== "") ?? "";
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(SCENARIO_DOCS, withTables(readFileSync(SCENARIO_DOCS, "utf8")));
}
