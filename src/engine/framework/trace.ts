/**
 * What happened and why, beside the chain's own events: structured facts that keepers note as they
 * decide. Nothing in a step may influence state. Every "why" that people see is drawn from these.
 */

/** How a step ended, for the marks beside it: fine, refused or ignored, a stop, or plain fact. */
export type StepOutcome = "ok" | "refused" | "ignored" | "halt" | "info";

/** One decision: in `scope` (module or subject), `what` was looked at, and what was found. */
export interface Step {
  /** pre-block, begin-block, tx 0, end-block, start, … */
  readonly phase: string;
  /** The module that decided. */
  readonly module: string;
  /** What was asked, e.g. `duplicate check`. */
  readonly what: string;
  /** What was found, e.g. `not found` or `12s of 48h`. */
  readonly found: string;
  readonly outcome: StepOutcome;
}

export type LogLevel = "info" | "error";

/** One line of a node's log. */
export interface LogLine {
  readonly level: LogLevel;
  readonly module: string;
  readonly text: string;
  /** Key and value pairs printed behind the text. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Collects what one execution says; shared by every context of that execution. */
export class Trace {
  readonly events: { type: string; attributes: readonly { key: string; value: string }[] }[] = [];
  readonly steps: Step[] = [];
  readonly logs: LogLine[] = [];
  phase = "";
}
