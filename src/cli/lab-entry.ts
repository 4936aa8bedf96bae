/** Commands of `chainlab lab`. */
import type { LabRequest } from "../gen/lab/v1/lab_plain.ts";
import type { Steering } from "./context.ts";

/** Values by position or flag; undefined for missing ones. */
export type Values = Readonly<Record<string, string | undefined>>;

/** The result of a call, as JSON and as lines. */
export interface CallOutput {
  readonly json: object;
  readonly text: string;
}

export interface LabEntry {
  readonly brief: string;
  readonly example: string;
  /** Values by position, `value?` if optional, and `--flag`. */
  readonly params: readonly string[];
  /** The scenario step. Throws an Error with the expected values. */
  readonly step?: (values: Values) => object;
  /**
   * The call made instead; its result is undefined if it prints nothing. Throws an Error like
   * `step`, before any connection.
   */
  readonly call?: (values: Values) => (lab: Steering) => Promise<CallOutput | undefined>;
}

/** The values that a command takes, in the table's notation. */
export const parametersIn = (params: string): readonly string[] => params.match(/\S+/g) ?? [];

/** A command that controls the clock. */
export const control = (
  takes: string,
  brief: string,
  example: string,
  text: (values: Values) => LabRequest<"control">,
): LabEntry => ({
  brief,
  example,
  params: parametersIn(takes),
  call(values) {
    const request = text(values);
    return async (lab) => {
      await lab.control(request);
      return undefined;
    };
  },
});
