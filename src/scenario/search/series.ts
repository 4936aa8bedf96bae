/** Values of expressions over the world at the heights of a run. */
import * as v from "valibot";
import { choice, has, isMap, map, text } from "../fields.ts";
import { positionsIn } from "../files.ts";
import { show } from "../match.ts";
import { argumentCheck, type Names, type ResultKind } from "../names.ts";
import { namesAtGenesis } from "../parse.ts";
import {
  formatPath,
  type Path,
  type PlacedProblem,
  Problems,
  problemsOf,
  readPath,
} from "../problems.ts";
import { violationText } from "../properties/violation.ts";
import { refuseReferences } from "../read-step.ts";
import { resolveText } from "../references.ts";
import { runScenario } from "../report.ts";
import type { Scenario } from "../scenario.ts";
import { readSource } from "../source.ts";
import { type StepContext, StepError } from "../step-context.ts";
import { countInBlock, eventSchema } from "../steps/expect/events.ts";
import { answerTo, pathSchema } from "../steps/expect/get.ts";
import { tokensOf } from "../steps/expect/tokens.ts";
import { VERBS } from "../steps/index.ts";

/** A parsed expression. */
export interface Probe {
  /** Its source. */
  readonly expression: string;
  /** True if it can change while no block is made. */
  readonly changes: boolean;
  /** Its current value. Throws a StepError that says why there is none. */
  read(context: StepContext): string;
}

/** The heights at which a run is read, both ends included. */
export interface SeriesRange {
  /** Default: the chain's initial height. */
  readonly from?: number;
  /** Default: the chain's last height. */
  readonly to?: number;
  /** Interval of heights. */
  readonly every: number;
  /** Maximum number of heights; more are an Error. */
  readonly most?: number;
}

export interface Series {
  readonly expression: string;
  /** A text for each height, which is exact for any number; null if there is no value. */
  readonly values: readonly (string | null)[];
  /** True if all values that exist are numbers. */
  readonly numbers: boolean;
  /** Reason why there is none; absent if there is one at any height. */
  readonly missing?: string;
}

/** The series of a run, as `chainlab probe --json` prints it. */
export interface SeriesOfRun {
  readonly name: string;
  readonly seed: number;
  /** The chain's height before its first block. */
  readonly beginning: number;
  /** The chain's height at the end. */
  readonly height: number;
  readonly heights: readonly number[];
  readonly series: readonly Series[];
  /** The failed step and the reason, or the violated property; absent if all passed. */
  readonly failure?: string;
}

type Reading = Omit<Probe, "expression"> & {
  check(names: Names, problem: (message: string, ...path: Path) => void): void;
};

const TEXT_OF_CHAIN = "nothing behind chain, as in { chain }";

/** The formats of an expression: those of `expect`, without the compared values. */
const FORMS = {
  tokens: v.pipe(
    map({ tokens: text }),
    v.transform(
      ({ tokens: name }): Reading => ({
        changes: false,
        check: (names, problem) => argumentCheck(names, shown(problem)).account(name, "tokens"),
        read({ sim }) {
          const found = tokensOf(sim, name);
          if (found === undefined) throw new StepError(`${name} is no validator`);
          return found;
        },
      }),
    ),
  ),
  node: v.pipe(
    map({ node: text }),
    v.transform(
      ({ node: name }): Reading => ({
        changes: true,
        check: (names, problem) => argumentCheck(names, shown(problem)).node(name, "node"),
        read({ sim }) {
          const found = sim.node(name);
          if (found === undefined) throw new StepError(`there is no node ${name}`);
          return found.process;
        },
      }),
    ),
  ),
  chain: v.pipe(
    map({ chain: v.null(TEXT_OF_CHAIN) }),
    v.transform(
      (): Reading => ({
        changes: true,
        check: () => {},
        read: ({ sim }) => sim.chainStatus().state,
      }),
    ),
  ),
  events: v.pipe(
    map({ events: eventSchema }),
    v.transform(
      ({ events }): Reading => ({
        changes: false,
        check: () => {},
        read: (context) => String(countInBlock(context, events)),
      }),
    ),
  ),
  get: v.pipe(
    map({
      get: pathSchema,
      json: v.pipe(
        v.string("a path into the answer such as supply[0].amount"),
        v.check(isPath, "a path into the answer such as supply[0].amount"),
      ),
    }),
    v.transform(({ get, json }): Reading => {
      const into = readPath(json) ?? [];
      return {
        changes: false,
        check: () => {},
        read(context) {
          const path = resolveText(context, get);
          const { status, body } = answerTo(context, path);
          if (status !== 200) throw new StepError(`GET ${path}: status ${status} ${show(body)}`);
          return valueAt(body, into);
        },
      };
    }),
  ),
} as const;

const KEYS = Object.keys(FORMS).join(", ");
const schema = choice(
  `a map with one of ${KEYS}`,
  ...Object.entries(FORMS).map(([key, form]) => [has(key), form] as const),
);

function isPath(source: string): boolean {
  const path = readPath(source);
  return path !== undefined && path.length > 0;
}

const shown =
  (problem: (message: string, ...path: Path) => void) =>
  (path: Path, message: string): void =>
    problem(message, ...path);

