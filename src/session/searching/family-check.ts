/** Describes the family of cases that a scenario file draws. */
import type { LabAnswer, LabRequest } from "../../gen/lab/v1/lab_plain.ts";
import { parseScenario, problemAt } from "../../scenario/parse.ts";
import { formatPath, type PlacedProblem } from "../../scenario/problems.ts";
import { type Family, readFamily } from "../../scenario/search/family.ts";
import { unreachedDisturb } from "../../scenario/search/places.ts";
import type { FamilyFile } from "../../scenario/search/search.ts";
import type { Disturb, Variation } from "../../scenario/vary.ts";
import { wireProblems } from "../summary.ts";
import { familyFile } from "./family-file.ts";

type Check = LabAnswer<"checkFamily">;
type VariationText = Check["variations"][number];

const NOTHING: Check = {
  ...{ problems: [], name: "", title: "", properties: [], variations: [], steps: 0 },
};

/**
 * Describes the variations and properties of a file, or its problems. It runs only where `disturb`
 * begins at a height.
 */
export function checkFamily(request: LabRequest<"checkFamily">): Check {
  const input = familyFile(request);
  const parsed = parseScenario(input.text, input.file);
  if ("problems" in parsed) return { ...NOTHING, problems: wireProblems(parsed.problems) };
  const read = readFamily(input);
  if ("problems" in read) return { ...NOTHING, problems: wireProblems(read.problems) };
  const late = lateDisturb(input, read.family);
  if (late.length > 0) return { ...NOTHING, problems: wireProblems(late) };
  const { name, title, steps, properties = [] } = parsed.scenario;
  const { vary, disturb } = read.family;
  return {
    ...NOTHING,
    ...{ name, title, steps: steps.length },
    properties: properties.map((property) => ({ name: property.name, kind: property.kind })),
    variations: [...vary.map(variationText), ...disturb.map(disturbanceText)],
  };
}

/** Reports heights of `disturb` that the file never reaches. */
export function lateDisturb({ text, file }: FamilyFile, family: Family): readonly PlacedProblem[] {
  const problem = unreachedDisturb(family);
  return problem === undefined ? [] : [problemAt(text, file, problem)];
}

const SHOWN = 6;

/** The first few of a list, and how many more there are. */
function few(items: readonly unknown[]): string {
  const shown = items
    .slice(0, SHOWN)
    .map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
  const more = items.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function variationText(variation: Variation): VariationText {
  switch (variation.kind) {
    case "one_of":
      return { what: formatPath(variation.path), domain: few(variation.values) };
    case "range":
      return {
        what: formatPath(variation.path),
        domain: `${variation.least} to ${variation.greatest}`,
      };
    case "subset": {
      const { least, most, values } = variation;
      const many = least === most ? `${most}` : `${least} to ${most}`;
      return { what: formatPath(variation.path), domain: `${many} of ${few(values)}` };
    }
    case "permutation":
      return {
        what: formatPath(variation.path),
        domain: `any order of ${few(variation.values)}`,
      };
    default: {
      const { steps, kind, most } = variation;
      return {
        what: `${steps.length === 1 ? "step" : "steps"} ${few(steps)}`,
        domain: `${kind.replaceAll("_", " ")}, ${most} at most`,
      };
    }
  }
}

function disturbanceText({ kinds, nodes, most = 1, from, to }: Disturb): VariationText {
  const at = [from === undefined ? "" : `from ${from}`, to === undefined ? "" : `to ${to}`];
  const where = [nodes === undefined ? "any node" : few(nodes), at.filter(Boolean).join(" ")];
  return {
    what: `up to ${most}: ${kinds.map((kind) => kind.replaceAll("_", " ")).join(", ")}`,
    domain: where.filter(Boolean).join(", "),
  };
}
