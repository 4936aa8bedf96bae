/** All that reads and runs what people write: kept apart so that the first screen does not wait for it. */
export { parseScenario } from "../scenario/parse.ts";
export { previewStep } from "../scenario/preview.ts";
export { parseStep, runStep } from "../scenario/runner.ts";
