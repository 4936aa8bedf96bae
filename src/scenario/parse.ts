/** Parses a file into a scenario, or into all of its problems. */
import * as v from "valibot";
import { prefixesOf } from "../base/address-prefix.ts";
import { setAddressPrefix } from "../base/bech32.ts";
import { INPUT } from "../base/limits.ts";
import type { WorldSpec } from "../engine/simulation/genesis/world-spec.ts";
import { binariesSchema, buildBinaries, type SourceBinaries } from "./binaries.ts";
import { about, isMap, list, map, oneOf, text } from "./fields.ts";
import { positionsIn, type ReadBeside, withImported } from "./files.ts";
import { buildSpec } from "./genesis.ts";
import { importedSpec } from "./genesis-import.ts";
import {
  genesisSchema,
  type SourceGenesis,
  type SourceImport,
  seedSchema,
} from "./genesis-schema.ts";
import { type Names, namesOf, type ResultKind, storesOf } from "./names.ts";
import { formatPath, type PlacedProblem, type Problem, Problems, problemsOf } from "./problems.ts";
import { propertyEntries, readProperties } from "./properties/read-properties.ts";
import { isOff, readStep } from "./read-step.ts";
import type { Scenario, ScenarioStep } from "./scenario.ts";
import { readSource } from "./source.ts";
import type { StepContext } from "./step-context.ts";
import { VERBS } from "./steps/index.ts";
import {
  checkDisturb,
  checkValues,
  type Drawn,
  readVariations,
  type SourceObject,
  withoutVariations,
} from "./varied.ts";
import { disturbSchema, varySchema } from "./vary.ts";

const GROUPS = [
  "start_here",
  "evidence",
  "upgrades",
  "governance",
  "sidecar",
  "network",
  "edge_cases",
] as const;

const numberBetween = (least: number, greatest: number) => {
  const expected = `a number from ${least} to ${greatest}`;
  return v.pipe(v.number(expected), v.minValue(least, expected), v.maxValue(greatest, expected));
};

/** A complete file, except the content of its steps. */
export const fileSchema = map({
  scenario: about(v.literal(1, "1, the version of the format"), "Version of the format."),
  name: about(
    v.pipe(
      text,
      v.regex(/^[a-z0-9][a-z0-9._-]{0,99}$/, "a name of small letters, digits, -, _ and ."),
    ),
    "Short name, valid in file names.",
  ),
  title: about(v.optional(text), "Title, one line."),
  about: about(v.optional(text, ""), "Description, in Markdown."),
  seed: about(v.optional(seedSchema, 1), "Seed of all random numbers."),
  group: about(v.optional(oneOf(...GROUPS)), "Group in the list of stories."),
  level: about(
    v.optional(oneOf("beginner", "advanced", "expert")),
    "Prior knowledge that the story expects.",
  ),
  minutes: about(
    v.optional(numberBetween(0.1, 600)),
    "Playing time in minutes, shown in the list of stories. Default: estimated from its sentences and rounds.",
  ),
  pace: about(v.optional(numberBetween(0.1, 100), 2), "Blocks per second while the story plays."),
  genesis: genesisSchema,
  binaries: binariesSchema,
  steps: list(v.unknown(), "a list of steps", INPUT.steps),
  ...propertyEntries,
  vary: varySchema,
  disturb: disturbSchema,
});

/**
 * Parses a scenario file (YAML or JSON); an exported genesis file is one without steps. Collects
 * all problems, ordered by line; nothing runs. For a file with variations, the result is its own
 * case.
 */
export function parseScenario(
  content: string,
  file: string,
  readBeside?: ReadBeside,
): { readonly scenario: Scenario } | { readonly problems: readonly PlacedProblem[] } {
  const read = parseFamily(content, file, readBeside);
  return "problems" in read ? read : { scenario: read.scenario };
}

/** A scenario file with its variations. */
export interface ParsedFamily extends Drawn {
  /** The file's own case. */
  readonly scenario: Scenario;
  /** The same as data, including the imported genesis. */
  readonly source: SourceObject;
}

/** The same, with the file's variations. */
export function parseFamily(
  content: string,
  file: string,
  readBeside?: ReadBeside,
): ParsedFamily | { readonly problems: readonly PlacedProblem[] } {
  const read = readSource(content, file);
  if ("problems" in read) return read;
  const whole = withImported({ ...read.source, file }, readBeside);
  if ("problems" in whole) return whole;
  const problems = new Problems();
  const scenario = readScenario(whole.value, problems.report);
  const isSound = () => problems.listed.length === 0;
  if (scenario && isSound() && isMap(whole.value)) {
    const drawn = readDrawn(whole.value, scenario, problems.report);
    if (isSound()) return { scenario, source: withoutVariations(whole.value), ...drawn };
  }
  return { problems: problems.placed((paths) => positionsIn(whole, paths)) };
}

/** Parses a scenario that is already data. */
export function readSourceObject(
  source: SourceObject,
): { readonly scenario: Scenario } | { readonly problems: readonly Problem[] } {
  const problems = new Problems();
  const scenario = readScenario(source, problems.report);
  return scenario && problems.listed.length === 0 ? { scenario } : { problems: problems.listed };
}

