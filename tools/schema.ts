/**
 * Writes public/scenario.schema.json, the JSON Schema of scenario files, drawn from the very schemas
 * that read them, and public/scenarios/index.json, the list of the bundled scenarios.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { about as described, map, name, text } from "../src/scenario/fields.ts";
import { fileSchema, parseScenario } from "../src/scenario/parse.ts";
import { VERBS } from "../src/scenario/steps/index.ts";

const PUBLIC = fileURLToPath(new URL("../public", import.meta.url));
export const SCHEMA_FILE = join(PUBLIC, "scenario.schema.json");
export const SCENARIOS = join(PUBLIC, "scenarios");
export const INDEX_FILE = join(SCENARIOS, "index.json");

/** The JSON Schema (draft 2020-12) as text. */
export function scenarioSchema(): string {
  const steps = [...VERBS.values()].map(({ name: verb, args, gives }) => {
    const entries: Record<string, v.GenericSchema> = {
      [verb]: args,
      note: described(v.optional(text), "Shown in the page beside the step."),
    };
    if (gives) {
      entries.as = described(v.optional(name), "A name for the step's result.");
    }
    return map(entries);
  });
  const file = map({
    ...fileSchema.entries,
    steps: described(v.array(v.union(steps)), "What is done and expected, one after the other."),
  });
  const { $schema, ...rest } = toJsonSchema(file, {
    target: "draft-2020-12",
    typeMode: "input",
    // Beyond what JSON Schema can say; patterns beside them say the most of it.
    ignoreActions: ["check", "raw_check", "transform"],
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      "entries" in valibotSchema
        ? { ...jsonSchema, properties: withMeaning(jsonSchema.properties, valibotSchema.entries) }
        : undefined,
  });
  const schema = {
    $schema,
    title: "Chainlab scenario",
    description: "The beginning of a simulated chain, and steps that are run on it.",
    ...rest,
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** The properties with each key's meaning; the converter loses it where a text is read as a value. */
function withMeaning(
  properties: JsonSchema["properties"],
  entries: unknown,
): JsonSchema["properties"] {
  const said = new Map(
    Object.entries(entries as v.ObjectEntries).map(([key, entry]) => [
      key,
      v.getDescription(entry),
    ]),
  );
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([key, schema]) => {
      const description = said.get(key);
      return [
        key,
        typeof schema === "boolean" || !description ? schema : { ...schema, description },
      ];
    }),
  );
}

/** File, title and about of every bundled scenario, by name. Throws if one has a problem. */
export function scenarioIndex(): string {
  const entries = scenarioFiles().map((file) => {
    const read = parseScenario(readFileSync(join(SCENARIOS, file), "utf8"), file);
    if ("problems" in read) throw new Error(`${file}: ${read.problems[0]?.message}`);
    const { title, about } = read.scenario;
    return { file, title, about: about.trim() };
  });
  return `${JSON.stringify(entries, null, 2)}\n`;
}

export const scenarioFiles = (): string[] =>
  readdirSync(SCENARIOS)
    .filter((file) => file.endsWith(".yaml"))
    .sort();

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(SCHEMA_FILE, scenarioSchema());
  writeFileSync(INDEX_FILE, scenarioIndex());
}
