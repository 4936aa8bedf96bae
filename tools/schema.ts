/**
 * Writes public/scenario.schema.json, the JSON Schema of scenario files, drawn from the very schemas
 * that read them, and the lists of the bundled scenarios and families, index.json in their folders.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { beatsOf } from "../src/scenario/beats.ts";
import type { BundledRun } from "../src/scenario/bundled-runs.testing.ts";
import { about as described, map, name, text } from "../src/scenario/fields.ts";
import { fileSchema, parseScenario } from "../src/scenario/parse.ts";
import { runScenario } from "../src/scenario/report.ts";
import type { Scenario } from "../src/scenario/scenario.ts";
import { showSchema } from "../src/scenario/show.ts";
import { VERBS } from "../src/scenario/steps/index.ts";
import { storySeconds, USUAL_PACE } from "../src/scenario/story-duration.ts";

const PUBLIC = fileURLToPath(new URL("../public", import.meta.url));
export const SCHEMA_FILE = join(PUBLIC, "scenario.schema.json");
export const SCENARIOS = join(PUBLIC, "scenarios");
export const INDEX_FILE = join(SCENARIOS, "index.json");
/** Result of the last run of each bundled scenario. */
const RUNS: Readonly<Record<string, BundledRun>> = JSON.parse(
  readFileSync(join(PUBLIC, "../src/scenario/bundled-runs.json"), "utf8"),
);
const FAMILIES = join(PUBLIC, "families");
export const FAMILIES_FILE = join(FAMILIES, "index.json");

/** The JSON Schema (draft 2020-12) as text. */
export function scenarioSchema(): string {
  const steps = [...VERBS.values()].map(({ name: verb, args, gives }) => {
    const entries: Record<string, v.GenericSchema> = {
      [verb]: args,
      note: described(v.optional(text), "Sentence that the page shows for the step."),
      show: described(
        v.optional(showSchema),
        "View, selection and highlight of the page during the step.",
      ),
      off: described(v.optional(v.literal(true)), "Switched off: it is neither checked nor run."),
    };
    if (gives) {
      entries.as = described(v.optional(name), "Name for the step's result.");
    }
    return map(entries);
  });
  const file = map({
    ...fileSchema.entries,
    steps: described(v.array(v.union(steps)), "Actions and expectations, in order."),
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
    description: "Genesis of a simulated chain, and steps to run on it.",
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

/** Returns the index of all bundled scenarios, by file name. Throws if one has a problem. */
export const scenarioIndex = (): string => indexOf(SCENARIOS);

/** The same of the bundled families. */
export const familyIndex = (): string => indexOf(FAMILIES);

function indexOf(folder: string): string {
  const entries = scenarioFiles(folder).map((file) =>
    listingOf(readFileSync(join(folder, file), "utf8"), file),
  );
  return `${JSON.stringify(entries, null, 2)}\n`;
}

/** Returns the entry of a story in the index. Throws if its file has a problem. */
export function listingOf(content: string, file: string) {
  const read = parseScenario(content, file);
  if ("problems" in read) throw new Error(`${file}: ${read.problems[0]?.message}`);
  const { title, about, listed: { minutes, ...listed } = {} } = read.scenario;
  const seconds = minutes === undefined ? secondsOf(read.scenario, file) : Math.round(minutes * 60);
  return { file, title, about: about.trim(), ...listed, seconds, words: wordsIn(content) };
}

/** Returns the playing time of a story that declares none, from its sentences and rounds. */
const secondsOf = (scenario: Scenario, file: string): number =>
  storySeconds(
    beatsOf(scenario.steps),
    RUNS[file]?.rounds ?? roundsOf(scenario, file),
    scenario.pace ?? USUAL_PACE,
  );

function roundsOf(scenario: Scenario, file: string): number {
  let rounds = 0;
  runScenario(scenario, {
    file,
    onEnd: ({ sim }) => {
      rounds = sim.rounds;
    },
  });
  return rounds;
}

/** Words of the field, and what in the steps of a story says that it is about them. */
const WORDS: Readonly<Record<string, RegExp>> = {
  "cosmovisor sidecar": /sidecar|cosmovisor/i,
  slashing: /type: slash(?!.*count: 0)|slashed/,
  jail: /jail/i,
  unjail: /MsgUnjail/,
  tombstone: /tombstone(?!d: false)/i,
  "equivocation double sign duplicate vote":
    /double_sign|equivocation|duplicate_vote|conflicting vote/i,
  byzantine: /double_sign|twin: true|light_client_attack/,
  "light client": /light_client_attack/,
  fork: /forks: 1|SKIPPED|diverged/,
  twin: /twin: true/,
  "partition network split": /partition/,
  "chaos fault": /\bfault:/,
  halt: /halted/,
  "unsafe skip upgrades": /skip_upgrades/,
  "cancel upgrade": /MsgCancelUpgrade|cancel: true/,
  "app hash apphash nondeterminism": /app_hash: diverged|wrong Block.Header.AppHash/,
  "downtime liveness": /liveness|missing_signature|downtime/i,
  "unbonding undelegate": /MsgUndelegate/,
  "redelegation redelegate": /MsgBeginRedelegate/,
  delegate: /MsgDelegate/,
  staking: /Msg(Delegate|Undelegate|BeginRedelegate|CreateValidator)/,
  supply: /\bsupply/i,
  governance: /\bproposals?\b|\bpropose:|\bvote:|\bpass:|\bupgrade:/,
  "quorum two thirds 2/3": /two thirds|needs? 267|are needed/i,
  veto: /option: no_with_veto/,
  expedited: /expedited: true/,
  deposit: /deposit/i,
  migration: /migrat/i,
  "rollback roll back": /roll_back/,
  "statesync state sync": /state_sync/,
  checksum: /checksum/i,
  "genesis export": /import:|initial_height/,
};

/** An exported state names everything; the story is only about what its steps do with it. */
function wordsIn(content: string): readonly string[] {
  const told = content.replace(/^ {2}import:\n(?: {4}.*\n)+/m, "  import:\n");
  return Object.keys(WORDS).filter((word) => WORDS[word]?.test(told));
}

export const scenarioFiles = (folder = SCENARIOS): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    // A story comes before the one whose name continues its own.
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));

const nameOf = (file: string): string => file.slice(0, -".yaml".length);
