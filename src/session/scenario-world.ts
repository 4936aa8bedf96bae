import { errorText } from "../engine/framework/errors.ts";
import type { LabAnswer, LabRequest } from "../gen/lab/v1/lab_plain.ts";
import { genesisProblem, parseScenario } from "../scenario/parse.ts";
import { RunningWorld } from "./running-world.ts";
import { Story } from "./story.ts";
import { wireProblems } from "./summary.ts";

/**
 * Creates a world from a scenario file, and runs its steps if requested; or returns the problems of
 * the file.
 */
export function scenarioWorld({
  text = "",
  file = "",
  withoutSteps,
  steps = 0,
}: LabRequest<"loadScenario">): RunningWorld | LabAnswer<"loadScenario"> {
  const read = parseScenario(text, file);
  if ("problems" in read) return { ok: false, problems: wireProblems(read.problems) };
  try {
    const { scenario: whole } = read;
    const some = steps > 0 && steps < whole.steps.length;
    const scenario = some ? { ...whole, steps: whole.steps.slice(0, steps) } : whole;
    const world = new RunningWorld({ scenario, file, text, ...(some && { until: steps }) });
    world.story = new Story(world);
    if (!withoutSteps) world.story.begin();
    return world;
  } catch (error) {
    const problem = genesisProblem(text, file, errorText(error));
    return { ok: false, problems: wireProblems([problem]) };
  }
}