/** The value in an answer, as text. Throws a StepError with the part of the path that exists. */
function valueAt(body: unknown, path: Path): string {
  let inside = body;
  for (const [depth, key] of path.entries()) {
    const isThere =
      typeof key === "number"
        ? Array.isArray(inside) && key < inside.length
        : isMap(inside) && Object.hasOwn(inside, key);
    if (!isThere) {
      const at = depth === 0 ? "the answer" : formatPath(path.slice(0, depth));
      const whole = formatPath(path.slice(0, depth + 1));
      throw new StepError(`there is no ${whole}: ${at} is ${show(inside)}`);
    }
    inside = (inside as Record<string | number, unknown>)[key];
  }
  if (inside === null) throw new StepError(`${formatPath(path)} is null`);
  return typeof inside === "string" ? inside : JSON.stringify(inside);
}

/** Parses expressions against the names of a scenario; or returns all of their problems. */
export function readProbes(
  expressions: readonly string[],
  scenario: Scenario,
): { readonly probes: readonly Probe[] } | { readonly problems: readonly PlacedProblem[] } {
  const probes: Probe[] = [];
  const problems: PlacedProblem[] = [];
  for (const read of readEachProbe(expressions, scenario)) {
    if ("problems" in read) problems.push(...read.problems);
    else probes.push(read.probe);
  }
  return problems.length > 0 ? { problems } : { probes };
}

/** Parses several expressions independently. */
export function readEachProbe(
  expressions: readonly string[],
  scenario: Scenario,
): readonly ReturnType<typeof readProbe>[] {
  const results = scenario.steps.flatMap(({ as, verb }): [string, ResultKind][] => {
    const gives = VERBS.get(verb)?.gives;
    return as === undefined || gives === undefined ? [] : [[as, gives]];
  });
  const names = namesAtGenesis(scenario.spec, new Map(results));
  return expressions.map((expression, i) => readProbe(expression, `expression ${i + 1}`, names));
}

function readProbe(
  expression: string,
  file: string,
  names: Names,
): { readonly probe: Probe } | { readonly problems: readonly PlacedProblem[] } {
  const read = readSource(expression, file);
  if ("problems" in read) return read;
  const { source } = read;
  const written = source.value === "chain" ? { chain: null } : source.value;
  const problems = new Problems();
  const result = v.safeParse(schema, written);
  if (result.success) {
    result.output.check(names, (message, ...path) => problems.report({ path, message }));
    refuseReferences(written, [], names, problems.report);
  } else {
    for (const problem of problemsOf(result.issues, [])) problems.report(problem);
  }
  if (result.success && problems.listed.length === 0) {
    return { probe: { ...result.output, expression } };
  }
  return { problems: problems.placed((paths) => positionsIn({ ...source, file }, paths)) };
}

/** Runs a scenario and reads the expressions at each new height. */
export function seriesOf(
  scenario: Scenario,
  file: string,
  probes: readonly Probe[],
  { from = 0, to = Number.POSITIVE_INFINITY, every, most }: SeriesRange,
): SeriesOfRun {
  const heights: number[] = [];
  const columns = probes.map((probe) => new Column(probe));
  let at = -1;
  let genesisHeight: number | undefined;
  const { name, seed, height, steps, violations } = runScenario(scenario, {
    file,
    onLook(context) {
      const { height: now } = context.sim;
      genesisHeight ??= now;
      const first = Math.max(from, genesisHeight);
      const isDue = now >= first && now <= to && (now - first) % every === 0;
      if (!isDue) return;
      const isNew = now !== at;
      at = now;
      if (isNew) heights.push(now);
      if (most !== undefined && heights.length > most) {
        throw new Error(`expected at most ${most} heights, found more: ask for fewer of them`);
      }
      for (const column of columns) column.look(context, isNew);
    },
  });
  const failed = steps.find(({ ok }) => !ok);
  const [violation] = violations;
  const failure = failed
    ? `steps[${failed.index}]: ${failed.message}`
    : violation && violationText(violation);
  const series = columns.map((column) => column.series);
  return {
    name,
    seed,
    beginning: genesisHeight ?? height,
    height,
    heights,
    series,
    ...(failure !== undefined && { failure }),
  };
}

const NUMBER = /^-?\d+(\.\d+)?$/;

/** The values of one expression. */
class Column {
  readonly #probe: Probe;
  /** Its values at each height, in the order of reading. */
  readonly #values: string[][] = [];
  #missing = "";

  constructor(probe: Probe) {
    this.#probe = probe;
  }

  look(context: StepContext, isNew: boolean): void {
    if (isNew) this.#values.push([]);
    else if (!this.#probe.changes) return;
    const values = this.#values.at(-1);
    try {
      const value = this.#probe.read(context);
      if (!values?.includes(value)) values?.push(value);
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      this.#missing = error.message;
    }
  }

  get series(): Series {
    const values = this.#values.map((found) => (found.length === 0 ? null : found.join(", ")));
    const there = values.filter((value) => value !== null);
    const isMissing = there.length === 0 && values.length > 0;
    return {
      expression: this.#probe.expression,
      values,
      numbers: there.length > 0 && there.every((value) => NUMBER.test(value)),
      ...(isMissing && { missing: this.#missing }),
    };
  }
}
