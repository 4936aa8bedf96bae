import type { TestOptions } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Why the test is skipped, as a sentence for the summary of `npm test`. */
    skipped?: string;
  }
}

/**
 * Options of tests that need what a machine may lack.
 *
 * @param reason a sentence that says what is missing; undefined where nothing is, so that they run
 */
export const skippedFor = (reason: string | undefined): TestOptions =>
  reason === undefined ? {} : { skip: true, meta: { skipped: reason } };
