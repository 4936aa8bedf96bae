/** The keys `vary` and `disturb` of a file, which define a family of files. */
import * as v from "valibot";
import { INPUT } from "../base/limits.ts";
import {
  about,
  choice,
  has,
  integer,
  isList,
  isMap,
  isText,
  LIMITS,
  list,
  map,
  oneOf,
  text,
} from "./fields.ts";
import type { Path } from "./problems.ts";

/** Limits of a file's variations; docs/scenarios.md lists them. */
export const DRAWN = {
  /** Entries of `vary`, and of `disturb`. */
  entries: 100,
  /** Values, or steps, in one of them. */
  domain: 1_000,
  /** Values of all of them times steps: the steps are parsed once with each value. */
  steps: 200_000,
  /** Maximum number of occurrences of one entry of `disturb`. */
  disturbances: 20,
} as const;

export const EDITS = ["left_out", "repeated", "moved"] as const;

/** Events of a node, and actions of its operator. */
export const DISTURBANCES = [
  "crash",
  "stop",
  "restart",
  "slow",
  "mute",
  "clock",
  "partition",
  "late_binary",
  "wrong_binary",
  "lose_signer_state",
  "twin",
  "vote",
  "stake",
] as const;

const at = about(
  text,
  "Path of the value, as in error messages, such as genesis.gov.voting_period or steps[3].run. A step with a name under `as` can be addressed by it: steps.NAME.upgrade.at.",
);

const values = <const S extends v.GenericSchema>(item: S, what: string) =>
  v.pipe(
    list(item, `a list of ${what}`, DRAWN.domain),
    v.minLength(1, `at least one of the ${what}`),
  );

const anyNumber = integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
const RANGE =
  "a range, two whole numbers of which the first is not the greater one, such as [1, 9]";
const count = (most: number) => v.optional(integer(0, most));

const isRange = (numbers: number[]): boolean =>
  numbers.length === 2 && Number(numbers[0]) <= Number(numbers[1]);

const stepOrName = choice(
  "the position of a step, from 0, or its name",
  [isText, text],
  [() => true, integer(0, INPUT.steps - 1)],
);

const variation = choice(
  "a map with at and one of one_of, range, subset and permutation, or with steps and may",
  [
    has("steps"),
    map({
      steps: about(
        values(stepOrName, "steps"),
        "Steps, by their position in the list (from 0) or their name under `as`.",
      ),
      may: about(
        oneOf(...EDITS),
        "Allowed change. left_out: the step is removed, with all that refers to its result. repeated: the step runs twice. moved: the step runs earlier or later, as far as references allow.",
      ),
      most: about(
        v.optional(integer(1, DRAWN.domain)),
        "Maximum number of steps changed in one case. Default: 1.",
      ),
    }),
  ],
  [has("one_of"), map({ at, one_of: about(values(v.unknown(), "values"), "Possible values.") })],
  [
    has("range"),
    map({
      at,
      range: about(
        v.pipe(list(anyNumber, RANGE, 2), v.check(isRange, RANGE)),
        "Minimum and maximum, both integers.",
      ),
    }),
  ],
  [
    has("subset"),
    map({
      at,
      subset: about(
        values(v.unknown(), "values"),
        "The list contains some of these, in this order.",
      ),
      least: about(count(DRAWN.domain), "Minimum number of elements. Default: 1."),
      most: about(count(DRAWN.domain), "Maximum number of elements. Default: all."),
    }),
  ],
  [
    has("permutation"),
    map({
      at,
      permutation: about(
        values(v.unknown(), "values"),
        "The list contains all of these, in any order.",
      ),
    }),
  ],
);

const disturbance = map({
  kinds: about(
    values(oneOf(...DISTURBANCES), "kinds"),
    "Possible events. crash, slow, mute: such a fault, for up to 10 heights. clock: a clock that is off by up to a minute, for up to 10 heights. partition: nodes reach only one another, for up to 10 heights. stop: a node stops permanently. restart: a node stops and restarts at once. late_binary: a node gets a binary later than in the step, or never. wrong_binary: a node restarts with any of the binaries. lose_signer_state: a node's data is restored from a backup and its signer's file is blank, as after a move to another machine without it. twin: a second node with the same key starts permanently, as after a failover that did not stop the first. vote: an operator casts any vote on a proposal. stake: an operator delegates stake to a validator, or unbonds from its own.",
  ),
  nodes: about(v.optional(values(text, "nodes")), "Affected nodes. Default: any."),
  most: about(v.optional(integer(1, DRAWN.disturbances)), "Maximum number of events. Default: 1."),
  from: about(
    v.optional(integer(0, LIMITS.height)),
    "First height at which an event may occur, counted in the file as written.",
  ),
  to: about(
    v.optional(integer(0, LIMITS.height)),
    "Last height at which an event may occur, counted in the file as written. Default: its end.",
  ),
});

export const varySchema = about(
  v.optional(list(variation, "a list of variations", DRAWN.entries), []),
  "Values and steps that may differ; the file then describes a family of cases.",
);

export const disturbSchema = about(
  v.optional(
    choice(
      "a map with kinds, nodes, most, from and to, or a list of such maps",
      [isList, list(disturbance, "a list of maps with kinds", DRAWN.entries)],
      [isMap, disturbance],
    ),
    [],
  ),
  "Events that may occur in addition to the steps; the file then describes a family of cases.",
);

export type SourceVariation = v.InferOutput<typeof variation>;
export type Disturb = v.InferOutput<typeof disturbance>;

/** A difference from the file that a case may have. Plain data. */
export type Variation = ValueVariation | StepVariation;

export type ValueVariation = { readonly path: Path } & (
  | { readonly kind: "one_of"; readonly values: readonly unknown[] }
  | { readonly kind: "range"; readonly least: number; readonly greatest: number }
  | {
      readonly kind: "subset" | "permutation";
      readonly values: readonly unknown[];
      readonly least: number;
      readonly most: number;
    }
);

export interface StepVariation {
  readonly kind: (typeof EDITS)[number];
  /** Indexes in the list of steps, including disabled ones. */
  readonly steps: readonly number[];
  readonly most: number;
}
