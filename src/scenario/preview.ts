import { errorText } from "../engine/framework/errors.ts";
import type { StepPreview } from "../gen/lab/v1/lab_plain.ts";
import type { ScenarioStep } from "./scenario.ts";
import { type StepContext, StepError } from "./step-context.ts";

/**
 * Previews a step in a sentence; a refusal is in `message`, with its path in `path`. Changes
 * nothing.
 */
export function previewStep(context: StepContext, { verb, action }: ScenarioStep): StepPreview {
  try {
    return { ...NO_PREVIEW, ...action.preview(context) };
  } catch (error) {
    const place = error instanceof StepError && error.path !== "" ? `.${error.path}` : "";
    return { ...NO_PREVIEW, path: `${verb}${place}`, message: errorText(error) };
  }
}

export const NO_PREVIEW: StepPreview = { sentence: "", path: "", message: "", time: "", power: "" };
