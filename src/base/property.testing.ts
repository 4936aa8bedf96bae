import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    propertySeed: number;
    /** Share of its runs that a property does, above 0 and up to 1. */
    propertyShare: number;
    /** True in `npm run soak`, for tests that take too long to run on each change. */
    soak: boolean;
  }
}

/**
 * Runs of a property in this test run: a fixed share of `count` in `npm test`, all of them in `npm
 * run soak`.
 *
 * @param count runs at full count
 * @returns an integer, at least 1
 */
export const propertyRuns = (count: number): number => Math.ceil(count * inject("propertyShare"));
