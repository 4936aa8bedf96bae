/** Disturbances of a family's steps, and the steps that they add. */
import * as fc from "fast-check";
import { isMap } from "../fields.ts";
import type { Path } from "../problems.ts";
import { brings, valueAt } from "../varied.ts";
import type { DISTURBANCES, Disturb } from "../vary.ts";
import type { Family } from "./family.ts";
import { cut, type StepPosition } from "./places.ts";

type Kind = (typeof DISTURBANCES)[number];

/** An event of a node, or an action of its operator, at a place of the scenario. Plain data. */
export type Disturbance = {
  readonly node: string;
  readonly position: Pick<StepPosition, "step" | "rounds">;
} & (
  | { readonly kind: "stop" | "restart" | "lose_signer_state" | "twin" }
  | { readonly kind: "crash" | "slow" | "mute"; readonly heights: number }
  /** Seconds of clock skew, negative if behind. */
  | { readonly kind: "clock"; readonly heights: number; readonly by: number }
  /** Nodes that are cut off from all others together with the node. */
  | { readonly kind: "partition"; readonly heights: number; readonly side: readonly string[] }
  /**
   * The step that installs the binary on others; this node gets it at the disturbance's place, if
   * that is after the step.
   */
  | { readonly kind: "late_binary"; readonly step: number }
  | { readonly kind: "wrong_binary"; readonly binary: string }
  | { readonly kind: "vote"; readonly proposal: number; readonly option: (typeof OPTIONS)[number] }
  /**
   * Tenths of the validator's stake at genesis, delegated to itself or another; undelegated if
   * negative.
   */
  | { readonly kind: "stake"; readonly to: string; readonly tenths: number }
);

const OPTIONS = ["yes", "no", "abstain", "no_with_veto"] as const;
/** Maximum heights that a fault lasts. */
const HEIGHTS = 10;
/** Maximum clock skew in seconds. */
const OFF = 60;
/** Maximum proposal id that is voted on. */
const PROPOSALS = 3;

/** Draws the disturbances of one entry of `disturb`. */
export function disturbancesOf(
  family: Family,
  places: readonly StepPosition[],
  entry: Disturb,
): fc.Arbitrary<readonly Disturbance[]> {
  const one = disturbanceOf(family, places, entry);
  return one === undefined ? fc.constant([]) : fc.array(one, { maxLength: entry.most ?? 1 });
}

/**
 * Draws one of them; undefined if the story never reaches the entry's heights, or has no place for
 * it.
 */
export function disturbanceOf(
  family: Family,
  places: readonly StepPosition[],
  { kinds, nodes: named, from = 0, to = Number.POSITIVE_INFINITY }: Disturb,
): fc.Arbitrary<Disturbance> | undefined {
  const nodes: readonly string[] = named ?? family.nodes;
  const within = places.filter(({ height }) => height >= from && height <= to);
  if (within.length === 0) return undefined;
  const between = within.filter(({ rounds }) => rounds === 0);
  // A story is paused between steps: those places together have the same weight as all places
  // within steps.
  const anyOf = (list: readonly StepPosition[]) =>
    fc.nat(list.length - 1).map(
      (at) => {
        const { step, rounds } = list[at] as StepPosition;
        return { step, rounds };
      },
      (position) => positionOf(list, position as Disturbance["position"]),
    );
  const position = between.length === 0 ? anyOf(within) : fc.oneof(anyOf(between), anyOf(within));
  const base = { position, node: fc.constantFrom(...nodes) };
  const one = [...new Set(kinds)].flatMap((kind) => arbitraryOf(family, nodes, kind, base) ?? []);
  return one.length === 0 ? undefined : fc.oneof(...one);
}

/**
 * Index of a place in a list, at which shrinking starts if fast-check did not draw the complete
 * case. Throws an Error if it is missing.
 */
function positionOf(
  list: readonly StepPosition[],
  { step, rounds }: Disturbance["position"],
): number {
  const at = list.findIndex((one) => one.step === step && one.rounds === rounds);
  if (at < 0) throw new Error("there is no such place");
  return at;
}

const HOW_LONG = fc.integer({ min: 1, max: HEIGHTS });

interface Base {
  readonly position: fc.Arbitrary<Disturbance["position"]>;
  readonly node: fc.Arbitrary<string>;
}

