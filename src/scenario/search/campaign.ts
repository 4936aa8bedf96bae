/**
 * Runs a search on workers of any kind. Its findings do not depend on the number or speed of the
 * workers: results are counted in the order of the cases' numbers, and a property's finding is its
 * first case.
 */
import { toHex, utf8 } from "../../base/bytes.ts";
import { errorText, isBug } from "../../base/error-text.ts";
import { sha256 } from "../../base/sha256.ts";
import { differentCases } from "./enumerate.ts";
import { Guide, type GuideProgress } from "./guide.ts";
import { pieceOf } from "./parts.ts";
import {
  type FamilyReport,
  propertyKey,
  type SearchReport,
  type Shard,
  type StatedProperty,
  sortedByName,
  type ViolatedProperty,
} from "./report.ts";
import { soundFamily } from "./run-batch.ts";
import { readCase } from "./run-case.ts";
import type {
  Batch,
  BatchResult,
  CaseWorkers,
  FamilyFile,
  Finding,
  ShrinkRequest,
  UnfinishedCase,
} from "./search.ts";

export interface CampaignOptions {
  readonly seed: number;
  /** Maximum number of cases of each family; without it the search runs until `isOver`. */
  readonly runs?: number;
  /** Continues after a violation, with one finding for each property. */
  readonly all: boolean;
  /** Runs only this part of the cases. */
  readonly shard?: Shard;
  /** True if cases are mutations of earlier ones with new coverage; only for a complete search. */
  readonly guided?: boolean;
  /** Ends a guided search of a family after this many generations in a row without new coverage. */
  readonly plateau?: number;
  /**
   * Returns true once no further case of a family should start; `place` is the family's index. It
   * then stays true.
   */
  readonly isOver?: (place: number) => boolean;
  /**
   * Monotonic clock in milliseconds, for the batch size; without it all batches have the same size.
   */
  readonly clock?: () => number;
  /** Target time of a batch in ms; 300 by default. */
  readonly batchMs?: number;
  /** Cases of a batch without a clock. */
  readonly batchCases?: number;
  readonly onProgress?: (progress: CampaignProgress) => void;
  readonly onFinding?: (finding: Finding, file: string) => void;
}

export interface CampaignProgress {
  readonly file: string;
  /** Completed cases of this family, and the total, if known. */
  readonly cases: number;
  readonly of?: number;
  readonly violated: readonly ViolatedProperty[];
  readonly reached: readonly string[];
  readonly outcomes: Readonly<Record<string, number>>;
  /** Findings that are being shrunk. */
  readonly shrinking: number;
  /** Only for a guided search. */
  readonly guide?: GuideProgress;
}

/** Maximum cases of a batch, and the default while the duration of a case is unknown. */
const MOST = 1_000;
const USUAL = 10;
/** Minimum batches of a generation, so that many workers get a part of it. */
const PARTS = 20;

/** A search that ended early. */
export class SearchStopped extends Error {
  /** Report on the cases so far. */
  readonly report: SearchReport;
  /** Findings in its last family that are not shrunk yet. */
  readonly unshrunk: readonly ShrinkRequest[];

  constructor(cause: unknown, report: SearchReport, unshrunk: readonly ShrinkRequest[]) {
    super(errorText(cause));
    this.report = report;
    this.unshrunk = unshrunk;
  }
}

/** Runs families in sequence. Rejects with SearchStopped if a worker fails. */
export async function runCampaign(
  workers: CaseWorkers,
  files: readonly FamilyFile[],
  options: CampaignOptions,
): Promise<SearchReport> {
  const { seed, runs, all, shard, guided, plateau } = options;
  const families: FamilyReport[] = [];
  const report: SearchReport = {
    search: 1,
    seed,
    ...(runs === undefined ? {} : { runs }),
    all,
    ...(shard === undefined ? {} : { shard }),
    ...(guided === true && { guided }),
    ...(plateau === undefined ? {} : { plateau }),
    families,
  };
  for (const [place, file] of files.entries()) {
    const search = new FamilySearch(file, place, options);
    try {
      await search.run(workers);
    } catch (error) {
      if (isBug(error)) throw error;
      families.push({ ...search.report, unreached: [] });
      throw new SearchStopped(error, report, search.unshrunk);
    }
    families.push(search.report);
    if (!all && search.report.findings.length > 0) break;
  }
  return report;
}

