/**
 * Decisions and their reasons, in addition to the chain's own events: typed facts that keepers
 * record when they decide. A step must not influence state, and recording one builds no text: texts
 * are built when a step is shown.
 */

/** Outcome of a step: success, refused, ignored, a halt, or information only. */
export type StepOutcome = "ok" | "refused" | "ignored" | "halt" | "info";

/** One decision of a module: its kind, and the facts on which it is based. */
export interface Step {
  /** pre-block, begin-block, tx 0, end-block, start, … */
  readonly phase: string;
  /** The module that decided. */
  readonly module: string;
  /** One of the module's own kinds, e.g. `duplicate_check`. */
  readonly kind: string;
  /**
   * Addresses, keys and hashes are bytes, times and durations nanoseconds, decimals scaled by
   * 10^18.
   */
  readonly data: object;
  readonly outcome: StepOutcome;
  /** Number of its piece of evidence in the block, from 1; absent if it belongs to none. */
  readonly item?: number;
  /** True if its decision was reverted: its transaction, or its proposal's messages, failed. */
  readonly reverted?: true;
}

/** Steps of one module; `Kinds` maps each of its kinds to its data. */
export type StepOf<Module extends string, Kinds> = {
  [Kind in keyof Kinds & string]: Step & {
    readonly module: Module;
    readonly kind: Kind;
    readonly data: Kinds[Kind];
  };
}[keyof Kinds & string];

/** Text of a step: what was checked, e.g. `duplicate check`, and the result, e.g. `not found`. */
export interface StepText {
  readonly what: string;
  readonly found: string;
}

/** Texts for all kinds of a module's steps: a kind without a text does not compile. */
export type StepTexts<Kinds> = {
  readonly [Kind in keyof Kinds]: (data: Kinds[Kind]) => readonly [what: string, found: string];
};

/** Returns the text of a step from its module's table. */
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
  /** Key and value pairs printed after the text. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Set on the line with which a node's process exits or its consensus ends. */
  readonly last?: true;
}

/** Collects events, steps and logs of one execution; shared by all its contexts. */
export class Trace {
  readonly events: { type: string; attributes: readonly { key: string; value: string }[] }[] = [];
  readonly steps: Step[] = [];
  readonly logs: LogLine[] = [];
  phase = "";
  /** Number of the current piece of evidence; undefined if there is none. */
  item: number | undefined;
  /** Number of pieces of evidence in the block so far. */
  items = 0;
}
