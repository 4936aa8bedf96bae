/** What a step would do, for the forms and buttons that are about one: none of them is on the first screen. */
import { type ClientError, CODE } from "../../client/client.ts";
import { type Outcome, refusalOf } from "./actions.ts";
import type { Page } from "./page.ts";

/** What a step would do if it were run now. */
export interface StepPreview {
  readonly sentence: string;
  /** For misbehavior: the time and the power that are true at its height. */
  readonly time: string;
  readonly power: string;
  /** Why it would be refused; undefined if it would not. */
  readonly refusal: Outcome | undefined;
}

/** Asks without doing; undefined if the engine cannot be asked. */
export async function previewStep(
  { lab }: Page["client"],
  step: string,
): Promise<StepPreview | undefined> {
  try {
    const { sentence, time, power, path, message } = await lab.preview({ step });
    const refusal = message ? refusalOf(message, path) : undefined;
    return { sentence, time, power, refusal };
  } catch (error) {
    const { code, message } = error as ClientError;
    if (code !== CODE.failedPrecondition) return undefined;
    return { sentence: "", time: "", power: "", refusal: refusalOf(message) };
  }
}
