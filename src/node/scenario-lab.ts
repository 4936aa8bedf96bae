import { availableParallelism } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { drain } from "../base/drain.ts";
import { errorText } from "../base/error-text.ts";
import { isReference } from "../base/reference-syntax.ts";
import type {
  CliContext,
  QueriedChain,
  ScenarioJob,
  ScenarioLab,
  ScenarioOutline,
  ScenarioPool,
  ScenarioReport,
} from "../cli/context.ts";
import type { ScenarioProblem } from "../cli/scenario-problem.ts";
import { profileOf } from "../engine/app/profile.ts";
import { createContext } from "../scenario/create-context.ts";
import type { ReadBeside } from "../scenario/files.ts";
import { genesisProblem, parseScenario, parseStep } from "../scenario/parse.ts";
import { resolveNamed } from "../scenario/references.ts";
import { runScenario } from "../scenario/report.ts";
import { runStep } from "../scenario/runner.ts";
import { type Scenario, withSeed } from "../scenario/scenario.ts";
import type { StepContext } from "../scenario/step-context.ts";
import { withValue } from "../scenario/with-value.ts";
import { ChainExporter } from "../session/export-chain.ts";
import { OpenHistory } from "../session/open-history.ts";
import { RunningWorld } from "../session/running-world.ts";
import { Traveller } from "../session/travel.ts";
import type { Elsewhere } from "../view/lab/reading.ts";
import { TEXTS } from "../view/lab/texts.ts";
import { type LabQuery, WorldQueries } from "../view/lab/world-queries.ts";
import { queryJson, requestProblems } from "../view/query.ts";
import { readText } from "./files.ts";
import { hostOf } from "./host.ts";
import { WorkerPool } from "./worker-pool.ts";

/**
 * Runs scenarios in Node: in sequence in this thread, or in parallel in worker threads.
 * @param program the built command, which the threads run
 */
export function createScenarioLab(program: URL): ScenarioLab {
  return {
    cores: availableParallelism(),
    check,
    exportGenesis,
    requestProblems: (name, request) => requestProblems(name, request, isReference),
    chainAfter,
    open: (jobs) => (jobs > 1 ? new WorkerPool(program, jobs) : here),
  };
}

const here: ScenarioPool = {
  run: async (job, onStep) => runJob(job, onStep),
  close: async () => {},
};

function check(text: string, file: string): readonly ScenarioProblem[] | ScenarioOutline {
  const read = readOnce(text, file);
  if ("problems" in read) return read.problems;
  const { name, title, spec, steps, properties = [] } = read.scenario;
  try {
    startedChain = { scenario: read.scenario, context: createContext(read.scenario) };
  } catch (error) {
    return [genesisProblem(text, file, errorText(error), beside(file))];
  }
  return {
    name,
    title,
    seed: spec.seed,
    steps: steps.map(({ verb, note }) => (note === undefined ? { verb } : { verb, note })),
    properties: properties.map(({ kind, name }) => ({ kind, name })),
  };
}

function exportGenesis(text: string, file: string, height: number | undefined) {
  const { context, failure } = contextAfter(text, file);
  if (failure !== undefined) throw new Error(failure);
  const { sim } = context;
  const { file: genesis } = new WorldQueries(sim, context.follow).lab("getGenesis", {}, height);
  const read = parseScenario(genesis, "genesis.json");
  const [problem] = "problems" in read ? read.problems : [];
  return { genesis, problem: problem && `${problem.path}: ${problem.message}` };
}

/** The text of a checked file with another genesis value. */
export const otherValue: NonNullable<CliContext["withValue"]> = async (text, file, value) =>
  withValue(text, file, beside(file), value);

/** Runs checked files in sequence and reports their coverage. */
export const coverage: NonNullable<CliContext["coverage"]> = async (files, onFile) => {
  const { coverageOf, coveredBy } = await import("../scenario/search/coverage.ts");
  const runs = files.map(({ file, text }) => {
    const { run, failure } = coveredBy(checked(text, file).scenario, file);
    onFile(file, failure);
    return run;
  });
  return coverageOf(runs);
};

/** Runs a checked file and returns the values of expressions at its heights; or their problems. */
export const probe: NonNullable<CliContext["probe"]> = async (
  { file, text },
  expressions,
  range,
) => {
  const { readProbes, seriesOf } = await import("../scenario/search/series.ts");
  const { scenario } = checked(text, file);
  const read = readProbes(expressions, scenario);
  return "problems" in read ? read : seriesOf(scenario, file, read.probes, range);
};

