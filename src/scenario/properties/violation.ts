export type PropertyKind = "always" | "never" | "eventually" | "sometimes" | "invariant" | "step";

/** A violated property of a run, with its position and the found value. */
export interface Violation {
  /** Its name in the file or of the model; for a failed step, its verb and the reason. */
  readonly property: string;
  readonly kind: PropertyKind;
  /** The chain's height when it was found. */
  readonly height: number;
  /** The running step, from 0; absent before the first and after the last. */
  readonly step?: number;
  /** Expected and found values, as text. */
  readonly message: string;
}

/** A violation in one sentence, as the message of the step that it ended. */
export const violationText = ({ property, kind, message }: Violation): string =>
  `${kind} ${property}: ${message}`;
