import type { Expected } from "../expectation.ts";

export const PROPERTY_LISTS = ["always", "never", "eventually", "sometimes"] as const;
export type PropertyList = (typeof PROPERTY_LISTS)[number];

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
