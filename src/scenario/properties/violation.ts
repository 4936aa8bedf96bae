export type PropertyKind = "always" | "never" | "eventually" | "sometimes" | "invariant" | "step";

/** A property that did not hold in a run: where, and what was found. */
export interface Violation {
  /** Its name in the file or of the model; of a step that failed, its verb and why. */
  readonly property: string;
  readonly kind: PropertyKind;
  /** The chain's height when it was found. */
  readonly height: number;
  /** The step that was running, from 0; absent before the first and after the last. */
  readonly step?: number;
  /** Expected and found values, as text. */
  readonly message: string;
}

/** A violation in one sentence, as a step says it that ended by it. */
export const violationText = ({ property, kind, message }: Violation): string =>
  `${kind} ${property}: ${message}`;
