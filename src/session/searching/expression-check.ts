/** Checks expressions for a time series of a run, and lists suggestions. */
import type { LabAnswer, LabRequest } from "../../gen/lab/v1/lab_plain.ts";
import { parseScenario } from "../../scenario/parse.ts";
import { readEachProbe } from "../../scenario/search/series.ts";
import { EVENT_TYPES } from "../../scenario/steps/expect/event-types.ts";
import { wireProblems } from "../summary.ts";
import { expressionsOf, familyFile } from "./family-file.ts";

type Check = LabAnswer<"checkExpressions">;

/** Maximum number of validators offered, and of nodes. */
const OFFERED = 100;

/** Checks each expression against a file, and lists suggestions for it. Nothing runs. */
export function checkExpressions(request: LabRequest<"checkExpressions">): Check {
  const { text, file } = familyFile(request.file);
  const read = parseScenario(text, file);
  if ("problems" in read) return { problems: wireProblems(read.problems), wrong: [], offered: [] };
  const expressions = expressionsOf(request.expressions);
  const wrong = readEachProbe(expressions, read.scenario).flatMap((one, expression) =>
    "problems" in one ? wireProblems(one.problems).map((problem) => ({ expression, problem })) : [],
  );
  const names = read.scenario.spec.validators.slice(0, OFFERED).map(({ name }) => name);
  const offered: Check["offered"] = [
    { expression: "chain", kind: "chain", name: "" },
    ...names.map((name) => ({ expression: `{ tokens: ${word(name)} }`, kind: "tokens", name })),
    ...names.map((name) => ({ expression: `{ node: ${word(name)} }`, kind: "node", name })),
    ...EVENT_TYPES.map((name) => ({
      ...{ expression: `{ events: { type: ${name} } }`, kind: "event", name },
    })),
  ];
  return { problems: [], wrong, offered };
}

/** A name in YAML: in quotes unless it needs none. */
const word = (name: string): string =>
  /^[a-z]\w*-[\w-]+$/i.test(name) ? name : JSON.stringify(name);
