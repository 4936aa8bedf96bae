/**
 * Explores all continuations of a small chain: before each round at most one of the possible
 * commands is issued. Worlds with the same future are explored once.
 */

import { drain } from "../../base/drain.ts";
import { standingAs } from "../../engine/simulation/keyframe/keyframe.ts";
import { lazyObserver } from "../../view/lab/frame/observed.ts";
import { createContext } from "../create-context.ts";
import { readSourceObject } from "../parse.ts";
import type { PlacedProblem } from "../problems.ts";
import { PropertyWatch } from "../properties/watch.ts";
import { runStep, type StepResult } from "../runner.ts";
import type { Scenario, ScenarioStep } from "../scenario.ts";
import { type StepContext, StepError } from "../step-context.ts";
import { type SourceObject, stepsOf } from "../varied.ts";
import type { Disturb } from "../vary.ts";
import { type Disturbance, disturbed } from "./disturbances.ts";
import { textOf } from "./draw.ts";
import { type Family, readFamily } from "./family.ts";
import type { FamilyFile, PropertyKind, Violation } from "./search.ts";
import { hashOf, worldKey } from "./world-key.ts";

export interface ExploreOptions {
  /** Maximum number of rounds. */
  readonly steps: number;
  /** Maximum number of states. */
  readonly states: number;
  /** Returns true to end now, with the results so far. */
  readonly isOver?: () => boolean;
}

export interface Exploration {
  readonly steps: number;
  /**
   * Reason for its end: every path was followed, the limit of states was reached, or `isOver`
   * returned true.
   */
  readonly ended: "whole" | "states" | "interrupted";
  /**
   * Number of steps up to which all states were explored: fewer than requested if it was cut off.
   */
  readonly complete: number;
  readonly states: number;
  readonly transitions: number;
  /** Number of states that violate a property; their successors were not explored. */
  readonly violating: number;
  readonly properties: readonly Verdict[];
}

export interface Verdict {
  readonly property: string;
  readonly kind: PropertyKind;
  readonly verdict: "holds" | "violated" | "reached" | "not reached" | "not asked";
  /** Number of steps to the violation or condition; no path is shorter. */
  readonly after?: number;
  readonly violation?: Violation;
  /** A scenario of this path. */
  readonly scenario?: string;
}

export interface ExploreProgress {
  readonly states: number;
  readonly transitions: number;
  /** The step that is being explored. */
  readonly step: number;
}

/** Maximum validators of a chain. */
const VALIDATORS = 4;
/** Default for a file without `disturb`. */
const USUAL: Disturb = {
  kinds: ["stop", "lose_signer_state", "wrong_binary"],
  most: Number.POSITIVE_INFINITY,
};
const ROUND = { run: { rounds: 1 } };

/** An action that is possible before a round. */
interface Action {
  /** The entry of `disturb` that it counts for; a restart of a node counts for none. */
  readonly entry?: number;
  /** The node that it restarts, unless that runs. */
  readonly starts?: string;
  readonly source: readonly unknown[];
  readonly steps: readonly ScenarioStep[];
}

/** A state, as the numbers of the actions on its path. */
interface Reached {
  readonly path: readonly number[];
  /** Number of uses of each entry of `disturb`. */
  readonly used: readonly number[];
  /** Creates worlds in that state. */
  readonly copy: () => World;
}

/**
 * Explores a file: its steps are run first. Yields after each state, so that the caller controls
 * the timing. Throws an Error for a file that cannot be explored.
 */
export function explore(
  file: FamilyFile,
  options: ExploreOptions,
):
  | { readonly problems: readonly PlacedProblem[] }
  | { readonly running: Generator<ExploreProgress, Exploration> } {
  const read = readFamily(file);
  if ("problems" in read) return read;
  const { family } = read;
  const { length } = family.nodes;
  if (length > VALIDATORS) {
    throw new Error(`expected a file of at most ${VALIDATORS} validators, found ${length}`);
  }
  return { running: new Explorer(family).run(options) };
}

class Explorer {
  readonly #source: SourceObject;
  readonly #disturb: readonly Disturb[];
  readonly #scenario: Scenario;
  readonly #first: readonly ScenarioStep[];
  readonly #round: ScenarioStep;
  readonly #actions: readonly Action[];

