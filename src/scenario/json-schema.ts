/** The published JSON Schema of scenario files, drawn from the same schemas that read them. */
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { map, name, text } from "./fields.ts";
import { fileSchema } from "./parse.ts";
import { VERBS } from "./steps/index.ts";

/** A JSON Schema (draft 2020-12) as a plain object. */
export function scenarioJsonSchema(): object {
  const steps = [...VERBS.values()].map(({ name: verb, about, args, gives }) =>
    v.pipe(
      map({
        [verb]: args,
        note: v.optional(v.pipe(text, v.description("Shown in the page beside the step."))),
        ...(gives
          ? { as: v.optional(v.pipe(name, v.description("A name for the step's result."))) }
          : {}),
      }),
      v.description(about),
    ),
  );
  const file = map({ ...fileSchema.entries, steps: v.array(v.union(steps)) });
  const schema = toJsonSchema(file, {
    target: "draft-2020-12",
    typeMode: "input",
    // Beyond what JSON Schema can say; patterns beside them say the most of it.
    ignoreActions: ["check", "raw_check", "transform"],
  });
  const { $schema, ...rest } = schema;
  return {
    $schema,
    title: "Chainlab scenario",
    description: "The beginning of a simulated chain, and steps that are run on it.",
    ...rest,
  };
}
