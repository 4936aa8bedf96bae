import type { Expected } from "../expectation.ts";

export const PROPERTY_LISTS = ["always", "never", "eventually", "sometimes"] as const;
export type PropertyList = (typeof PROPERTY_LISTS)[number];

/** The invariant that is checked in addition to those of the engine, with its name in reports. */
export const REMEDY = "a halted node has a cause and a remedy that works";

/** A condition on a whole run. */
export interface Property {
  readonly name: string;
  readonly kind: PropertyList;
  /** The height from which it is evaluated; 0 from genesis. */
  readonly from: number;
  /** For `eventually`: maximum rounds from then on. */
  readonly within: number;
  readonly expected: Expected;
}