  constructor(family: Family) {
    const { vary: _, disturb: __, ...source } = family.source;
    this.#source = source;
    this.#disturb = family.disturb.length > 0 ? family.disturb : [USUAL];
    const actions = this.#disturb.flatMap((entry, index) => actionsOf(family, entry, index));
    const first = stepsOf(source);
    const all = [...first, ROUND, ...actions.flatMap((action) => action.source)];
    const read = readSourceObject({ ...source, steps: all });
    if ("problems" in read) throw new Error(read.problems.map(({ message }) => message).join("; "));
    this.#scenario = read.scenario;
    const { steps } = read.scenario;
    this.#first = steps.slice(0, first.length);
    this.#round = steps[first.length] as ScenarioStep;
    let next = first.length + 1;
    this.#actions = actions.map((action) => {
      const from = next;
      next += action.source.length;
      return { ...action, steps: steps.slice(from, next) };
    });
  }

  *run({ steps, states: most, isOver }: ExploreOptions): Generator<ExploreProgress, Exploration> {
    const { properties = [] } = this.#scenario;
    const found = new Map<string, Pick<Verdict, "after" | "violation" | "scenario">>();
    let unevaluated = properties.map(({ name }) => name);
    const note = (path: readonly number[], watch: PropertyWatch): void => {
      if (unevaluated.length > 0)
        unevaluated = unevaluated.filter((name) => watch.unasked.includes(name));
      const { violation } = watch;
      const after = path.length;
      for (const name of watch.reached) {
        if (!found.has(name)) found.set(name, { after, scenario: this.#textOf(path, name) });
      }
      if (violation === undefined || found.has(violation.property)) return;
      const { property } = violation;
      found.set(property, { after, violation, scenario: this.#textOf(path, property) });
    };
    const begun = this.#begin();
    let transitions = 0;
    let violating = begun.watch.violation ? 1 : 0;
    let complete = 0;
    let ended: Exploration["ended"] = "whole";
    const seen = new Set<string>();
    const used = this.#disturb.map(() => 0);
    note([], begun.watch);
    seen.add(this.#keyOf([], used, begun));
    const start: Reached = { path: [], used, copy: this.#copies(begun) };
    let level: readonly Reached[] = begun.watch.violation ? [] : [start];
    explored: for (let step = 1; step <= steps; step++) {
      const next: Reached[] = [];
      for (const state of level) {
        for (const { path, used, world } of this.#after(state)) {
          transitions += 1;
          note(path, world.watch);
          const key = this.#keyOf(path, used, world);
          if (seen.has(key)) continue;
          if (seen.size >= most) {
            ended = "states";
            break explored;
          }
          seen.add(key);
          if (world.watch.violation) violating += 1;
          else next.push({ path, used, copy: this.#copies(world) });
        }
        yield { states: seen.size, transitions, step };
        if (isOver?.()) {
          ended = "interrupted";
          break explored;
        }
      }
      complete = step;
      level = next;
      // Every path has ended in a violation.
      if (level.length === 0) complete = steps;
      if (level.length === 0) break;
    }
    const verdicts = properties.map(({ name, kind }): Verdict => {
      const known = found.get(name) ?? {};
      const isSought = kind === "sometimes";
      const isFound = found.has(name);
      const verdict = isSought
        ? isFound
          ? "reached"
          : "not reached"
        : isFound
          ? "violated"
          : unevaluated.includes(name)
            ? "not asked"
            : "holds";
      return { property: name, kind, verdict, ...known };
    });
    const others = [...found].filter(([name]) => !properties.some((one) => one.name === name));
    const ofModel = others.map(
      ([property, known]): Verdict => ({
        ...{ property, kind: known.violation?.kind ?? "invariant", verdict: "violated" },
        ...known,
      }),
    );
    const all = [...verdicts, ...ofModel];
    return { steps, ended, complete, states: seen.size, transitions, violating, properties: all };
  }

  /**
   * Yields the successors of a state after one round: without a command, and after each of the
   * possible commands.
   */
  *#after({ path, used, copy }: Reached) {
    const wait = copy();
    this.#runRound(wait, path.length);
    yield { path: [...path, -1], used, world: wait };
    let world: World | undefined;
    for (const [number, action] of this.#actions.entries()) {
      const { entry, starts } = action;
      if (entry !== undefined && (used[entry] ?? 0) >= (this.#disturb[entry]?.most ?? 1)) continue;
      world ??= copy();
      if (entry !== undefined && !isOpen(this.#disturb[entry], world.context)) continue;
      if (starts && world.context.sim.node(starts)?.process === "running") continue;
      const results = this.#apply(world, action, path.length);
      const isApplied = results.every(({ ok }) => ok);
      if (isApplied) this.#runRound(world, path.length);
      if (isApplied || world.watch.violation) {
        const counted = used.map((times, one) => times + (one === entry ? 1 : 0));
        yield { path: [...path, number], used: counted, world };
      } else if (results.length === 1) continue;
      // A refused command has changed nothing; otherwise the next needs the previous state.
      world = undefined;
    }
  }

  /** The world after the file's own steps. */
  #begin(): World {
    const context = createContext(this.#scenario);
    const world: World = { context, watch: new PropertyWatch(context, this.#scenario) };
    for (const [index, step] of this.#first.entries()) {
      const { ok, message } = this.#step(world, step, index);
      if (world.watch.violation) break;
      if (!ok) throw new Error(`steps[${index}]: ${message}; what comes behind it is explored`);
    }
    return world;
  }

  /** Returns a function that creates copies of a world in its current state. */
  #copies({ context, watch }: World): () => World {
    const { saved } = watch;
    const results = new Map(context.results);
    const standing = standingAs(context.sim);
    return () => {
      const sim = standing();
      const copied = { sim, follow: lazyObserver(sim), results: new Map(results) };
      return { context: copied, watch: new PropertyWatch(copied, this.#scenario, saved) };
    };
  }

  #apply(world: World, { steps }: Action, at: number): readonly StepResult[] {
    const results: StepResult[] = [];
    for (const step of steps) {
      const result = this.#step(world, step, this.#first.length + at);
      results.push(result);
      if (!result.ok) break;
    }
    return results;
  }

  #runRound(world: World, at: number): void {
    if (!world.watch.violation) this.#step(world, this.#round, this.#first.length + at);
  }

  #step({ context, watch }: World, step: ScenarioStep, index: number): StepResult {
    return drain(runStep(context, watch.watched(step, index), index));
  }

  #keyOf(path: readonly number[], used: readonly number[], { context, watch }: World): string {
    const { properties = [] } = this.#scenario;
    // Values that are counted over blocks, such as events, are part of the findings.
    const found = properties.map(({ expected }) => {
      try {
        return expected.verify(context);
      } catch (error) {
        if (error instanceof StepError) return error.message;
        throw error;
      }
    });
    const { violation, saved } = watch;
    return hashOf([worldKey(context.sim) ?? path, used, found, saved, violation?.property]);
  }

  /**
   * The scenario of a path, with as few steps as possible, and only the property that it violates
   * or reaches.
   */
  #textOf(path: readonly number[], property: string): string {
    const steps: unknown[] = [...stepsOf(this.#source)];
    let rounds = 0;
    const run = (): void => {
      if (rounds > 0) steps.push({ run: { rounds } });
      rounds = 0;
    };
    for (const number of path) {
      const action = this.#actions[number];
      if (action) {
        run();
        steps.push(...action.source);
      }
      rounds += 1;
    }
    run();
    return textOf({ ...this.#withOnly(property), steps });
  }

  #withOnly(property: string): SourceObject {
    const { properties = [] } = this.#scenario;
    const entries = Object.entries(this.#source).flatMap(([key, value]) => {
      const names = properties.flatMap(({ kind, name }) => (kind === key ? name : []));
      if (!Array.isArray(value) || names.length === 0) return [[key, value]];
      const own = value.filter((_, i) => names[i] === property);
      return own.length === 0 ? [] : [[key, own]];
    });
    return Object.fromEntries(entries);
  }
}

interface World {
  readonly context: StepContext;
  readonly watch: PropertyWatch;
}

const isOpen = (entry: Disturb | undefined, { sim }: StepContext): boolean =>
  sim.height >= (entry?.from ?? 0) && sim.height <= (entry?.to ?? Number.POSITIVE_INFINITY);

/**
 * Actions of an entry of `disturb`, each kind in its smallest form, and the actions that undo a
 * stop.
 */
function actionsOf(
  family: Family,
  { kinds, nodes: named }: Disturb,
  entry: number,
): Omit<Action, "steps">[] {
  const nodes: readonly string[] = named ?? family.nodes;
  const position = { step: 0, rounds: 0 };
  const of = (node: string, kind: Disturb["kinds"][number]): readonly Disturbance[] => {
    switch (kind) {
      case "stop":
      case "restart":
      case "lose_signer_state":
      case "twin":
        return [{ kind, node, position }];
      case "crash":
      case "slow":
      case "mute":
        return [{ kind, node, position, heights: 1 }];
      case "clock":
        return [-10, 10].map((by) => ({ kind, node, position, heights: 1, by }));
      case "partition":
        return [{ kind, node, position, heights: 1, side: [] }];
      case "late_binary":
      case "wrong_binary":
        return family.binaries.map((binary) => ({ kind: "wrong_binary", node, position, binary }));
      case "vote":
        return (["yes", "no"] as const).map((option) => ({
          kind,
          node,
          position,
          proposal: 1,
          option,
        }));
      case "stake":
        return [-10, 10].map((tenths) => ({ kind, node, position, to: node, tenths }));
    }
  };
  const input = [...new Set(kinds)].flatMap((kind) =>
    nodes.flatMap((node) =>
      of(node, kind).map((one) => ({
        entry,
        source: disturbed(family, [], [one]).map(({ step }) => step),
      })),
    ),
  );
  const back = kinds.includes("stop")
    ? nodes.map((node) => ({
        starts: node,
        source: [{ nodes: { which: [node], start: true } }],
      }))
    : [];
  return [...input, ...back];
}
