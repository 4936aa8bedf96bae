/** Edits the genesis values of a scenario file, for the other side of a comparison. */

import { errorText } from "../../base/error-text.ts";
import { STATUS, StatusError } from "../../engine/framework/errors.ts";
import { Simulation } from "../../engine/simulation/simulation.ts";
import type { LabAnswer, LabRequest } from "../../gen/lab/v1/lab_plain.ts";
import { genesisProblem, parseScenario } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { withValue } from "../../scenario/with-value.ts";
import { offeredValues } from "../beginning-values.ts";
import { wireProblems } from "../summary.ts";
import { familyFile } from "./family-file.ts";

type Edited = LabAnswer<"editBeginning">;

const MOST_VALUES = 16;
const VALUE_CHARACTERS = 2_000;

/**
 * Returns its text with the values, or the reasons for refused ones, and the settings that can be
 * changed. Nothing runs.
 */
export function editBeginning(request: LabRequest<"editBeginning">): Edited {
  const { text: source, file } = familyFile(request.file);
  const values = valuesOf(request.values);
  const input = withGenesis(source, file);
  if ("problems" in input) {
    return { text: "", problems: wireProblems(input.problems), refused: [], offered: [] };
  }
  let text = source;
  const refused: Edited["refused"][number][] = [];
  for (const [value, other] of values.entries()) {
    try {
      const changed = withValue(text, file, undefined, other);
      const read = withGenesis(changed, file);
      if (!("problems" in read)) text = changed;
      else refused.push({ value, why: whyOf(read.problems) });
    } catch (error) {
      refused.push({ value, why: errorText(error) });
    }
  }
  const { spec } = input.scenario;
  const { sim } = input;
  const seed = { name: "seed", value: `${spec.seed}`, choices: [] };
  const offered = [seed, ...offeredValues(spec, sim.binaries())];
  return { text: refused.length > 0 ? "" : text, problems: [], refused, offered };
}

type Problems = Extract<ReturnType<typeof parseScenario>, { problems: unknown }>["problems"];

/** Parses a file and creates its chain; or returns the problems of the file. */
function withGenesis(
  text: string,
  file: string,
): { readonly scenario: Scenario; readonly sim: Simulation } | { readonly problems: Problems } {
  const read = parseScenario(text, file);
  if ("problems" in read) return read;
  try {
    return { scenario: read.scenario, sim: Simulation.create(read.scenario.spec) };
  } catch (error) {
    return { problems: [genesisProblem(text, file, errorText(error))] };
  }
}

const whyOf = ([first]: Problems): string => (first ? `${first.path}: ${first.message}` : "");

/**
 * Values of the wire; absent fields are empty. Throws a StatusError if they are too many or too
 * long.
 */
function valuesOf(
  input: LabRequest<"editBeginning">["values"] = [],
): readonly { readonly name: string; readonly value: string }[] {
  const values = input.map(({ name = "", value = "" }) => ({ name, value }));
  if (values.length > MOST_VALUES) {
    const problem = `values: expected at most ${MOST_VALUES}, found ${values.length}`;
    throw new StatusError(STATUS.invalidArgument, problem);
  }
  const long = values.findIndex(({ name, value }) => name.length + value.length > VALUE_CHARACTERS);
  if (long < 0) return values;
  const problem = `values[${long}]: expected at most ${VALUE_CHARACTERS} characters`;
  throw new StatusError(STATUS.invalidArgument, problem);
}