/** Parses the variations of a valid file. */
function readDrawn(
  source: SourceObject,
  { spec }: Scenario,
  report: (problem: Problem) => void,
): Drawn {
  const drawn = v.parse(v.pick(fileSchema, ["vary", "disturb"]), {
    vary: source.vary,
    disturb: source.disturb,
  });
  const disturb = [drawn.disturb].flat();
  const vary = readVariations(source, drawn.vary, report);
  const firstProblem = (varied: SourceObject) => {
    const read = readSourceObject(varied);
    return "problems" in read ? read.problems[0] : undefined;
  };
  checkValues(source, vary, firstProblem, report);
  checkDisturb(source, disturb, namesAtGenesis(spec, new Map()), report);
  setAddressPrefix(spec.prefix);
  return { vary: vary.filter((one) => one !== undefined), disturb };
}

/** Problem with the genesis of an otherwise valid file: no chain can start with it. */
export function genesisProblem(
  content: string,
  file: string,
  message: string,
  readBeside?: ReadBeside,
): PlacedProblem {
  return problemAt(content, file, { path: ["genesis"], message }, readBeside);
}

/** Problem at a path of a valid file, with its position. */
export function problemAt(
  content: string,
  file: string,
  { path, message }: Problem,
  readBeside?: ReadBeside,
): PlacedProblem {
  const read = readSource(content, file);
  const at = { file, path: formatPath(path), line: 1 };
  if ("problems" in read) return { ...at, message };
  const whole = withImported({ ...read.source, file }, readBeside);
  const [place = at] = "problems" in whole ? [] : positionsIn(whole, [path]);
  return { ...place, message };
}

/**
 * Parses one step (YAML or JSON text) against the names of a world. JSON comes from forms: its
 * problems are worded without lines and files.
 */
export function parseStep(
  content: string,
  { sim, results }: StepContext,
): { readonly step: ScenarioStep } | { readonly problems: readonly PlacedProblem[] } {
  const read = readSource(content, "step");
  if ("problems" in read) return read;
  const { source } = read;
  const kinds = Array.from(results, ([as, { value, evidence }]): [string, ResultKind] => [
    as,
    { value: value !== undefined, evidence: evidence !== undefined },
  ]);
  const names = namesOf(sim, new Map(kinds));
  const problems = new Problems();
  const isForm = content.trimStart().startsWith("{");
  const step = readStep(source.value, [], names, (problem) =>
    problems.report(isForm ? { ...problem, message: problem.inForm ?? problem.message } : problem),
  );
  if (step) return { step };
  return { problems: problems.placed((paths) => positionsIn({ ...source, file: "step" }, paths)) };
}

function readScenario(source: unknown, report: (problem: Problem) => void): Scenario | undefined {
  const file = v.safeParse(fileSchema, source);
  if (!file.success) for (const problem of problemsOf(file.issues, [])) report(problem);
  const parts = isMap(source) ? source : {};
  // With a valid genesis the names are known and the steps can be checked, despite other problems.
  const genesis = v.safeParse(genesisSchema, parts.genesis);
  const binaries = v.safeParse(binariesSchema, parts.binaries);
  const seed = file.success ? file.output.seed : 1;
  const spec =
    genesis.success && binaries.success
      ? specOf(genesis.output, seed, binaries.output, report)
      : undefined;
  const results = new Map<string, ResultKind>();
  const steps = readSteps(parts.steps, spec, results, report);
  const properties = file.success
    ? readProperties(file.output, parts, spec && namesAtGenesis(spec, results), report)
    : [];
  if (!file.success || !spec) return undefined;
  const { name, title = name, about: story, pace, group, level, minutes } = file.output;
  const listed = {
    ...(group && { group }),
    ...(level && { level }),
    ...(minutes && { minutes }),
  };
  const { vary, disturb } = file.output;
  const isFamily = vary.length > 0 || [disturb].flat().length > 0;
  return { name, title, about: story, pace, spec, steps, properties, isFamily, listed };
}

function specOf(
  genesis: SourceGenesis | SourceImport,
  seed: number,
  binaries: SourceBinaries,
  report: (problem: Problem) => void,
): WorldSpec | undefined {
  return "import" in genesis
    ? importedSpec(genesis, seed, binaries, report)
    : buildSpec(genesis, seed, buildBinaries(binaries, report), report);
}

function readSteps(
  source: unknown,
  spec: WorldSpec | undefined,
  results: Map<string, ResultKind>,
  report: (problem: Problem) => void,
): readonly ScenarioStep[] {
  if (!Array.isArray(source) || source.length > INPUT.steps) return [];
  const names = spec && namesAtGenesis(spec, results);
  let height: number | undefined = names && names.initialHeight - 1;
  return source.flatMap((item: unknown, index) => {
    if (isOff(item)) return [];
    const step = readStep(item, ["steps", index], names && { ...names, height }, report);
    noteResult(item, results);
    // Known after a step only if it follows from the file alone.
    height = height === undefined ? undefined : step?.action.heightAfter(height);
    return step ?? [];
  });
}

export function namesAtGenesis(spec: WorldSpec, results: ReadonlyMap<string, ResultKind>): Names {
  const validators = spec.validators.map(({ name }) => name);
  return {
    denom: spec.staking.bondDenom,
    prefix: prefixesOf(spec.prefix).account,
    nodes: new Set(validators),
    accounts: new Set([...spec.accounts.map(({ name }) => name), ...validators]),
    binaries: new Set(spec.binaries.map(({ name }) => name)),
    stores: storesOf(spec.binaries),
    results,
    initialHeight: spec.initialHeight,
  };
}

/** Declares a step's name for later steps, even if the step has a problem. */
function noteResult(step: unknown, results: Map<string, ResultKind>): void {
  if (!isMap(step)) return;
  const verb = Object.keys(step).find((key) => VERBS.has(key));
  const gives = verb === undefined ? undefined : VERBS.get(verb)?.gives;
  if (typeof step.as === "string" && gives) results.set(step.as, gives);
}
