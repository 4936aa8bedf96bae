import type { ObservedSimulation } from "../api/lab/frame/observed.ts";
import type { Namespace } from "../api/namespaces.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";

/** Result of a named step, for later ones. */
export interface StepValue {
  /** The id of a proposal or the hash of a transaction. */
  readonly value?: string;
  /** Upper-case hex of the hash of the evidence it brought. Throws a StepError while there is none. */
  readonly evidence?: () => string;
  /** The height that it is of, where that is known. */
  readonly of?: number;
  /** Offence that the evidence proves. */
  readonly offence?: Offence;
  /** Finding of an expectation that was satisfied. */
  readonly found?: string;
}

/** A double sign by one of some validators, within heights: evidence of it is found by this once it is stored. */
export interface Offence {
  /** Consensus addresses, bech32. */
  readonly by: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** A running scenario: the simulation and what its steps have named so far. */
export interface StepContext {
  readonly sim: Simulation;
  /** The simulation with its observer. */
  readonly follow: () => ObservedSimulation;
  readonly results: ReadonlyMap<string, StepValue>;
  /** Namespace under which its chain is served; absent where it is not. */
  readonly namespace?: Namespace;
}

/** Why a step failed; `path` is the place in its arguments, `tx` the hash of a transaction, if there is one. */
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
 * Thrown if the subject of an expectation does not exist yet, or no longer: no answer would be true
 * or false.
 */
export class Unanswerable extends StepError {}
