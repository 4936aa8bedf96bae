/**
 * Report of a search, as a file: of a complete run, or of one part, to be merged with the others.
 */
import * as v from "valibot";
import { INPUT } from "../../base/limits.ts";
import { parseScenario } from "../parse.ts";
import { PROPERTY_LISTS } from "../properties/property.ts";
import type { SearchCoverage } from "./guide.ts";
import { MOST_ANCESTORS } from "./lineage.ts";
import { OUTCOMES } from "./outcomes.ts";
import type { Finding, PropertyKind, UnfinishedCase } from "./search.ts";

export interface SearchReport {
  /** Version of the format. */
  readonly search: 1;
  readonly seed: number;
  /** Requested number of cases of each family; absent if a time limit applied. */
  readonly runs?: number;
  /** True if all properties were checked, and not only up to the first violation. */
  readonly all: boolean;
  /** The part of the cases that was run; absent for a complete search. */
  readonly shard?: Shard;
  /** True if cases are mutations of earlier ones with new coverage. */
  readonly guided?: true;
  /** Number of consecutive generations without new coverage that ends the search of a family. */
  readonly plateau?: number;
  readonly families: readonly FamilyReport[];
}

export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

export interface FamilyReport {
  readonly file: string;
  readonly name: string;
  /** SHA-256 of the file and all its imports, in hex. */
  readonly digest: string;
  readonly cases: number;
  /** Number of different cases, if known: no more are run. */
  readonly different?: number;
  /** Number of consecutive cases in one part; only for a part, and 100 if absent. */
  readonly piece?: number;
  /** Cases that ended at a failed step, with every property satisfied so far. */
  readonly unfinished: number;
  readonly firstUnfinished?: UnfinishedCase;
  /** Draws that are not a valid scenario. */
  readonly unsound: number;
  readonly properties: readonly StatedProperty[];
  readonly violated: readonly ViolatedProperty[];
  /** The `sometimes` properties that were satisfied in some case, and in none. */
  readonly reached: readonly string[];
  readonly unreached: readonly string[];
  /** Names of the properties that no case could evaluate, or finish. */
  readonly unasked: readonly string[];
  /** Number of cases by outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Only for a guided search. */
  readonly coverage?: SearchCoverage;
  /** One for each violated property, in the order of their cases. */
  readonly findings: readonly Finding[];
}

export interface StatedProperty {
  readonly property: string;
  readonly kind: PropertyKind;
}

export interface ViolatedProperty extends StatedProperty {
  /**
   * Number of cases that violated it; if the search ends with its first violation, as the first
   * one.
   */
  readonly cases: number;
  /** Number of the first of them. */
  readonly first: number;
}

/**
 * True if there is a finding. An unreached `sometimes` property counts only in a complete search or
 * the merged parts.
 */
export const hasFound = ({ families, shard }: SearchReport): boolean =>
  families.some(
    ({ violated, unreached }) =>
      violated.length > 0 || (shard === undefined && unreached.length > 0),
  );

const WHOLE = "a whole number from 0 on";
export const count = v.pipe(v.number(WHOLE), v.safeInteger(WHOLE), v.minValue(0, WHOLE));
const MAX_SEED = 4_294_967_295;
export const seed = v.pipe(count, v.maxValue(MAX_SEED, `a seed of at most ${MAX_SEED}`));
/** Maximum parts of a search, as accepted by --shard. */
const MAX_PARTS = 999_999;
const text = v.pipe(v.string("text"), v.maxLength(INPUT.text, "a shorter text"));
const ON_ONE_LINE = /^[^\n\r\u2028\u2029]*$/;
export const name = v.pipe(
  v.string("text"),
  v.maxLength(INPUT.key, "a short text"),
  v.regex(ON_ONE_LINE, "text on one line"),
);
/** Name of a property: a failed step uses its expectation, which may be long. */
const property = v.pipe(
  v.string("text"),
  v.maxLength(INPUT.text, "a shorter text"),
  v.regex(ON_ONE_LINE, "text on one line"),
);
const names = v.array(name, "a list of text");
export const strict = <const E extends v.ObjectEntries>(entries: E) =>
  v.strictObject(entries, `a map with ${Object.keys(entries).join(", ")}`);

/** A map with arbitrary keys; valibot's own silently drops `constructor` and `prototype`. */
export const record = <const S extends v.GenericSchema>(value: S) =>
  v.pipe(
    v.custom<object>((input) => typeof input === "object" && input !== null, "a map"),
    v.transform((map) => Object.entries(map)),
    v.array(v.tuple([name, value])),
    v.maxLength(INPUT.mapKeys, `a map of at most ${INPUT.mapKeys} keys`),
    v.transform((entries): Record<string, v.InferOutput<S>> => Object.fromEntries(entries)),
  );

const NAMES: ReadonlySet<string> = new Set(OUTCOMES.map((outcome) => outcome.name));

