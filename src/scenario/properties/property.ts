import type { Expected } from "../expectation.ts";

export const PROPERTY_LISTS = ["always", "never", "eventually", "sometimes"] as const;
export type PropertyList = (typeof PROPERTY_LISTS)[number];

/** The invariant that is watched beside those of the engine, under the name that reports give it. */
export const REMEDY = "a halted node has a cause and a remedy that works";

/** Something that a whole run has to keep to. */
export interface Property {
  readonly name: string;
  readonly kind: PropertyList;
  /** The height from which on it is asked; 0 from the beginning on. */
  readonly from: number;
  /** Of `eventually`: within how many rounds from then on. */
  readonly within: number;
  readonly expected: Expected;
}
