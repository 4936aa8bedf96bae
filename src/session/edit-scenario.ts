import { errorText } from "../engine/framework/errors.ts";
import type { LabAnswer, LabRequest } from "../gen/lab/v1/lab_plain.ts";
import type { Edit } from "../scenario/edit.ts";
import { edited, readText } from "../scenario/edit-text.ts";
import { wireProblems } from "./summary.ts";

const KINDS: readonly string[] = [
  ...["move", "remove", "duplicate", "disable", "enable", "insert", "replace", "cut"],
];

/**
 * Edits the steps of a scenario; returns its new text with its steps and problems. Nothing runs.
 */
export function editScenario({
  text: before = "",
  file = "",
  edit = "",
  at = 0,
  to = 0,
  step: json = "",
}: LabRequest<"editScenario">): LabAnswer<"editScenario"> {
  let text = before;
  let refusal = "";
  try {
    if (edit !== "") {
      if (!KINDS.includes(edit)) throw new Error(`expected one of ${KINDS.join(", ")}`);
      text = edited(before, file, { kind: edit, at, to, json } as Edit);
    }
  } catch (error) {
    refusal = errorText(error);
  }
  const { problems, steps, names } = readText(text, file);
  return { text, refusal, problems: wireProblems(problems), steps: [...steps], names };
}