function chainAfter(text: string, file: string): QueriedChain {
  const { context, failure, scenario } = contextAfter(text, file);
  const { sim } = context;
  // Only exports and queries of history need a world of their own.
  let live: RunningWorld | undefined;
  let exporter: ChainExporter | undefined;
  const world = (): RunningWorld => {
    RunningWorld.texts = TEXTS;
    live ??= new RunningWorld({ scenario, file, text }, context.results, {
      sim,
      historySource: {},
    });
    return live;
  };
  const traveller = new Traveller(hostOf(""), () => ({
    live: world(),
    history: undefined,
    isThere: true,
  }));
  return {
    failure,
    export(request) {
      const played = { live: world(), history: undefined };
      exporter ??= new ChainExporter(
        { player: played, loadPart: undefined, queryAt: undefined },
        hostOf(""),
        () => played,
      );
      return exporter.part(request);
    },
    async query(name, request, height) {
      const elsewhere = async (need: Elsewhere) => {
        if (need.kind === "session") throw need.refusal;
        return traveller.query(need.height, async ({ sim: past, context: { follow } }) =>
          new WorldQueries(past, follow).lab(need.method as LabQuery, need.request),
        );
      };
      const queries = new WorldQueries(sim, context.follow);
      const history = new OpenHistory(sim, undefined);
      return history.read(() => queryJson(queries, name, request, height), elsewhere);
    },
    resolve: (name) => resolveNamed(context, name),
    lab: { runStep: async ({ step }) => stepIn(context, step) },
    missingUpgrade: profileOf(sim.spec.profile).missingUpgrade,
  };
}

/** Runs one step in JSON. Throws an Error if it is invalid. */
function stepIn(context: StepContext, text: string) {
  const read = parseStep(text, context);
  if ("problems" in read) {
    throw new Error(read.problems.map(({ path, message }) => `${path}: ${message}`).join("\n"));
  }
  return { path: "", value: "", ...drain(runStep(context, read.step, 0)) };
}

/** The world after a checked file, and the failed step, if there is one. */
function contextAfter(
  text: string,
  file: string,
): { context: StepContext; scenario: Scenario; failure?: string } {
  const { scenario } = checked(text, file);
  const ends: StepContext[] = [];
  const onEnd = (context: StepContext) => void ends.push(context);
  const { steps } = runScenario(scenario, { file, context: initialContext(scenario), onEnd });
  const [context] = ends;
  if (context === undefined) throw new Error(`${file} did not run`);
  const failed = steps.find(({ ok }) => !ok);
  if (failed === undefined) return { context, scenario };
  return { context, scenario, failure: `steps[${failed.index}]: ${failed.message}` };
}

/** Runs a checked scenario. */
export function runJob(
  { file, text, seed, explain }: ScenarioJob,
  onStep: () => void,
): ScenarioReport {
  const { scenario } = checked(text, file);
  const seeded = seed === scenario.spec.seed ? scenario : withSeed(scenario, seed);
  return runScenario(seeded, { file, explain, context: initialContext(seeded), onStep });
}

/** The initial world of the file that was checked last: its first run uses it. */
let startedChain: { readonly scenario: Scenario; readonly context: StepContext } | undefined;

function initialContext(scenario: Scenario): StepContext {
  const known = startedChain?.scenario === scenario ? startedChain.context : undefined;
  startedChain = undefined;
  return known ?? createContext(scenario);
}

/** Paths in a scenario are relative to its file. */
export const beside =
  (scenario: string): ReadBeside =>
  (path) => {
    const file = isAbsolute(path) ? path : join(dirname(scenario), path);
    return { file, text: readText(file) };
  };

/** Parses the scenario of a file; throws an Error if it is invalid. */
function checked(text: string, file: string): { readonly scenario: Scenario } {
  const read = readOnce(text, file);
  if ("problems" in read) throw new Error(`${file} is not sound`);
  return read;
}

/** Files parsed last, by path: a file is checked before it is run, with any number of seeds. */
const lastRead = new Map<string, { text: string; read: ReturnType<typeof parseScenario> }>();
const MOST_READ = 100;

function readOnce(text: string, file: string): ReturnType<typeof parseScenario> {
  const known = lastRead.get(file);
  if (known?.text === text) return known.read;
  const read = parseScenario(text, file, beside(file));
  if (lastRead.size === MOST_READ) lastRead.clear();
  lastRead.set(file, { text, read });
  return read;
}
