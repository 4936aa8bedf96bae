/** All that reads and runs what people write: kept apart so that the first screen does not wait for it. */
export { parseScenario } from "./parse.ts";
export { previewStep } from "./preview.ts";
export { parseStep, runStep } from "./runner.ts";