/** Number of cases by outcome. */
export const outcomesSchema = v.pipe(
  record(count),
  v.check(
    (outcomes) => Object.keys(outcomes).every((outcome) => NAMES.has(outcome)),
    "a map of counts by the names of outcomes, as chainlab coverage lists them",
  ),
);

const isScenario = (source: string): boolean =>
  "scenario" in parseScenario(source, source.startsWith("{") ? "case.json" : "case.yaml");
const scenario = v.pipe(
  v.string("text"),
  v.maxLength(INPUT.fileBytes, "the text of a file"),
  v.check(isScenario, "a sound scenario"),
);

const kind = v.picklist(
  ["always", "never", "eventually", "sometimes", "invariant", "step"],
  "a kind of property",
);

export const violationSchema = strict({
  property,
  kind,
  height: count,
  step: v.exactOptional(count),
  message: text,
});

/** Numbers of cases, each after its ancestors. */
export const ancestorsSchema = v.pipe(
  v.array(count, "a list of numbers of cases"),
  v.minLength(1, "at least one case"),
  v.maxLength(MOST_ANCESTORS, `at most ${MOST_ANCESTORS} cases`),
  v.check(
    (numbers) => numbers.every((number, i) => i === 0 || number > Number(numbers[i - 1])),
    "numbers of cases in the order in which they were made",
  ),
);

export const findingSchema = strict({
  seed,
  number: count,
  ancestors: v.exactOptional(ancestorsSchema),
  violation: violationSchema,
  stepsBefore: count,
  steps: v.array(
    strict({
      verb: name,
      words: text,
      height: count,
      without: v.picklist(["holds", "violated", "not reached"], "holds, violated or not reached"),
    }),
    "a list of steps",
  ),
  scenario,
  log: v.array(
    strict({ words: text, kept: v.boolean("true or false") }),
    "a list of what was tried",
  ),
  counterfactual: v.exactOptional(strict({ words: text, scenario })),
});

export const unfinishedSchema = strict({ number: count, step: count, message: text });

const shard = v.pipe(
  strict({
    index: v.pipe(count, v.minValue(1, "a number from 1 on")),
    count: v.pipe(count, v.maxValue(MAX_PARTS, `at most ${MAX_PARTS} parts`)),
  }),
  v.check(({ index, count: of }) => index <= of, "a part among all, such as 1 of 4"),
);

export const reportSchema = strict({
  search: v.literal(1, "1, the version of the format"),
  seed,
  runs: v.exactOptional(count),
  all: v.boolean("true or false"),
  shard: v.exactOptional(shard),
  guided: v.exactOptional(v.literal(true, "true")),
  plateau: v.exactOptional(count),
  families: v.array(
    strict({
      file: name,
      name,
      digest: v.pipe(text, v.regex(/^[0-9a-f]{64}$/, "a SHA-256 in hex")),
      cases: count,
      different: v.exactOptional(count),
      piece: v.exactOptional(count),
      unfinished: count,
      firstUnfinished: v.exactOptional(unfinishedSchema),
      unsound: count,
      properties: v.array(
        strict({ property, kind: v.picklist(PROPERTY_LISTS, PROPERTY_LISTS.join(", ")) }),
        "a list of properties",
      ),
      violated: v.array(
        strict({ property, kind, cases: count, first: count }),
        "a list of properties",
      ),
      reached: names,
      unreached: names,
      unasked: names,
      outcomes: outcomesSchema,
      coverage: v.exactOptional(
        strict({
          features: record(count),
          corpus: v.array(ancestorsSchema, "a list of cases with their ancestors"),
          generations: count,
          quiet: count,
        }),
      ),
      findings: v.array(findingSchema, "a list of findings"),
    }),
    "a list of families",
  ),
});

