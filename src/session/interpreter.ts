/**
 * The scenario format with its parsers and schemas. A session loads it on first use: the first
 * screen does not need it.
 */

export { parseScenario } from "../scenario/parse.ts";
export { editScenario } from "./edit-scenario.ts";
export { readSteps } from "./read-steps.ts";
export { previewOf, replaceWorld, runSteps } from "./session-steps.ts";
export { Story } from "./story.ts";
export { goToBeat, runOn } from "./story-control.ts";
export { summaryOf } from "./summary.ts";
