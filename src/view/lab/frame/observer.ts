import { BoundedLog } from "../../../base/bounded-log.ts";
import { toHexUpper } from "../../../base/bytes.ts";
import type { ModuleStep } from "../../../engine/app/steps.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { BlockResults } from "../../../engine/simulation/views.ts";
import type { Activity, BlockCell, EndedPlan, Sample } from "../../../gen/lab/v1/lab_plain.ts";
import type { Texts } from "../texts.ts";
import {
  type ActivityDraft,
  activitiesOf,
  activityOfLine,
  noteActivity,
  stepsOfHalt,
} from "./activity.ts";
import { Burns, type BurnsState } from "./burns.ts";
import { RejoinedForks, type RejoinedForksState } from "./forks.ts";
import { LOOKED_FOR, MARK, marksOf } from "./marks.ts";
import { Samples, type SamplesState } from "./samples.ts";
import { type TrackedValidator, TrackedValidators } from "./validators.ts";

const CELLS_KEPT = 4096;
const ACTIVITY_KEPT = 2000;
const MAX_EVIDENCE = 500;
const MAX_GOV_STEPS = 4000;
const MAX_MARKED = 1000;
/** Maximum in one answer; the newest are returned. */
const MAX_CELLS = 400;
const MAX_ACTIVITY = 400;

/** Number of pieces of evidence that these steps decided on. */
const piecesIn = (steps: readonly ModuleStep[]): number =>
  steps.reduce((most, { item = 0 }) => Math.max(most, item), 0);

/** A step of a proposal in a block, except votes and messages, which only the block records. */
export interface GovNote {
  readonly height: number;
  readonly step: Extract<ModuleStep, { module: "gov" }>;
}

/** All that an observer has recorded, as plain data. */
export interface ObserverState {
  readonly height: number;
  readonly logSeq: number;
  readonly haltSeq: number;
  readonly seq: number;
  readonly items: number;
  readonly evidenceIn: readonly number[];
  readonly endedPlans: readonly EndedPlan[];
  /** The newest, up to the maximum of a query. */
  readonly cells: readonly BlockCell[];
  readonly marked: readonly BlockCell[];
  readonly haltedAt: number;
  readonly activity: readonly Activity[];
  readonly storedIn: readonly (readonly [string, number])[];
  readonly govNotes: readonly GovNote[];
  readonly burns: BurnsState;
  readonly forks: RejoinedForksState;
  readonly samples: SamplesState;
  readonly validators: readonly TrackedValidator[];
}

/**
 * Records a simulation block by block for the page, bounded, so that the cost of a frame does not
 * grow with the chain. `observe` must be called after every round and every command.
 */
export class Observer {
  readonly burns: Burns;
  readonly forks: RejoinedForks;
  readonly validators: TrackedValidators;
  /** Heights of the newest blocks that contained or decided on evidence, ascending. */
  readonly evidenceIn: number[];
  /** Plans that were cancelled, oldest first. */
  readonly endedPlans: EndedPlan[];
  /** Notes of proposals, in order. */
  readonly govNotes: GovNote[];
  readonly #sim: Simulation;
  readonly #texts: Texts;
  /** The newest blocks with rare marks. */
  readonly #marked = new BoundedLog<BlockCell>(MAX_MARKED);
  readonly #cells = new BoundedLog<BlockCell>(CELLS_KEPT);
  readonly #activity = new BoundedLog<Activity>(ACTIVITY_KEPT);
  readonly #samples: Samples;
  /** Height of the block that stored evidence, by upper-case hex of its hash. */
  readonly #storedIn: Map<string, number>;
  readonly #binaryIndex = new Map<string, number>();
  #height: number;
  /** Height at which a node halted last. */
  #haltedAt: number;
  #logSeq: number;
  #haltSeq: number;
  #seq: number;
  /** Pieces of evidence recorded so far. */
  #items: number;

  /** @param state recordings of this simulation up to now; absent for a new one */
  constructor(sim: Simulation, words: Texts, state?: ObserverState) {
    this.#sim = sim;
    this.#texts = words;
    this.validators = new TrackedValidators(sim, state?.validators);
    this.burns = new Burns(state?.burns);
    this.forks = new RejoinedForks(state?.forks);
    this.#samples = new Samples(state?.samples);
    this.#storedIn = new Map(state?.storedIn);
    this.#height = state?.height ?? sim.initialHeight - 1;
    this.#haltedAt = state?.haltedAt ?? 0;
    this.#logSeq = state?.logSeq ?? 0;
    this.#haltSeq = state?.haltSeq ?? 0;
    this.#seq = state?.seq ?? 0;
    this.#items = state?.items ?? 0;
    this.evidenceIn = [...(state?.evidenceIn ?? [])];
    this.endedPlans = [...(state?.endedPlans ?? [])];
    this.govNotes = [...(state?.govNotes ?? [])];
    for (const cell of state?.cells ?? []) this.#cells.push(cell);
    for (const cell of state?.marked ?? []) this.#marked.push(cell);
    for (const activity of state?.activity ?? []) this.#activity.push(activity);
    this.observe();
  }