export interface ReportProblem {
  readonly file: string;
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

export interface NamedReport {
  readonly file: string;
  readonly report: SearchReport;
}

/**
 * Merges the reports of all parts of a search, or returns the reason why it cannot: parts of other
 * searches, missing parts, or different copies of one.
 */
export function mergeReports(
  input: readonly NamedReport[],
): { readonly report: SearchReport } | { readonly problems: readonly ReportProblem[] } {
  const [first] = input;
  if (first === undefined) return { problems: [] };
  const problems: ReportProblem[] = [];
  const report = ({ file }: NamedReport, message: string): void =>
    void problems.push({ file, path: "", line: 1, message });
  const parts = new Map<number, NamedReport>();
  const count = first.report.shard?.count ?? 1;
  for (const one of input) {
    const { shard } = one.report;
    const other = differs(first.report, one.report);
    if (other !== undefined) {
      report(one, `it is of another search than ${first.file}: ${other}`);
      continue;
    }
    const index = shard?.index ?? 1;
    const before = parts.get(index);
    if (before === undefined) parts.set(index, one);
    else if (JSON.stringify(before.report.families) !== JSON.stringify(one.report.families)) {
      report(one, `it holds part ${index} of ${count} as ${before.file} does, with other results`);
    }
  }
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter((i) => !parts.has(i));
  if (problems.length === 0 && missing.length > 0) {
    const named = missing.slice(0, 12).map((index) => `${index}/${count}`);
    const more = missing.length > 12 ? ` and ${missing.length - 12} more` : "";
    report(
      first,
      `the search has ${count} parts, and of these no report is there: ${named.join(", ")}${more}`,
    );
  }
  if (problems.length > 0) return { problems };
  const reports = [...parts].sort(([a], [b]) => a - b).map(([, { report: part }]) => part);
  const { shard: _, ...whole } = first.report;
  const families: FamilyReport[] = [];
  const most = Math.max(...reports.map((part) => part.families.length));
  for (let i = 0; i < most; i++) {
    const family = mergedFamily(
      reports.flatMap((part) => part.families[i] ?? []),
      whole.all,
    );
    families.push(family);
    if (!whole.all && family.findings.length > 0) break;
  }
  return { report: { ...whole, families } };
}

/**
 * Describes a difference between parts of different searches; undefined for parts of the same one.
 */
function differs(a: SearchReport, b: SearchReport): string | undefined {
  const number = (value: number | undefined): string => (value === undefined ? "none" : `${value}`);
  if (a.seed !== b.seed) return `seed ${b.seed} instead of ${a.seed}`;
  if (a.runs !== b.runs) return `${number(b.runs)} runs instead of ${number(a.runs)}`;
  if (a.all !== b.all) return b.all ? "with --all" : "without --all";
  if (a.guided !== b.guided) return b.guided ? "with --guided" : "without --guided";
  const [counted, other] = [a.shard?.count ?? 1, b.shard?.count ?? 1];
  if (counted !== other) return `${other} parts instead of ${counted}`;
  // Without --all a part ends with the family of its first finding; others may have continued.
  const [shorter] = [a, b].sort((one, other) => one.families.length - other.families.length);
  const hasEnded = !a.all && (shorter?.families.at(-1)?.findings.length ?? 0) > 0;
  if (a.families.length !== b.families.length && !hasEnded) {
    return `${b.families.length} files instead of ${a.families.length}`;
  }
  for (const [i, { digest, file }] of a.families.entries()) {
    const of = b.families[i];
    if (of === undefined || of.digest === digest) continue;
    return of.file === file ? `${file} has another content` : `${of.file} instead of ${file}`;
  }
  return undefined;
}

function mergedFamily(parts: readonly FamilyReport[], all: boolean): FamilyReport {
  const [{ file, name, digest, different, properties, coverage }] = parts as readonly [
    FamilyReport,
  ];
  const sum = (key: "cases" | "unfinished" | "unsound"): number =>
    parts.reduce((total, part) => total + part[key], 0);
  const violated = new Map<string, ViolatedProperty>();
  const findings = new Map<string, Finding>();
  const outcomes: Record<string, number> = {};
  for (const part of parts) {
    for (const one of part.violated) {
      const key = propertyKey(one);
      const before = violated.get(key);
      // Findings of one case stay in the order of its violations.
      if (before !== undefined && one.first < before.first) violated.delete(key);
      violated.set(key, {
        ...one,
        cases: one.cases + (before?.cases ?? 0),
        first: Math.min(one.first, before?.first ?? one.first),
      });
    }
    for (const finding of part.findings) {
      const key = propertyKey(finding.violation);
      const before = findings.get(key);
      if (before !== undefined && before.number <= finding.number) continue;
      findings.delete(key);
      findings.set(key, finding);
    }
    for (const [outcome, cases] of Object.entries(part.outcomes)) {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + cases;
    }
  }
  const inOrder = [...findings.values()].sort((a, b) => a.number - b.number);
  const reached = [...new Set(parts.flatMap((part) => part.reached))].sort();
  const unreached = new Set(parts.flatMap((part) => part.unreached));
  const [{ unasked }] = parts as readonly [FamilyReport];
  const [firstUnfinished] = parts
    .flatMap((part) => part.firstUnfinished ?? [])
    .sort((a, b) => a.number - b.number);
  return {
    file,
    name,
    digest,
    cases: sum("cases"),
    ...(different !== undefined && { different }),
    unfinished: sum("unfinished"),
    ...(firstUnfinished && { firstUnfinished }),
    unsound: sum("unsound"),
    properties,
    violated: [...violated.values()].sort((a, b) => a.first - b.first),
    reached,
    // Without --all a part with a finding has not run all its cases: one of the others may have
    // satisfied it.
    unreached:
      all || violated.size === 0 ? [...unreached].filter((one) => !reached.includes(one)) : [],
    unasked: unasked.filter((one) => parts.every((part) => part.unasked.includes(one))),
    outcomes: sortedByName(outcomes),
    // A guided search has no parts, so there is at most one report.
    ...(coverage && { coverage }),
    findings: all ? inOrder : inOrder.slice(0, 1),
  };
}

/** Key of a property within a family. */
export const propertyKey = ({
  kind: one,
  property,
}: {
  readonly kind: string;
  readonly property: string;
}): string => `${one} ${property}`;

/** A map sorted by name, independent of the order of counting. */
export const sortedByName = <T>(map: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
