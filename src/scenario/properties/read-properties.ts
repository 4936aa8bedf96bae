/**
 * Parses the properties of the complete run, from the lists `always`, `never`, `eventually` and
 * `sometimes` of a file.
 */
import * as v from "valibot";
import { INPUT } from "../../base/limits.ts";
import { INVARIANTS } from "../../engine/simulation/invariants/model-invariants.ts";
import type { Expected } from "../expectation.ts";
import { about, choice, has, integer, LIMITS, list, map } from "../fields.ts";
import { flow } from "../flow.ts";
import { argumentCheck, type Names } from "../names.ts";
import type { Path, Problem } from "../problems.ts";
import { refuseReferences } from "../read-step.ts";
import { leadsNowhere } from "../steps/expect/get.ts";
import { KINDS } from "../steps/expect/index.ts";
import { PROPERTY_LISTS, type Property, type PropertyList, REMEDY } from "./property.ts";

/** The names of the invariants, which are checked in every run. */
const RESERVED: readonly string[] = [...INVARIANTS, REMEDY];

/** Maximum characters of a property's name. */
const NAME = 100;

const named = about(
  v.optional(
    v.pipe(
      v.string("a name"),
      v.regex(/^\S(.*\S)?$/, "a name on one line"),
      v.maxLength(NAME, `a name of at most ${NAME} characters`),
    ),
  ),
  "Name in reports. Default: a summary of the property.",
);
const from = about(
  v.optional(integer(1, LIMITS.height)),
  "First height at which it is evaluated; with events, the first block to search.",
);
const within = about(
  integer(1, LIMITS.blocks),
  "Required for `eventually`: maximum number of consensus rounds until it is true, counted from the start or from `from`. Most rounds make a block.",
);

const keys = KINDS.map(({ key }) => key).join(", ");

/** Keys with the height of a state, before which they cannot be evaluated. */
const OF_A_HEIGHT = ["get", "store", "app_hash"];

export interface ReadProperty {
  readonly name?: string | undefined;
  readonly from: number;
  readonly within: number;
  readonly expected: Expected;
}

const propertiesWith = (more: v.ObjectEntries) => {
  const forms = KINDS.map(({ key, entries, bind }) => {
    const schema = v.pipe(
      map({ ...entries, name: named, from, ...more }),
      v.transform((read: Record<string, unknown>): ReadProperty => {
        const { name, from: since, within: rounds, ...args } = read;
        const at = OF_A_HEIGHT.includes(key) ? args.height : undefined;
        const expected = bind(
          "from" in entries && since !== undefined ? { ...args, from: since } : args,
        );
        return {
          name: name as string | undefined,
          from: Math.max(Number(since ?? 0), typeof at === "number" ? at : 0),
          within: Number(rounds ?? 0),
          expected,
        };
      }),
    );
    return [has(key), schema] as const;
  });
  return v.optional(
    list(choice(`a map with one of ${keys}`, ...forms), "a list of properties", INPUT.properties),
    [],
  );
};

/** The keys of a file that list its properties. */
export const propertyEntries = {
  always: about(propertiesWith({}), "Conditions that hold throughout the run; forms of `expect`."),
  never: about(propertiesWith({}), "Conditions that never hold during the run; forms of `expect`."),
  eventually: about(
    propertiesWith({ within }),
    "Conditions that hold within a number of rounds; forms of `expect`.",
  ),
  sometimes: about(
    propertiesWith({}),
    "Conditions that hold at some time of the run, or of one case of a family; forms of `expect`.",
  ),
};

type ReadLists = { readonly [L in PropertyList]: readonly ReadProperty[] };

/**
 * The properties of a file. Problems are reported with their paths; without `names`, when the
 * file's genesis has a problem, unknown names are not reported.
 */
export function readProperties(
  lists: ReadLists,
  source: Readonly<Record<string, unknown>>,
  names: Names | undefined,
  report: (problem: Problem) => void,
): readonly Property[] {
  const places = new Map<string, string>(RESERVED.map((name) => [name, "an invariant"]));
  return PROPERTY_LISTS.flatMap((kind) =>
    lists[kind].map(({ name, from, within, expected }, index): Property => {
      const path: Path = [kind, index];
      const form = (source[kind] as readonly object[])[index] ?? {};
      if (leadsNowhere(form)) {
        const message =
          "expected a path of the REST interface, such as /chain/upgrade/v1beta1/current_plan: nothing is ever answered at this one";
        report({ path: [...path, "get"], message });
      }
      if (names) {
        expected.check(
          argumentCheck(names, (rest, message) => report({ path: [...path, ...rest], message })),
        );
        refuseReferences(form, path, names, report);
      }
      const called = name ?? formText(form);
      const known = places.get(called);
      if (known !== undefined) {
        const problem = `a name that no other property has: ${known} is called "${called}" too`;
        report({
          path: name === undefined ? path : [...path, "name"],
          message: `expected ${problem}`,
        });
      }
      places.set(called, `${kind}[${index}]`);
      return { name: called, kind, from, within, expected };
    }),
  );
}

/** The condition of a property, formatted on one line. */
function formText(form: unknown): string {
  const { name: _, from: __, within: ___, ...says } = form as Record<string, unknown>;
  const text = flow(says).replace(/\s+/g, " ").trim();
  return text.length > NAME ? `${text.slice(0, NAME - 1)}…` : text;
}
