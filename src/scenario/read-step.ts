import * as v from "valibot";
import { describe } from "../api/json-reader.ts";
import { isMap, name, text } from "./fields.ts";
import { argumentCheck, type Names, RESERVED } from "./names.ts";
import { type Path, type Problem, problemsOf } from "./problems.ts";
import { checkReferences } from "./references.ts";
import type { ScenarioStep } from "./scenario.ts";
import { VERBS } from "./steps/index.ts";
import type { Verb } from "./verb.ts";

/** Beside its verb a step may have these. */
const BESIDES = ["note", "as"];

/**
 * Reads one step; undefined if it has a problem. Without `names`, when the file's genesis has one,
 * only forms are checked.
 */
export function readStep(
  written: unknown,
  path: Path,
  names: Names | undefined,
  report: (problem: Problem) => void,
): ScenarioStep | undefined {
  let sound = true;
  const refuse = (problem: Problem): void => {
    sound = false;
    report(problem);
  };
  const verb = verbOf(written, path, refuse);
  if (!isMap(written) || !verb) return undefined;
  const { note, as } = written;
  if (note !== undefined) parse(text, note, [...path, "note"], refuse);
  if (as !== undefined) checkAs(as, verb, [...path, "as"], names, refuse);

  const place = [...path, verb.name];
  const action = parse(verb.args, written[verb.name], place, refuse)?.value;
  if (action && names) {
    const check = argumentCheck(names, (rest, message) =>
      refuse({ path: [...place, ...rest], message }),
    );
    action.check(check);
  }
  if (names) {
    eachText(written[verb.name], place, (content, where) => {
      for (const message of checkReferences(content, names)) refuse({ path: where, message });
    });
  }
  if (!sound || !action) return undefined;
  return {
    verb: verb.name,
    action,
    ...(note === undefined ? {} : { note: note as string }),
    ...(as === undefined ? {} : { as: as as string }),
  };
}

const verbs = (): string => [...VERBS.keys()].join(", ");

function verbOf(
  written: unknown,
  path: Path,
  refuse: (problem: Problem) => void,
): Verb | undefined {
  if (!isMap(written)) {
    refuse({ path, message: `expected a map with one of ${verbs()}, found ${describe(written)}` });
    return undefined;
  }
  const found = Object.keys(written).filter((key) => VERBS.has(key));
  for (const key of Object.keys(written)) {
    if (!VERBS.has(key) && !BESIDES.includes(key)) {
      refuse({
        path: [...path, key],
        message: `unknown key "${key}", expected one of ${verbs()} and beside it note and as`,
      });
    }
  }
  if (found.length > 1) {
    refuse({ path, message: `expected one verb in a step, found ${found.join(" and ")}` });
  }
  if (found.length === 0 && Object.keys(written).every((key) => BESIDES.includes(key))) {
    refuse({ path, message: `expected a verb, one of ${verbs()}` });
  }
  return found.length === 1 ? VERBS.get(found[0] as string) : undefined;
}

function checkAs(
  as: unknown,
  verb: Verb,
  path: Path,
  names: Names | undefined,
  refuse: (problem: Problem) => void,
): void {
  const own = parse(name, as, path, refuse)?.value;
  if (own === undefined) return;
  if (!verb.gives) {
    refuse({ path, message: `${verb.name} has no result to name` });
  } else if (RESERVED.includes(own) || names?.accounts.has(own) || names?.results.has(own)) {
    refuse({ path, message: `the name "${own}" is taken: expected another one` });
  }
}

function parse<S extends v.GenericSchema>(
  schema: S,
  input: unknown,
  path: Path,
  refuse: (problem: Problem) => void,
): { value: v.InferOutput<S> } | undefined {
  const result = v.safeParse(schema, input);
  if (result.success) return { value: result.output };
  for (const problem of problemsOf(result.issues, path)) refuse(problem);
  return undefined;
}

function eachText(value: unknown, path: Path, look: (content: string, path: Path) => void): void {
  if (typeof value === "string") look(value, path);
  else if (Array.isArray(value)) {
    value.forEach((item, index) => void eachText(item, [...path, index], look));
  } else if (isMap(value)) {
    for (const [key, item] of Object.entries(value)) eachText(item, [...path, key], look);
  }
}
