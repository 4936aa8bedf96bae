/** Checks if the remedies for halted nodes work: they are applied in a copy of the world. */

import { equal } from "../../base/bytes.ts";
import { CommandError } from "../../engine/framework/errors.ts";
import { copiesOf } from "../../engine/simulation/keyframe/keyframe.ts";
import type { Simulation } from "../../engine/simulation/simulation.ts";
import type { NodeView } from "../../engine/simulation/views.ts";
import type { Remedy } from "../../gen/lab/v1/lab_plain.ts";
import {
  act,
  commandsOf,
  rewriteSigner,
  type ScenarioStep,
} from "../../view/lab/diagnosis/node-steps.ts";
import { hasSignedTwice } from "../../view/lab/diagnosis/remedies.ts";
import { lazyObserver } from "../../view/lab/frame/observed.ts";
import { parseStep } from "../parse.ts";
import { runStep } from "../runner.ts";
import type { StepContext } from "../step-context.ts";

/**
 * Enough for a sidecar that waits before each try, and for problems that appear only some blocks
 * later.
 */
const ROUNDS_OF_A_REMEDY = 60;
/** More than the simultaneous causes in one world. */
const MOST_TAKEN = 40;

/** Halted nodes of a world in its current state, and their remedies. */
export interface HaltedNodesView {
  /** Nodes that halted and can be cured, with their reason. */
  readonly halted: readonly string[];
  /**
   * All nodes that do not vote, with their reason: the same text as long as no remedy has an
   * effect.
   */
  readonly missing: string;
  readonly remedies: readonly Remedy[];
  /**
   * Names a binary or a peer that would help some of the halted nodes; undefined if none does. Set
   * only if there is no remedy.
   */
  readonly help: string | undefined;
}

/**
 * Applies one remedy after the other until no curable node is halted. Returns a description of the
 * problem: a remedy that cannot be applied, remedies without effect, or no remedy although a cure
 * exists; undefined if there is none, or if it is unknown because more faults are planned.
 */
export function remedyThatFails(
  sim: Simulation,
  viewOf: (sim: Simulation) => HaltedNodesView,
): string | undefined {
  if (viewOf(sim).halted.length === 0) return undefined;
  const { faults, chaos } = sim.faults();
  if (chaos !== undefined || faults.some(({ planned }) => planned)) return undefined;
  const tried = copiesOf(sim)();
  const context: StepContext = { sim: tried, follow: lazyObserver(tried), results: new Map() };
  const ineffective = new Set<string>();
  for (let taken = 0; taken < MOST_TAKEN; taken++) {
    const view = viewOf(tried);
    const { halted, missing } = view;
    if (halted.length === 0) return undefined;
    const { remedies } = view;
    if (remedies.length === 0) {
      const { help } = view;
      return help === undefined ? undefined : `no remedy, although ${help}; ${halted.join("; ")}`;
    }
    const remedy = remedies.find(({ step }) => !ineffective.has(step));
    if (remedy === undefined)
      return `none of ${remedies.length} remedies changes anything; ${halted.join("; ")}`;
    const problem = apply(context, remedy);
    if (problem !== undefined) return `“${remedy.label}” cannot be done: ${problem}`;
    if (viewOf(tried).missing === missing) ineffective.add(remedy.step);
    else ineffective.clear();
  }
  return `after ${MOST_TAKEN} remedies some are still halted; ${viewOf(tried).halted.join("; ")}`;
}

/**
 * Finds a cure for halted nodes without the rules of remedies: tries each binary of the world, then
 * the state of each voting node, on nodes that only their faults keep from voting. Undefined if
 * none of these helps.
 */
export function helpFor(sim: Simulation, names: readonly string[]): string | undefined {
  const nodes = names.flatMap((name) => sim.node(name) ?? []);
  // Of two nodes with one key, only their operator can decide which one should vote.
  const isShared = ({ name, validator }: NodeView) =>
    sim.nodes().some((other) => other.name !== name && other.validator === validator);
  if (nodes.some(isShared)) return undefined;
  const missing = missingIn(sim);
  const peers = sim
    .nodes()
    .filter(({ name, process }) => process === "running" && !missing.has(name));
  const clean = [
    act(nodes, rewriteSigner(sim)),
    act(nodes, { disk: { writable: true } }),
    act(nodes, { halt_height: 0 }),
    act(nodes, { halt_time: 0 }),
    act(nodes, { sidecar: { mode: "manual" } }),
  ];
  const ways = [
    ...sim.binaries().map(({ name: binary }) => ({
      text: `binary ${binary} brings ${names.join(", ")} back`,
      steps: [act(nodes, { binary })],
    })),
    ...peers.map(({ name, binary }) => ({
      text: `the state of ${name} brings ${names.join(", ")} back`,
      steps: [act(nodes, { binary }), act(nodes, { state_sync: name })],
    })),
  ];
  const copy = copiesOf(sim);
  return ways.find(({ steps }) => bringsBack(sim, copy(), [...clean, ...steps], names))?.text;
}

/**
 * True if, after the steps in a copy, the nodes vote at the chain's height with its app hash,
 * exclude no other node and double-sign nothing.
 */
function bringsBack(
  before: Simulation,
  world: Simulation,
  steps: readonly ScenarioStep[],
  names: readonly string[],
): boolean {
  try {
    for (const step of steps) world.applyAll(commandsOf(step));
  } catch (error) {
    if (error instanceof CommandError) return false;
    throw error;
  }
  const addresses = names.flatMap((name) => before.node(name)?.consensusAddress ?? []);
  for (let i = 0; i < ROUNDS_OF_A_REMEDY; i++) {
    if (addresses.some((address) => hasSignedTwice(world, address, before))) return false;
    world.advance();
  }
  const [was, is] = [missingIn(before), missingIn(world)];
  if (world.decidedHeight <= before.decidedHeight || [...is].some((name) => !was.has(name)))
    return false;
  return names.every((name) => {
    const node = world.node(name);
    if (node?.process !== "running" || is.has(name) || node.height !== world.height) return false;
    return equal(node.appHash, world.appHash) && (node.power > 0 || before.node(name)?.power === 0);
  });
}

const missingIn = (sim: Simulation): ReadonlySet<string> =>
  new Set(sim.chainStatus().missing.flatMap(({ nodes }) => nodes));

/** Applies a remedy and lets the chain continue; returns the problem, if any. */
function apply(context: StepContext, { step }: Remedy): string | undefined {
  const source: unknown = JSON.parse(step);
  for (const one of Array.isArray(source) ? source : [source]) {
    const read = parseStep(JSON.stringify(one), context);
    if ("problems" in read) return read.problems.map(({ message }) => message).join("; ");
    const steps = runStep(context, read.step, 0);
    for (let next = steps.next(); ; next = steps.next()) {
      if (!next.done) continue;
      if (!next.value.ok) return next.value.message;
      break;
    }
  }
  for (let i = 0; i < ROUNDS_OF_A_REMEDY; i++) context.sim.advance();
  return undefined;
}
