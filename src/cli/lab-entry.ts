/** Commands of `chainlab lab`. */
import type { LabRequest } from "../gen/lab/v1/lab_plain.ts";
import type { Steering } from "./context.ts";

/** Values by position or flag; undefined for missing ones. */
export type Values = Readonly<Record<string, string | undefined>>;

/** The result of a call, as JSON and as lines. */
export interface Said {
  readonly json: object;
  readonly text: string;
}

export interface LabEntry {
  readonly brief: string;
  readonly example: string;
  /** Values by position, `value?` where one may be left out, and `--flag`. */
  readonly takes: readonly string[];
  /** The step, as scenarios have it. Throws an Error that says what was expected. */
  readonly step?: (values: Values) => object;
  /**
   * The call made instead; its result is undefined where it prints nothing. Throws an Error like
   * `step`, before anything is reached.
   */
  readonly call?: (values: Values) => (lab: Steering) => Promise<Said | undefined>;
}

/** The values that a command takes, as its table writes them. */
export const taken = (takes: string): readonly string[] => takes.match(/\S+/g) ?? [];

/** A command that tells the clock something. */
export const control = (
  takes: string,
  brief: string,
  example: string,
  written: (values: Values) => LabRequest<"control">,
): LabEntry => ({
  brief,
  example,
  takes: taken(takes),
  call(values) {
    const request = written(values);
    return async (lab) => {
      await lab.control(request);
      return undefined;
    };
  },
});
