/** The QA lab of a session: one search at a time, and other queries about families of scenarios. */
import { errorText, STATUS, StatusError } from "../../engine/framework/errors.ts";
import type { LabAnswer, LabRequest } from "../../gen/lab/v1/lab_plain.ts";
import { type CampaignProgress, runCampaign } from "../../scenario/search/campaign.ts";
import { readFamily } from "../../scenario/search/family.ts";
import type { FamilyFile, Finding } from "../../scenario/search/search.ts";
import { wireProblems } from "../summary.ts";
import { findCoverage } from "./coverage-answer.ts";
import { lateDisturb } from "./family-check.ts";
import { familyFile } from "./family-file.ts";
import { findNoReturn } from "./no-return-answer.ts";
import { Questions } from "./questions.ts";
import type { SearchWorkers } from "./search-workers.ts";
import { findSeries } from "./series-answer.ts";

type Answer = LabAnswer<"getSearch">;

interface Tools {
  /**
   * Starts workers, which end when they are closed.
   * @param most maximum that are of use; if absent, as many as fit
   */
  readonly workers: (most?: number) => SearchWorkers;
  /** Monotonic clock, in milliseconds. */
  readonly clock: () => number;
}

/** A search, while it runs and after. */
interface Run {
  readonly workers: SearchWorkers;
  readonly startedMs: number;
  readonly view: Omit<Answer, "revision" | "seconds">;
  ended: number | undefined;
  /** True if no further batch may start. */
  stopped: boolean;
}

export class Searching {
  readonly #tools: Tools;
  #revision = 0;
  #run: Run | undefined;
  /** Queries that run in addition to the search. */
  readonly #questions: Questions;

  constructor(tools: Tools) {
    this.#tools = tools;
    this.#questions = new Questions(tools.workers);
  }

  /** Starts a search in place of the previous one. Problems of the file are part of the answer. */
  async start(request: LabRequest<"startSearch">): Promise<LabAnswer<"startSearch">> {
    const { seed = 0, runs = 0, seconds = 0, all = false, guided = false } = request;
    if (!(seconds >= 0 && seconds <= MOST_SECONDS)) {
      const text = `seconds: expected a number from 0 to ${MOST_SECONDS}, found ${seconds}`;
      throw new StatusError(STATUS.invalidArgument, text);
    }
    const family = familyFile(request.family);
    const read = readFamily(family);
    if ("problems" in read) return { problems: wireProblems(read.problems) };
    const late = lateDisturb(family, read.family);
    if (late.length > 0) return { problems: wireProblems(late) };
    // Another search may have started while the previous one was cancelled.
    while (this.#run?.stopped === false) await this.#abort();
    const { clock } = this.#tools;
    const workers = this.#tools.workers();
    const run: Run = {
      workers,
      startedMs: clock(),
      ended: undefined,
      stopped: false,
      view: {
        ...{ state: "running", name: `${read.family.source.name}`, seed },
        family: { text: family.text, file: family.file },
        ...{ done: 0, of: runs, violated: 0, mostSeconds: seconds, workers: workers.size },
        ...{ properties: [], findings: [], unreached: [], outcomes: [], problem: "" },
        guide: undefined,
        ...{ unfinished: 0, unsound: 0, unasked: [], firstUnfinished: undefined },
      },
    };
    this.#run = run;
    this.#revision += 1;
    void this.#search(run, family, { seed, runs, seconds, all, guided });
    return { problems: [] };
  }

  async #search(
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
    const isLate = (): boolean => seconds > 0 && clock() - run.startedMs >= seconds * 1_000;
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
        unasked: [...(found?.unasked ?? [])],
        ...{ unfinished: found?.unfinished ?? 0, unsound: found?.unsound ?? 0 },
        firstUnfinished: found?.firstUnfinished,
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

  /** Starts no further case; a second call also cancels the shrinking. */
  async stop(): Promise<LabAnswer<"stopSearch">> {
    const run = this.#run;
    if (run === undefined || run.ended !== undefined) return {};
    if (run.stopped) await run.workers.close();
    run.stopped = true;
    return {};
  }

  /** Cancels the search and all other queries, and releases all workers. */
  async close(): Promise<void> {
    await Promise.all([this.#abort(), this.#questions.close()]);
  }

  async #abort(): Promise<void> {
    const run = this.#run;
    if (run === undefined) return;
    run.stopped = true;
    await run.workers.close();
  }

  noReturn(request: LabRequest<"findNoReturn">): Promise<LabAnswer<"findNoReturn">> {
    return findNoReturn(this.#questions, request);
  }

  coverage(request: LabRequest<"findCoverage">): Promise<LabAnswer<"findCoverage">> {
    return findCoverage(this.#questions, request);
  }

  series(request: LabRequest<"findSeries">): Promise<LabAnswer<"findSeries">> {
    return findSeries(this.#questions, request);
  }

  question({ question = "" }: LabRequest<"getQuestion">): LabAnswer<"getQuestion"> {
    return { ...this.#questions.progress(question) };
  }

  async stopQuestion({
    question = "",
  }: LabRequest<"stopQuestion">): Promise<LabAnswer<"stopQuestion">> {
    await this.#questions.stop(question);
    return {};
  }

  get({ revision = 0 }: LabRequest<"getSearch">): Answer {
    const run = this.#run;
    if (run === undefined) return { ...NONE, revision: 0 };
    const { view, startedMs, ended } = run;
    const { state } = view;
    // While it runs, its time changes.
    if (ended !== undefined && revision === this.#revision) return { ...NONE, revision, state };
    const seconds = ((ended ?? this.#tools.clock()) - startedMs) / 1_000;
    return { ...view, revision: this.#revision, seconds };
  }
}

const MOST_SECONDS = 86_400;

const NONE: Omit<Answer, "revision"> = {
  ...{ state: "", family: undefined, name: "", seed: 0, done: 0, of: 0, violated: 0 },
  ...{ seconds: 0, mostSeconds: 0, workers: 0, properties: [], findings: [], unreached: [] },
  ...{ outcomes: [], problem: "", unfinished: 0, unsound: 0, unasked: [] },
  ...{ firstUnfinished: undefined, guide: undefined },
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