function arbitraryOf(
  family: Family,
  nodes: readonly string[],
  kind: Kind,
  base: Base,
): fc.Arbitrary<Disturbance> | undefined {
  const { nodes: all, binaries, steps } = family;
  switch (kind) {
    case "stop":
    case "restart":
    case "lose_signer_state":
    case "twin":
      return fc.record({ kind: fc.constant(kind), ...base });
    case "crash":
    case "slow":
    case "mute": {
      return fc.record({ kind: fc.constant(kind), ...base, heights: HOW_LONG });
    }
    case "clock": {
      const by = fc.integer({ min: -OFF, max: OFF });
      return fc.record({ kind: fc.constant(kind), ...base, heights: HOW_LONG, by });
    }
    case "partition": {
      // Including the node itself, never all.
      const most = Math.max(0, Math.min(nodes.length, all.length - 2));
      const side = fc.subarray([...nodes], { maxLength: most });
      return fc.record({ kind: fc.constant(kind), ...base, heights: HOW_LONG, side });
    }
    case "late_binary": {
      const bringing = steps.flatMap((step, index) => (brings(step) ? index : []));
      // A node without that step cannot be late with it.
      const gets = ({ node, step }: { readonly node: string; readonly step: number }) =>
        mayGet(family, step, node);
      if (!bringing.some((step) => nodes.some((node) => gets({ node, step })))) return undefined;
      const step = fc.constantFrom(...bringing);
      return fc.record({ kind: fc.constant(kind), ...base, step }).filter(gets);
    }
    case "wrong_binary":
      return fc.record({ kind: fc.constant(kind), ...base, binary: fc.constantFrom(...binaries) });
    case "vote": {
      const proposal = fc.integer({ min: 1, max: PROPOSALS });
      return fc.record({
        kind: fc.constant(kind),
        ...base,
        proposal,
        option: fc.constantFrom(...OPTIONS),
      });
    }
    case "stake": {
      const tenths = fc.integer({ min: -10, max: 10 });
      return fc.record({
        kind: fc.constant(kind),
        ...base,
        to: fc.constantFrom(...all),
        tenths,
      });
    }
  }
}

const WHICH = ["nodes", "which"] as const;

/** True if a step on nodes names a node, or could in a case. */
function mayGet({ steps, vary }: Family, step: number, node: string): boolean {
  const path: Path = ["steps", step, ...WHICH];
  const isVaried = vary.some(
    (one) => "path" in one && path.every((key, i) => i >= one.path.length || one.path[i] === key),
  );
  const which = valueAt(steps[step], WHICH);
  return isVaried || which === "all" || (Array.isArray(which) && which.includes(node));
}

/** A step of a case. */
export interface Placed {
  readonly step: unknown;
  /** Index in the file of the step that it is, or part of; -1 if it was added. */
  readonly index: number;
  /** Consensus rounds of that step before it; absent if none. */
  readonly rounds?: number;
  /** For an added step: the number of its disturbance in the order of `inOrder`. */
  readonly happens?: number;
}

/** Disturbances in the order of their places. */
export const inOrder = (disturbances: readonly Disturbance[]): readonly Disturbance[] =>
  [...disturbances].sort(
    (a, b) => a.position.step - b.position.step || a.position.rounds - b.position.rounds,
  );