class FamilySearch {
  readonly #file: FamilyFile;
  readonly #index: number;
  readonly #options: CampaignOptions;
  readonly #name: string;
  readonly #properties: readonly StatedProperty[];
  #end: number;
  /** Consecutive cases in one part; undefined for a complete search. */
  readonly #piece: number | undefined;
  /** Number of the next case to run, and of the next to count. */
  #next: number;
  #counted: number;
  /** Results of batches that wait for earlier ones, by the number of their first case. */
  readonly #waiting = new Map<number, { readonly batch: Batch; readonly result: BatchResult }>();
  /** No case after this one is needed. */
  #bound = Number.POSITIVE_INFINITY;
  #size: number;
  readonly #guide: Guide | undefined;
  readonly #shrinks: ShrinkRequest[] = [];
  readonly #shrinking = new Set<ShrinkRequest>();
  readonly #violated = new Map<string, ViolatedProperty>();
  readonly #reached = new Set<string>();
  readonly #outcomes: Record<string, number> = {};
  readonly #findings: Finding[] = [];
  readonly #different: number | undefined;
  #cases = 0;
  #inconclusive = 0;
  #firstInconclusive: UnfinishedCase | undefined;
  readonly #unevaluated: Set<string>;
  #invalid = 0;

  constructor(file: FamilyFile, place: number, options: CampaignOptions) {
    this.#file = file;
    this.#index = place;
    this.#options = options;
    // The first batch measures the duration of a case.
    this.#size = options.batchCases ?? (options.clock ? 1 : USUAL);
    const family = soundFamily(file);
    const { source, vary, disturb } = family;
    this.#different = differentCases(family);
    this.#name = `${source.name}`;
    const { properties = [] } = readCase(source) ?? {};
    this.#unevaluated = new Set(properties.map(({ name }) => name));
    this.#properties = properties.map(({ kind, name }) => ({ property: name, kind }));
    const isOne = vary.length === 0 && disturb.length === 0;
    const runs = options.runs ?? Number.POSITIVE_INFINITY;
    // Each of few cases is run once.
    this.#end = isOne ? 1 : Math.min(runs, this.#different ?? runs);
    this.#piece = options.shard && pieceOf(this.#end, options.shard);
    const isKnown = this.#end === this.#different;
    this.#guide =
      options.guided === true && !isOne && !isKnown ? new Guide(options.seed) : undefined;
    this.#next = this.#counted = this.#inShard(0);
  }

  /** Distributes work to the workers until there is none. */
  run(workers: CaseWorkers): Promise<void> {
    return new Promise((resolve, reject) => {
      let underWay = 0;
      const giveOut = (): void => {
        while (underWay < workers.size) {
          const job = this.#job(workers);
          if (job === undefined) break;
          underWay += 1;
          job.then(() => {
            underWay -= 1;
            giveOut();
          }, reject);
        }
        if (underWay === 0) resolve();
      };
      giveOut();
    });
  }

