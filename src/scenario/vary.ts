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
  "The value that differs, by its path as problems give it, such as genesis.gov.voting_period or steps[3].run; a step that has a name under `as` also by that, steps.NAME.upgrade.at.",
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
        "Steps, by their positions in the list, from 0, or by their names under `as`.",
      ),
      may: about(
        oneOf(...EDITS),
        "What may become of them. left_out: it is not done, nor what refers to its result. repeated: it is done twice. moved: it is done earlier or later, as far as references allow.",
      ),
      most: about(
        v.optional(integer(1, DRAWN.domain)),
        "Of how many of them at once; of one unless given.",
      ),
    }),
  ],
  [
    has("one_of"),
    map({ at, one_of: about(values(v.unknown(), "values"), "The values that it may have.") }),
  ],
  [
    has("range"),
    map({
      at,
      range: about(
        v.pipe(list(anyNumber, RANGE, 2), v.check(isRange, RANGE)),
        "The least and the greatest whole number that it may be.",
      ),
    }),
  ],
  [
    has("subset"),
    map({
      at,
      subset: about(values(v.unknown(), "values"), "The list holds some of these, in this order."),
      least: about(count(DRAWN.domain), "How many at least; 1 unless given."),
      most: about(count(DRAWN.domain), "How many at most; all unless given."),
    }),
  ],
  [
    has("permutation"),
    map({
      at,
      permutation: about(
        values(v.unknown(), "values"),
        "The list holds all of these, in any order.",
      ),
    }),
  ],
);

const disturbance = map({
  kinds: about(
    values(oneOf(...DISTURBANCES), "kinds"),
    "What may happen. crash, slow, mute: such a fault, for up to 10 heights. clock: the same, a clock that is off by up to a minute. partition: nodes reach only one another, for up to 10 heights. stop: a node is stopped for good. restart: it is stopped, and started again at once. late_binary: a node gets a binary later than the step says, or never. wrong_binary: a node is restarted with any of the binaries. lose_signer_state: a node's data is put back from a backup, its signer's file blank, as where it moves to another machine without it. twin: a second node with the same key is started beside it for good, as where an operator fails over without stopping the first. vote: an operator votes on a proposal as it likes. stake: an operator gives stake to a validator, or takes it away from its own.",
  ),
  nodes: about(v.optional(values(text, "nodes")), "To which nodes; to any unless given."),
  most: about(
    v.optional(integer(1, DRAWN.disturbances)),
    "How many such things happen at most; 1 unless given.",
  ),
  from: about(
    v.optional(integer(0, LIMITS.height)),
    "Only when the story, as it is written, has come to this height.",
  ),
  to: about(
    v.optional(integer(0, LIMITS.height)),
    "Only until it has come to this height; to its end unless given.",
  ),
});

export const varySchema = about(
  v.optional(list(variation, "a list of variations", DRAWN.entries), []),
  "What may differ from what is written, so that the file stands for a family of cases.",
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
  "What may happen beside the steps, so that the file stands for a family of cases.",
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
