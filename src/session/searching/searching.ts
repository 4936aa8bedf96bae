/** The QA lab of a session: one search at a time, and what else is asked of families of scenarios. */
import { errorText, STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { LabAnswer, LabRequest } from "../../gen/lab/v1/lab_plain.ts";
import { type CampaignProgress, runCampaign } from "../../search/campaign.ts";
import { coverageOf } from "../../search/coverage.ts";
import { readFamily } from "../../search/family.ts";
import { MOST_ANCESTORS } from "../../search/lineage.ts";
import type { FamilyFile, Finding } from "../../search/search.ts";
import { wireProblems } from "../summary.ts";
import { checkExpressions } from "./expression-check.ts";
import { expressionsOf, familyFile } from "./family-file.ts";
import { noReturnOn } from "./no-return-parts.ts";
import { Questions } from "./questions.ts";
import type { SearchWorkers } from "./search-workers.ts";
import { seriesView } from "./series-view.ts";

type Answer = LabAnswer<"getSearch">;

interface Tools {
  /**
   * Begins workers, which end when they are closed.
   * @param most how many are of use; as many as there is room for unless given
   */
  readonly workers: (most?: number) => SearchWorkers;
  /** Milliseconds of a clock that never goes back. */
  readonly clock: () => number;
}

/** A search, while it runs and after. */
interface Run {
  readonly workers: SearchWorkers;
  readonly began: number;
  readonly view: Omit<Answer, "revision" | "seconds">;
  ended: number | undefined;
  /** No other batch is to begin. */
  stopped: boolean;
}

export class Searching {
  readonly #tools: Tools;
  #revision = 0;
  #run: Run | undefined;
  /** What is asked beside the search. */
  readonly #questions: Questions;

  constructor(tools: Tools) {
    this.#tools = tools;
    this.#questions = new Questions(tools.workers);
  }

  /** Begins a search in place of the one before. What is wrong with the file is an answer. */
  async start(request: LabRequest<"startSearch">): Promise<LabAnswer<"startSearch">> {
    const { seed = 0, runs = 0, seconds = 0, all = false, guided = false } = request;
    if (!(seconds >= 0 && seconds <= MOST_SECONDS)) {
      const text = `seconds: expected a number from 0 to ${MOST_SECONDS}, found ${seconds}`;
      throw new StatusError(STATUS.invalidArgument, text);
    }
    const family = familyFile(request.family);
    const read = readFamily(family);
    if ("problems" in read) return { problems: wireProblems(read.problems) };
    // Another one may have begun while the one before was given up.
    while (this.#run?.stopped === false) await this.#giveUp();
    const { clock } = this.#tools;
    const workers = this.#tools.workers();
    const run: Run = {
      workers,
      began: clock(),
      ended: undefined,
      stopped: false,
      view: {
        ...{ state: "running", name: `${read.family.written.name}`, seed },
        family: { text: family.text, file: family.file },
        ...{ done: 0, of: runs, violated: 0, mostSeconds: seconds, workers: workers.size },
        ...{ properties: [], findings: [], unreached: [], outcomes: [], problem: "" },
        guide: undefined,
        ...{ unfinished: 0, unsound: 0 },
      },
    };
    this.#run = run;
    this.#revision += 1;
    void this.#lead(run, family, { seed, runs, seconds, all, guided });
    return { problems: [] };
  }

  async #lead(
    run: Run,
    family: FamilyFile,
    {
      seed,
      runs,
      seconds,
      all,
      guided,
    }: { seed: number; runs: number; seconds: number; all: boolean; guided: boolean },
  ): Promise<void> {
    const { clock } = this.#tools;
    const isLate = (): boolean => seconds > 0 && clock() - run.began >= seconds * 1_000;
    try {
      const report = await runCampaign(run.workers, [family], {
        ...{ seed, all, guided, clock },
        ...(runs > 0 && { runs }),
        isOver: () => run.stopped || isLate(),
        onProgress: (progress) => this.#change(run, progressView(progress)),
        onFinding: (finding) =>
          this.#change(run, { findings: [...run.view.findings, findingView(finding)] }),
      });
      const [found] = report.families;
      const isFound = (found?.findings.length ?? 0) > 0;
      this.#end(run, {
        state: isFound ? "found" : run.stopped ? "stopped" : "held",
        findings: found?.findings.map(findingView) ?? [],
        unreached: [...(found?.unreached ?? [])],
        ...{ unfinished: found?.unfinished ?? 0, unsound: found?.unsound ?? 0 },
      });
    } catch (error) {
      if (run.stopped) this.#end(run, { state: "stopped" });
      else this.#end(run, { state: "failed", problem: errorText(error) });
    }
    await run.workers.close();
  }

  #change(run: Run, change: Partial<Run["view"]>): void {
    Object.assign(run.view, change);
    if (this.#run === run) this.#revision += 1;
  }

  #end(run: Run, change: Partial<Run["view"]>): void {
    run.ended = this.#tools.clock();
    this.#change(run, change);
  }

  /** Has no other case begin; said once more, what is being made shorter is given up too. */
  async stop(): Promise<LabAnswer<"stopSearch">> {
    const run = this.#run;
    if (run === undefined || run.ended !== undefined) return {};
    if (run.stopped) await run.workers.close();
    run.stopped = true;
    return {};
  }

  /** Gives up the search and what else was asked, and lets go of all workers. */
  async close(): Promise<void> {
    await Promise.all([this.#giveUp(), this.#questions.close()]);
  }

  async #giveUp(): Promise<void> {
    const run = this.#run;
    if (run === undefined) return;
    run.stopped = true;
    await run.workers.close();
  }

  /** How likely the bad end of a case was at each point of it; what is wrong with the file is an answer. */
  async noReturn(request: LabRequest<"findNoReturn">): Promise<LabAnswer<"findNoReturn">> {
    const { seed = 0, number = 0, futures = 0, ancestors = [] } = request;
    if (futures < 1 || futures > MOST_FUTURES) {
      const text = `futures: expected a number from 1 to ${MOST_FUTURES}, found ${futures}`;
      throw new StatusError(STATUS.invalidArgument, text);
    }
    if (ancestors.length > MOST_ANCESTORS) {
      const text = `ancestors: expected at most ${MOST_ANCESTORS}, found ${ancestors.length}`;
      throw new StatusError(STATUS.invalidArgument, text);
    }
    const family = familyFile(request.family);
    const read = readFamily(family);
    if ("problems" in read) return { ...NO_POINTS, problems: wireProblems(read.problems) };
    return this.#questions.ask("", futures, async (workers) => {
      const {
        points,
        cliff = -1,
        unavoidable = -1,
        ...found
      } = await noReturnOn(workers, { family, seed, number, ancestors, futures });
      return {
        points: points.map(({ height, command, ended, futures: ran }) => ({
          ...{ height, command, ended, futures: ran },
        })),
        ...{ cliff, unavoidable, height: found.violation.height, scenario: found.scenario },
        problems: [],
      };
    });
  }

  /** Runs files to their end; what cannot be run is an answer too. */
  async coverage({ files = [] }: LabRequest<"findCoverage">): Promise<LabAnswer<"findCoverage">> {
    if (files.length > COVERED_FILES) {
      const text = `files: expected at most ${COVERED_FILES}, found ${files.length}`;
      throw new StatusError(STATUS.invalidArgument, text);
    }
    return this.#questions.ask("", files.length, async (workers) => {
      const covered = await inTurn(files, workers.size, (file) =>
        workers.do("cover", familyFile(file)),
      );
      const { outcomes } = coverageOf(covered.flatMap(({ run }) => run ?? []));
      return {
        outcomes: outcomes.map(({ name, group, words, by, reachable, files: reachedIn }) => ({
          ...{ name, group, words, by, reachable, files: reachedIn.length },
          reachedIn: [...reachedIn],
        })),
        problems: covered.flatMap(({ problem }) => problem ?? []),
      };
    });
  }

  /** Runs a file and follows expressions through it; what is wrong with it or with them is an answer. */
  async series(request: LabRequest<"findSeries">): Promise<LabAnswer<"findSeries">> {
    const { from = 0, to = 0, every = 0, question = "" } = request;
    const expressions = expressionsOf(request.expressions);
    if (expressions.length === 0) {
      throw new StatusError(STATUS.invalidArgument, "expressions: expected at least 1, found 0");
    }
    if (to > 0 && from > to) {
      const text = `to: expected a height not below ${from}, found ${to}`;
      throw new StatusError(STATUS.invalidArgument, text);
    }
    const { problems, wrong } = checkExpressions(request);
    if (problems.length + wrong.length > 0) return { ...NO_SERIES, problems, wrong };
    const range = {
      ...(from > 0 && { from }),
      ...(to > 0 && { to }),
      ...{ every: Math.max(1, every), most: MOST_HEIGHTS },
    };
    const family = familyFile(request.file);
    return this.#questions.ask(question, 1, async (workers) =>
      seriesView(await workers.do("series", { family, expressions, range })),
    );
  }

  /** Gives up what was asked under a name. */
  async stopQuestion({
    question = "",
  }: LabRequest<"stopQuestion">): Promise<LabAnswer<"stopQuestion">> {
    await this.#questions.stop(question);
    return {};
  }

  get({ revision = 0 }: LabRequest<"getSearch">): Answer {
    const run = this.#run;
    if (run === undefined) return { ...NONE, revision: 0 };
    const { view, began, ended } = run;
    const { state } = view;
    // While it goes on, its time does.
    if (ended !== undefined && revision === this.#revision) return { ...NONE, revision, state };
    const seconds = ((ended ?? this.#tools.clock()) - began) / 1_000;
    return { ...view, revision: this.#revision, seconds };
  }
}

const COVERED_FILES = 200;
const MOST_FUTURES = 1_000;

const NO_POINTS: LabAnswer<"findNoReturn"> = {
  ...{ problems: [], points: [], cliff: -1, unavoidable: -1, height: 0, scenario: "" },
};
const MOST_SECONDS = 86_400;
const MOST_HEIGHTS = 5_000;

const NO_SERIES: LabAnswer<"findSeries"> = {
  ...{ problems: [], wrong: [], beginning: 0, height: 0, heights: [], series: [], failure: "" },
};

/** What comes of each item, in their order; at most so many are worked on at once. */
async function inTurn<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const entries = items.entries();
  // All lanes take from the same entries.
  const lane = async (): Promise<void> => {
    for (const [i, item] of entries) results[i] = await work(item);
  };
  await Promise.all(Array.from({ length: most }, lane));
  return results;
}

const NONE: Omit<Answer, "revision"> = {
  ...{ state: "", family: undefined, name: "", seed: 0, done: 0, of: 0, violated: 0 },
  ...{ seconds: 0, mostSeconds: 0, workers: 0, properties: [], findings: [], unreached: [] },
  ...{ outcomes: [], problem: "", unfinished: 0, unsound: 0, guide: undefined },
};

const sum = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0);

function progressView(progress: CampaignProgress): Partial<Run["view"]> {
  const { cases, violated, outcomes, shrinking, guide } = progress;
  const properties = violated.map(({ property: name, kind, cases }) => ({ name, kind, cases }));
  return {
    state: shrinking > 0 ? "shrinking" : "running",
    done: cases,
    guide,
    violated: sum(properties.map((one) => one.cases)),
    properties: properties.sort((a, b) => b.cases - a.cases),
    outcomes: Object.entries(outcomes)
      .map(([name, reached]) => ({ name, cases: reached }))
      .sort((a, b) => b.cases - a.cases || (a.name < b.name ? -1 : 1)),
  };
}

const findingView = (finding: Finding): Answer["findings"][number] => ({
  ancestors: [...(finding.ancestors ?? [])],
  ...{ number: finding.number, seed: finding.seed, stepsBefore: finding.stepsBefore },
  property: finding.violation.property,
  kind: finding.violation.kind,
  height: finding.violation.height,
  message: finding.violation.message,
  steps: finding.steps.map((step) => ({ ...step })),
  scenario: finding.scenario,
  log: finding.log.map((step) => ({ ...step })),
  counterfactual: finding.counterfactual?.words ?? "",
  counterfactualScenario: finding.counterfactual?.scenario ?? "",
});