  get report(): FamilyReport {
    const { file, imports, text } = this.#file;
    const order = [...this.#violated.keys()];
    const placeOf = ({ violation }: Finding): number => order.indexOf(propertyKey(violation));
    // Findings of one case are in the order of its violations, not in the order of shrinking.
    const findings = this.#findings.toSorted((a, b) => placeOf(a) - placeOf(b));
    const content = JSON.stringify([
      text,
      Object.entries(imports).sort(([a], [b]) => (a < b ? -1 : 1)),
    ]);
    return {
      file,
      name: this.#name,
      digest: toHex(sha256(utf8(content))),
      cases: this.#cases,
      ...(this.#different !== undefined && { different: this.#different }),
      ...(this.#piece !== undefined && { piece: this.#piece }),
      unfinished: this.#inconclusive,
      ...(this.#firstInconclusive && { firstUnfinished: this.#firstInconclusive }),
      unsound: this.#invalid,
      properties: this.#properties,
      violated: [...this.#violated.values()],
      reached: [...this.#reached].sort(),
      unreached:
        (this.#options.all || this.#violated.size === 0) && this.#cases > 0
          ? this.#properties.flatMap(({ kind, property }) =>
              kind === "sometimes" && !this.#reached.has(property) ? property : [],
            )
          : [],
      unasked: [...this.#unevaluated],
      outcomes: sortedByName(this.#outcomes),
      ...(this.#guide && { coverage: this.#guide.coverage }),
      findings,
    };
  }

  /** Findings that are not shrunk yet, ordered by case. */
  get unshrunk(): readonly ShrinkRequest[] {
    const left = [...this.#shrinking, ...this.#shrinks];
    return left.sort((a, b) => a.found.number - b.found.number);
  }

  #job(workers: CaseWorkers): Promise<void> | undefined {
    const request = this.#shrinks.shift();
    if (request !== undefined) return this.#shrink(workers, request);
    const batch = this.#batch();
    return batch && this.#run(workers, batch);
  }

  async #run(workers: CaseWorkers, batch: Batch): Promise<void> {
    const { clock, batchMs = 300, isOver } = this.#options;
    const startMs = clock?.() ?? 0;
    const result = await workers.run(batch, () => isOver?.(this.#index) ?? false);
    if (clock !== undefined && result.count > 0) {
      const each = Math.max(0.01, (clock() - startMs) / result.count);
      this.#size = Math.max(1, Math.min(MOST, Math.round(batchMs / each), this.#size * 4));
    }
    const [first] = result.violated;
    if (!this.#options.all && first) this.#bound = Math.min(this.#bound, first.number);
    this.#waiting.set(batch.first, { batch, result });
    this.#count();
    this.#notify();
  }

  async #shrink(workers: CaseWorkers, request: ShrinkRequest): Promise<void> {
    this.#shrinking.add(request);
    this.#notify();
    const finding = await workers.shrink(request);
    this.#shrinking.delete(request);
    this.#findings.push(finding);
    this.#options.onFinding?.(finding, this.#file.file);
    this.#notify();
  }

  /**
   * The next cases to run; undefined if there are none, or the cases that they are derived from are
   * not known yet.
   */
  #batch(): Batch | undefined {
    const { seed, isOver, all } = this.#options;
    const first = this.#next;
    if (first >= this.#end || first > this.#bound || isOver?.(this.#index)) return undefined;
    const piece = this.#piece;
    const pieceEnd = piece === undefined ? this.#end : (Math.floor(first / piece) + 1) * piece;
    const most = Math.min(this.#size, pieceEnd - first, this.#end - first);
    const batch = { family: this.#file, seed, first, untilFirst: !all };
    if (this.#guide === undefined) {
      this.#next = this.#inShard(first + most);
      return { ...batch, count: most };
    }
    const generation = this.#guide.generationOf(first);
    if (generation === undefined) return undefined;
    const { first: begin, end, corpus } = generation;
    const count = Math.min(most, end - first, Math.ceil((end - begin) / PARTS));
    this.#next = first + count;
    return { ...batch, count, corpus };
  }

  /** The first number from one on that belongs to this part. */
  #inShard(number: number): number {
    const { shard } = this.#options;
    const length = this.#piece;
    if (shard === undefined || length === undefined) return number;
    const piece = Math.floor(number / length);
    const behind = (shard.index - 1 - (piece % shard.count) + shard.count) % shard.count;
    return behind === 0 ? number : (piece + behind) * length;
  }

  /** Counts all results whose predecessors are counted. */
  #count(): void {
    for (;;) {
      const found = this.#waiting.get(this.#counted);
      if (found === undefined) return;
      const { batch, result } = found;
      this.#waiting.delete(this.#counted);
      const next = this.#inShard(batch.first + batch.count);
      if (batch.first <= this.#bound && batch.first < this.#end) this.#add(result, next);
      this.#counted = next;
    }
  }

  #add(result: BatchResult, next: number): void {
    this.#cases += result.count;
    this.#inconclusive += result.unfinished;
    this.#firstInconclusive ??= result.firstUnfinished;
    this.#invalid += result.unsound;
    for (const name of result.asked) this.#unevaluated.delete(name);
    for (const name of result.reached) this.#reached.add(name);
    for (const [name, cases] of Object.entries(result.outcomes)) {
      this.#outcomes[name] = (this.#outcomes[name] ?? 0) + cases;
    }
    for (const found of result.violated) {
      const { property, kind } = found.violation;
      const key = propertyKey(found.violation);
      const before = this.#violated.get(key);
      const { cases = 0, first = found.number } = before ?? {};
      this.#violated.set(key, { property, kind, cases: cases + 1, first });
      if (before === undefined) {
        const ancestors = this.#guide?.ancestorsOf(found.number) ?? [];
        this.#shrinks.push({
          family: this.#file,
          seed: this.#options.seed,
          ...(ancestors.length > 0 && { ancestors }),
          found,
        });
      }
    }
    this.#learn(result, next);
  }

  /** Updates the state of a guided search; ends it with a generation if the plateau is reached. */
  #learn(result: BatchResult, next: number): void {
    const isOver = this.#guide?.add(result, next) ?? false;
    const { plateau = Number.POSITIVE_INFINITY } = this.#options;
    if (isOver && Number(this.#guide?.progress.quiet) >= plateau) this.#end = next;
  }

  #notify(): void {
    this.#options.onProgress?.({
      file: this.#file.file,
      cases: this.#cases,
      ...(this.#end === Number.POSITIVE_INFINITY ? {} : { of: this.#end }),
      violated: [...this.#violated.values()],
      reached: [...this.#reached],
      outcomes: this.#outcomes,
      shrinking: this.#shrinking.size,
      ...(this.#guide && { guide: this.#guide.progress }),
    });
  }
}