  /** All recordings; an observer created from them returns the same answers. */
  state(): ObserverState {
    return {
      height: this.#height,
      logSeq: this.#logSeq,
      haltSeq: this.#haltSeq,
      seq: this.#seq,
      items: this.#items,
      evidenceIn: this.evidenceIn,
      endedPlans: this.endedPlans,
      govNotes: this.govNotes,
      cells: this.#cells.newest(MAX_CELLS),
      marked: this.#marked.newest(),
      haltedAt: this.#haltedAt,
      activity: this.#activity.newest(MAX_ACTIVITY),
      storedIn: [...this.#storedIn],
      burns: this.burns.state(),
      forks: this.forks.state(),
      samples: this.#samples.state(),
      validators: this.validators.list,
    };
  }

  /** Records what has happened since the last call. */
  observe(): void {
    const halts = this.#sim.haltsSince(this.#haltSeq);
    const lines = this.#sim.logSince(this.#logSeq);
    const nodes = halts.length + lines.length === 0 ? 0 : this.#sim.nodes().length;
    for (const halt of halts) {
      this.#haltSeq = halt.seq;
      this.#haltedAt = halt.height;
      this.#items += piecesIn(halt.steps);
      this.#noteAll(stepsOfHalt(halt, nodes, this.#texts));
    }
    for (const line of lines) {
      this.#logSeq = line.seq;
      this.#note(activityOfLine(line, nodes));
    }
    this.validators.observe();
    while (this.#height < this.#sim.height) {
      this.#height += 1;
      const block = this.#sim.results(this.#height);
      if (block !== undefined) this.#record(block);
    }
    this.forks.observe(this.#sim);
  }

  #record(block: BlockResults): void {
    const { height, events, txs, steps } = block;
    const marks = marksOf(block) | (height === this.#haltedAt ? MARK.halt : 0);
    const cell = { height, binary: this.#indexOf(block.binary), marks };
    this.#cells.push(cell);
    if (marks & LOOKED_FOR) this.#marked.push(cell);
    if (events.length > 0) this.burns.add(height, events);
    for (const tx of txs) this.burns.add(height, tx.events);
    for (const step of steps) this.#learn(step, height);
    if (steps.length + events.length + txs.length > 0)
      this.#noteAll(activitiesOf(block, this.#texts));
    // Evidence without an accused validator has no step: it is counted in the block.
    const pieces = piecesIn(steps) || block.evidence.length;
    if (pieces > 0) {
      this.#items += pieces;
      this.evidenceIn.push(height);
      if (this.evidenceIn.length > MAX_EVIDENCE) this.evidenceIn.shift();
    }
    this.validators.observe();
    this.#samples.add({
      height,
      powers: this.validators.powers,
      burned: String(this.burns.total),
      intervalSeconds: this.#intervalBefore(height),
    });
  }

  /** Seconds between the previous block and this one; 0 for the first. */
  #intervalBefore(height: number): number {
    const time = this.#sim.timeAt(height) ?? this.#sim.spec.genesisTime;
    return Number(time - (this.#sim.timeAt(height - 1) ?? time)) / 1e9;
  }

  #learn(step: ModuleStep, height: number): void {
    if (step.module === "evidence" && step.kind === "persistence" && step.item !== undefined) {
      this.#storedIn.set(toHexUpper(step.data.hash), height);
    } else if (step.module === "upgrade" && step.kind === "plan_cleared") {
      const { plan } = step.data;
      // Cleared before the transactions because it was due.
      if (plan === undefined || step.reverted || step.phase === "pre-block") return;
      this.endedPlans.push({ name: plan.name, height: Number(plan.height), block: height });
    } else if (step.module === "gov" && !step.reverted) {
      if (step.kind === "vote" || step.kind === "execute") return;
      this.govNotes.push({ height, step });
      if (this.govNotes.length > MAX_GOV_STEPS) this.govNotes.shift();
    }
  }

  #noteAll(drafts: Iterable<ActivityDraft>): void {
    for (const draft of drafts) this.#note(draft);
  }

  #note(draft: ActivityDraft): void {
    this.#seq += 1;
    // A stored activity has its fields in the same order.
    const { height, kind, where, module, text, outcome, what, found } = draft;
    this.#activity.push({
      seq: this.#seq,
      height,
      kind,
      where,
      module,
      text,
      outcome,
      what,
      found,
    });
  }

  #indexOf(binary: string): number {
    const known = this.#binaryIndex.get(binary);
    if (known !== undefined) return known;
    const index = this.#sim.binaries().findIndex(({ name }) => name === binary);
    this.#binaryIndex.set(binary, index);
    return index;
  }

  /** Adds a message of the simulator. */
  addNote(text: string, outcome: "info" | "error" = "info"): void {
    this.#note(noteActivity(this.#sim.height, text, outcome));
  }

  /** Increases with every decided piece of evidence. */
  get evidenceDecided(): number {
    return this.#items;
  }

  /** Height of the block that stored evidence; 0 if unknown. */
  storedIn(hash: string): number {
    return this.#storedIn.get(hash) ?? 0;
  }

  /** Bonded tokens at the tally of a proposal; undefined without a tally. */
  bondedAtCount(proposal: number): bigint | undefined {
    for (const { step } of this.govNotes.toReversed()) {
      if (step.kind === "turnout" && Number(step.data.proposalId) === proposal)
        return step.data.bonded;
    }
    return undefined;
  }

  /** The newest blocks with rare marks, by height. */
  marked(): readonly BlockCell[] {
    return this.#marked.newest();
  }

  cellsAfter(height: number): readonly BlockCell[] {
    return this.#cells.newest(Math.min(this.#height - height, MAX_CELLS));
  }

  activityAfter(seq: number): readonly Activity[] {
    return this.#activity.newest(Math.min(this.#seq - seq, MAX_ACTIVITY));
  }

  samples(): readonly Sample[] {
    return this.#samples.all();
  }
}
