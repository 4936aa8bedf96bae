import * as v from "valibot";
import { describe } from "../view/json-reader.ts";
import { isMap, name, text } from "./fields.ts";
import { flow } from "./flow.ts";
import { argumentCheck, type Names, RESERVED } from "./names.ts";
import { type Path, type Problem, problemsOf } from "./problems.ts";
import { checkReferences } from "./references.ts";
import type { ScenarioStep } from "./scenario.ts";
import { checkShow, type Show, showSchema } from "./show.ts";
import { stepText } from "./step-text.ts";
import { VERBS } from "./steps/index.ts";
import type { Verb } from "./verb.ts";

/** Keys that a step may have besides its verb. */
const BESIDES = ["note", "as", "show", "off"];

/** True if a step is disabled: it is neither checked nor run. */
export const isOff = (source: unknown): boolean => isMap(source) && source.off === true;

/**
 * Parses one step; undefined if it has a problem. Without `names`, when the file's genesis has one,
 * only formats are checked.
 */
export function readStep(
  source: unknown,
  path: Path,
  names: Names | undefined,
  report: (problem: Problem) => void,
): ScenarioStep | undefined {
  let sound = true;
  const refuse = (problem: Problem): void => {
    sound = false;
    report(problem);
  };
  const verb = verbOf(source, path, refuse);
  if (!isMap(source) || !verb) return undefined;
  const { note, as, show, off } = source;
  if (off !== undefined) {
    const message =
      off === true ? "this step is switched off" : `expected true, found ${describe(off)}`;
    refuse({ path: [...path, "off"], message });
  }
  if (note !== undefined) parse(text, note, [...path, "note"], refuse);
  if (as !== undefined) checkAs(as, verb, [...path, "as"], names, refuse);
  const shown =
    show === undefined ? undefined : readShow(show, verb, as, [...path, "show"], names, refuse);

  const place = [...path, verb.name];
  const action = parse(verb.args, source[verb.name], place, refuse)?.value;
  if (action && names) {
    const check = argumentCheck(names, (rest, message) =>
      refuse({ path: [...place, ...rest], message }),
    );
    action.check(check);
  }
  if (names) refuseReferences(source[verb.name], place, names, refuse);
  if (!sound || !action) return undefined;
  return {
    verb: verb.name,
    action,
    text: verb.name === "expect" ? "" : stepText(verb.name, source[verb.name]),
    ...(note === undefined ? {} : { note: note as string }),
    ...(as === undefined ? {} : { as: as as string }),
    ...(shown && { show: shown }),
    ...(verb.name === "expect" && { expected: flow(source[verb.name]) }),
  };
}

/** Parses a step's `show`, which may refer to the step's own result. */
function readShow(
  source: unknown,
  { gives }: Verb,
  as: unknown,
  path: Path,
  names: Names | undefined,
  refuse: (problem: Problem) => void,
): Show | undefined {
  const show = parse(showSchema, source, path, refuse)?.value;
  if (show === undefined || names === undefined) return show;
  checkShow(
    show,
    argumentCheck(names, (rest, message) => refuse({ path: [...path, ...rest], message })),
  );
  const own = typeof as === "string" && gives ? [[as, gives] as const] : [];
  const results = new Map([...names.results, ...own]);
  refuseReferences(source, path, { ...names, results }, refuse);
  return show;
}

const verbs = (): string => [...VERBS.keys()].join(", ");

function verbOf(source: unknown, path: Path, refuse: (problem: Problem) => void): Verb | undefined {
  if (!isMap(source)) {
    refuse({ path, message: `expected a map with one of ${verbs()}, found ${describe(source)}` });
    return undefined;
  }
  const found = Object.keys(source).filter((key) => VERBS.has(key));
  for (const key of Object.keys(source)) {
    if (!VERBS.has(key) && !BESIDES.includes(key)) {
      refuse({
        path: [...path, key],
        message: `unknown key "${key}", expected one of ${verbs()} and beside it note, as, show and off`,
      });
    }
  }
  if (found.length > 1) {
    refuse({ path, message: `expected one verb in a step, found ${found.join(" and ")}` });
  }
  if (found.length === 0 && Object.keys(source).every((key) => BESIDES.includes(key))) {
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

/** Reports references in a value that does not support them. */
export function refuseReferences(
  source: unknown,
  path: Path,
  names: Names,
  refuse: (problem: Problem) => void,
): void {
  eachReferring(source, path, (content, where) => {
    for (const message of checkReferences(content, names)) refuse({ path: where, message });
  });
}

/** Calls `look` with each text that can contain a reference; builds no paths for other values. */
function eachReferring(
  value: unknown,
  path: Path,
  look: (content: string, path: Path) => void,
): void {
  if (typeof value === "string") {
    if (value.includes("$")) look(value, path);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      if (mayRefer(item)) eachReferring(item, [...path, index], look);
    });
  } else if (isMap(value)) {
    for (const key of Object.keys(value)) {
      const item = value[key];
      if (mayRefer(item)) eachReferring(item, [...path, key], look);
    }
  }
}

const mayRefer = (value: unknown): boolean =>
  typeof value === "string" ? value.includes("$") : typeof value === "object";
