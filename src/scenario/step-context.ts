import type { Simulation } from "../engine/simulation/simulation.ts";
import type { ObservedSimulation } from "../view/lab/frame/observed.ts";
import type { Namespace } from "../view/namespaces.ts";

/** Result of a named step, for later steps. */
export interface StepValue {
  /** The id of a proposal or the hash of a transaction. */
  readonly value?: string;
  /**
   * Upper-case hex of the hash of the evidence that it caused. Throws a StepError while there is
   * none.
   */
  readonly evidence?: () => string;
  /** The height of the result, if known. */
  readonly of?: number;
  /** Offence proved by the evidence. */
  readonly offence?: Offence;
  /** Value found by a satisfied expectation. */
  readonly found?: string;
}

/**
 * A double sign by some of the validators, in a range of heights; finds its evidence once it is
 * stored.
 */
export interface Offence {
  /** Consensus addresses, bech32. */
  readonly by: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** A running scenario: the simulation and the named results so far. */
export interface StepContext {
  readonly sim: Simulation;
  /** The simulation with its observer. */
  readonly follow: () => ObservedSimulation;
  readonly results: ReadonlyMap<string, StepValue>;
  /** Namespace under which its chain is served; absent if it is not. */
  readonly namespace?: Namespace;
}

/**
 * Error of a failed step; `path` locates the problem in its arguments, `tx` is the hash of a
 * transaction, if there is one.
 */
export class StepError extends Error {
  readonly path: string;
  readonly tx: string | undefined;

  constructor(message: string, path = "", tx?: string) {
    super(message);
    this.name = "StepError";
    this.path = path;
    this.tx = tx;
  }
}

/**
 * Thrown if the subject of an expectation does not exist yet, or no longer: it is neither true nor
 * false.
 */
export class Unanswerable extends StepError {}