/** Adds the disturbances to the steps. Those at an omitted step happen at its position. */
export function disturbed(
  family: Family,
  steps: readonly Placed[],
  disturbances: readonly Disturbance[],
): Placed[] {
  const { nodes, blockTime } = family;
  const late = disturbances.filter((one) => one.kind === "late_binary");
  const list = late.reduce(
    (all, { step, node }) =>
      all.flatMap((placed) => (placed.index === step ? without(placed, node, nodes) : placed)),
    [...steps],
  );
  const ordered = inOrder(disturbances);
  const result: Placed[] = [];
  let next = 0;
  const add = (disturbance: Disturbance, happens: number) => {
    for (const step of stepsOfDisturbance(family, steps, disturbance))
      result.push({ step, index: -1, happens });
  };
  /** Adds the disturbances before a step, and within it as long as it can be split. */
  const addUntil = (placed: Placed | undefined) => {
    let rest = placed;
    let done = 0;
    for (; next < ordered.length; next++) {
      const one = ordered[next] as Disturbance;
      if (placed && one.position.step > placed.index) break;
      if (rest && one.position.step === placed?.index) {
        const name = `vote-${result.length}`;
        const parts = cut(rest.step, one.position.rounds - done, blockTime, name);
        if (parts) {
          const [first, left] = parts;
          for (const { step, rounds } of first)
            result.push(
              rounds === 0 ? { ...rest, step } : { ...rest, step, rounds: done + rounds },
            );
          done = one.position.rounds;
          rest = { step: left, index: rest.index, rounds: done };
        } else if (one.position.rounds > done) {
          // The step is over by then.
          result.push(rest);
          rest = undefined;
        }
      }
      add(one, next);
    }
    if (rest) result.push(rest);
  };
  for (const placed of list) addUntil(placed);
  addUntil(undefined);
  return result;
}

function stepsOfDisturbance(
  { nodes, stakes, denom }: Family,
  steps: readonly Placed[],
  one: Disturbance,
): readonly unknown[] {
  const which = [one.node];
  switch (one.kind) {
    case "stop":
      return [{ nodes: { which, stop: true } }];
    case "lose_signer_state":
      return [{ nodes: { which, lose_signer_state: true } }];
    case "twin":
      return [{ nodes: { which, twin: true } }];
    case "crash":
    case "slow":
    case "mute":
      return [{ fault: { node: one.node, kind: one.kind, for: one.heights } }];
    case "clock":
      return [{ fault: { node: one.node, kind: one.kind, by: `${one.by}s`, for: one.heights } }];
    case "partition": {
      const side = nodes.filter((name) => name === one.node || one.side.includes(name));
      return [{ fault: { kind: one.kind, groups: [side], for: one.heights } }];
    }
    case "restart":
      return [{ nodes: { which, stop: true } }, { nodes: { which, start: true } }];
    case "wrong_binary":
      return [{ nodes: { which, binary: one.binary } }];
    case "late_binary":
      return lateSteps(steps, one);
    case "vote": {
      const msg = {
        "@type": "/chain.gov.v1.MsgVote",
        proposal_id: String(one.proposal),
        voter: `\${${one.node}}`,
        option: `VOTE_OPTION_${one.option.toUpperCase()}`,
      };
      return [{ tx: { from: one.node, msgs: [msg], wait: false } }];
    }
    case "stake": {
      const taken = one.tenths < 0;
      const stake = BigInt(stakes[nodes.indexOf(one.node)] ?? "0");
      const amount = (stake * BigInt(Math.abs(one.tenths))) / 10n;
      if (amount === 0n) return [];
      const msg = {
        "@type": `/chain.staking.v1beta1.Msg${taken ? "Undelegate" : "Delegate"}`,
        delegator_address: `\${${one.node}}`,
        validator_address: `\${${taken ? one.node : one.to}.valoper}`,
        amount: { denom, amount: amount.toString() },
      };
      return [{ tx: { from: one.node, msgs: [msg], wait: false } }];
    }
  }
}

/** Gives the node what others got, if it is not too early for that. */
function lateSteps(
  steps: readonly Placed[],
  { step: at, node, position }: Extract<Disturbance, { kind: "late_binary" }>,
) {
  const switching = steps.find(({ index }) => index === at)?.step;
  if (position.step <= at || !isMap(switching) || !isMap(switching.nodes)) return [];
  const { which, ...rest } = switching.nodes;
  if (which !== "all" && !(which as readonly string[]).includes(node)) return [];
  return [{ nodes: { which: [node], ...rest } }];
}

/** A step on nodes without one of them; nothing if it was the only one. */
function without(placed: Placed, node: string, nodes: readonly string[]): Placed[] {
  const { step } = placed;
  if (!isMap(step) || !isMap(step.nodes)) return [placed];
  const { which, ...rest } = step.nodes;
  const all = which === "all" ? nodes : (which as readonly string[]);
  const left = all.filter((one) => one !== node);
  if (left.length === all.length) return [placed];
  if (left.length === 0) return [];
  return [{ ...placed, step: { ...step, nodes: { which: left, ...rest } } }];
}
