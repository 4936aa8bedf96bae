/**
 * Decisions and their reasons, beside the chain's own events: typed facts that keepers note as they
 * decide. Nothing in a step may influence state, and noting one builds no text: sentences are made
 * when a step is shown.
 */

/** Outcome of a step, for its mark: fine, refused or ignored, a stop, or plain fact. */
export type StepOutcome = "ok" | "refused" | "ignored" | "halt" | "info";

/** One decision of a module: its kind, and the facts it went by. */
export interface Step {
  /** pre-block, begin-block, tx 0, end-block, start, … */
  readonly phase: string;
  /** The module that decided. */
  readonly module: string;
  /** One of the module's own kinds, e.g. `duplicate_check`. */
  readonly kind: string;
  /** Addresses, keys and hashes are bytes, times and durations nanoseconds, decimals scaled by 10^18. */
  readonly data: object;
  readonly outcome: StepOutcome;
  /** Number of its piece of evidence in the block, counted from 1; absent if it belongs to none. */
  readonly item?: number;
  /** True if its decision was reverted: its transaction, or its proposal's messages, failed. */
  readonly reverted?: true;
}

/** The steps of one module; `Kinds` holds the data of each of its kinds. */
export type StepOf<Module extends string, Kinds> = {
  [Kind in keyof Kinds & string]: Step & {
    readonly module: Module;
    readonly kind: Kind;
    readonly data: Kinds[Kind];
  };
}[keyof Kinds & string];

/**
 * A step as people read it: what was checked, e.g. `duplicate check`, and what was found, e.g. `not found`.
 */
export interface StepText {
  readonly what: string;
  readonly found: string;
}

/** The text of every kind of a module's steps: a kind without one does not compile. */
export type StepTexts<Kinds> = {
  readonly [Kind in keyof Kinds]: (data: Kinds[Kind]) => readonly [what: string, found: string];
};

/** The text of a step by its module's table. */
export function textOfStep<Kinds, Kind extends keyof Kinds>(
  texts: StepTexts<Kinds>,
  step: { readonly kind: Kind; readonly data: Kinds[Kind] },
): StepText {
  const [what, found] = texts[step.kind](step.data);
  return { what, found };
}

export type LogLevel = "info" | "error";

/** One line of a node's log. */
export interface LogLine {
  readonly level: LogLevel;
  readonly module: string;
  readonly text: string;
  /** Key and value pairs printed behind the text. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Set on the line with which a node's process exits or its consensus ends. */
  readonly last?: true;
}

/** Collects events, steps, logs of one execution; shared by every context of that execution. */
export class Trace {
  readonly events: { type: string; attributes: readonly { key: string; value: string }[] }[] = [];
  readonly steps: Step[] = [];
  readonly logs: LogLine[] = [];
  phase = "";
  /** The piece of evidence that is being decided on; undefined between them. */
  item: number | undefined;
  /** Number of pieces of evidence in the block so far. */
  items = 0;
}
