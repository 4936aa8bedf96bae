/** Remedies for nodes that do not vote. Each was tried successfully in a copy of the world. */

import { equal } from "../../../base/bytes.ts";
import type { Vote } from "../../../engine/consensus/vote.ts";
import { CommandError } from "../../../engine/framework/errors.ts";
import type { WaitingEvidence } from "../../../engine/network/network.ts";
import type { HistoryRanges } from "../../../engine/simulation/history-range.ts";
import { copiesOf } from "../../../engine/simulation/keyframe/keyframe.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { ChainStatus, NodeView } from "../../../engine/simulation/views.ts";
import type { Remedy } from "../../../gen/lab/v1/lab_plain.ts";
import { atOnce } from "../reading.ts";
import { type DuePlan, scheduledPlan } from "./binary-compatibility.ts";
import { commandsOf, remedyOf } from "./node-steps.ts";
import {
  type Candidate,
  type CandidateGroup,
  candidatesOf,
  rewriteSigners,
} from "./remedy-candidates.ts";

/** Maximum remedies in one answer. */
const MAX_REMEDIES = 12;
/** Maximum answers cached per world, such as those of single nodes. */
const MAX_ANSWERS = 12;
/** Rounds in which a remedy must succeed: a sidecar may wait before each of its tries. */
const ROUNDS = 12;
const ROUNDS_WITH_SIDECAR = 60;
/** Rounds after which a replaced cause counts as the remaining problem. */
const SETTLES = 3;
const SETTLES_WITH_SIDECAR = 20;
/**
 * Rounds in which a node must participate: the next header shows if its app hash is the chain's.
 */
const ROUNDS_TOGETHER = 3;
/** Maximum candidates combined in one remedy, if a node halts again for another cause. */
const MAX_PARTS = 6;
/** Maximum copies of the world for one diagnosis. */
const MAX_COPIES = 40;

/** Cached remedies, as long as nothing changes that they depend on. */
interface Answer {
  readonly key: string;
  /**
   * The height that signer files and rolled-back blocks refer to; nothing else in a step depends on
   * it.
   */
  readonly moment: string | undefined;
  readonly remedies: readonly Remedy[];
}

const answers = new WeakMap<Simulation, Map<string, Answer>>();

/**
 * Remedies for the missing nodes of a status, best first, each as a scenario step (or a list of
 * steps) in JSON. In a copy of the world, each of them brought its nodes to the chain's height with
 * the chain's app hash, and kept no other node from voting. The answer is cached until a command or
 * another cause changes it.
 * @param inMemory omits those that need blocks which are not in memory
 * @param most maximum number of remedies
 */
export function remediesOf(...args: Parameters<typeof searchRemedies>): readonly Remedy[] {
  return atOnce(searchRemedies(...args));
}

/** The same; yields the history that it reads. */
export function* searchRemedies(
  sim: Simulation,
  chainStatus: ChainStatus,
  plan: DuePlan | undefined,
  inMemory = false,
  most = MAX_REMEDIES,
): HistoryRanges<readonly Remedy[]> {
  if (chainStatus.missing.length === 0) return [];
  if (!inMemory) yield* openCandidates(sim, chainStatus);
  const groups = candidatesOf(sim, chainStatus, plan);
  const { decidedHeight, round, height, journalLength } = sim;
  const isAhead = decidedHeight > height;
  const id = JSON.stringify([
    inMemory,
    most,
    chainStatus.missing.map(({ nodes, reason }) => [nodes, reason]),
    groups.map(({ candidates }) => candidates.map(({ label }) => label)),
  ]);
  const key = `${journalLength} ${plan?.name} ${isAhead} ${chainStatus.state}`;
  const moment = `${decidedHeight} ${round}`;
  const known = answers.get(sim) ?? new Map<string, Answer>();
  answers.set(sim, known);
  const answer = known.get(id);
  if (answer?.key === key && (answer.moment ?? moment) === moment) return answer.remedies;
  if (answer === undefined && known.size === MAX_ANSWERS) known.clear();
  const found = yield* new Trial(sim, inMemory).working(groups, most);
  const remedies = found.map(({ label, steps }) => remedyOf(label, ...steps));
  known.set(id, { key, moment: found.some(dependsOnHeight) ? moment : undefined, remedies });
  return remedies;
}

/** Opens the history that `candidatesOf` reads. */
function* openCandidates(sim: Simulation, { missing }: ChainStatus): HistoryRanges {
  for (const name of missing.flatMap(({ nodes }) => nodes)) yield* sim.readByFiles(name);
}

const dependsOnHeight = ({ steps }: Candidate): boolean =>
  steps.some(({ nodes }) => nodes?.roll_back !== undefined || nodes?.write_file !== undefined);

/** Tries candidates in copies of one world. */
class Trial {
  readonly #sim: Simulation;
  readonly #copy: () => Simulation;
  readonly #missing: ReadonlySet<string>;
  readonly #inMemory: boolean;
  #copies = 0;
  /**
   * True if copying another node's state may follow other parts, some of which may have made a node
   * need it.
   */
  #syncs = false;

  constructor(sim: Simulation, inMemory: boolean) {
    this.#sim = sim;
    const copy = copiesOf(sim, inMemory);
    this.#copy = () => {
      this.#copies += 1;
      return copy();
    };
    this.#missing = missingIn(sim);
    this.#inMemory = inMemory;
  }

  /** The working candidates, without duplicates. */
  *working(groups: readonly CandidateGroup[], most: number): HistoryRanges<readonly Candidate[]> {
    const found = new Map<string, Candidate>();
    const trial = this;
    for (const { candidates, nodes, last } of groups) {
      const works = function* (candidate: Candidate): HistoryRanges<boolean> {
        if (found.size === most) return false;
        const whole = yield* trial.#complete(trial.#sim, [], candidate, namesIn(candidate, nodes));
        if (whole === undefined) return false;
        const id = JSON.stringify(whole.steps);
        if (!found.has(id)) found.set(id, whole);
        return true;
      };
      this.#begin(false);
      let isHelped = false;
      for (const one of candidates) isHelped = (yield* works(one)) || isHelped;
      if (isHelped || (last !== undefined && (yield* works(last)))) continue;
      this.#begin(true);
      for (const one of last === undefined ? candidates : [...candidates, last]) {
        if (yield* works(one)) break;
      }
    }
    return [...found.values()];
  }

  #begin(syncs: boolean): void {
    this.#copies = 0;
    this.#syncs = syncs;
  }

  /**
   * A working candidate, possibly extended by further ones; undefined if there is none.
   * @param then the world after the previous candidates
   */
  *#complete(
    then: Simulation,
    before: readonly Candidate[],
    candidate: Candidate,
    names: ReadonlySet<string>,
  ): HistoryRanges<Candidate | undefined> {
    if (this.#copies >= MAX_COPIES) return undefined;
    const parts = [...before, candidate];
    const tried = yield* this.#try(parts, names);
    if (tried === undefined) return undefined;
    if (tried.works) return joined(parts);
    if (parts.length >= MAX_PARTS) return undefined;
    const { world, waited, signedTwice } = tried;
    if (signedTwice.length > 0) {
      const source = rewriteSigners(then, signedTwice);
      if (before.at(-1)?.label === source.label) return undefined;
      return yield* this.#complete(then, [...before, source], candidate, names);
    }
    const done = [
      ...before,
      { ...candidate, steps: [...candidate.steps, { run: { rounds: waited } }] },
    ];
    const status = world.chainStatus();
    const missing = status.missing.flatMap((one) => {
      const nodes = one.nodes.filter((name) => names.has(name));
      return nodes.length === 0 ? [] : { ...one, nodes };
    });
    if (!this.#inMemory) yield* openCandidates(world, { ...status, missing });
    for (const next of candidatesOf(world, { ...status, missing }, scheduledPlan(world)).flatMap(
      ({ candidates }) => candidates,
    )) {
      if (parts.some(({ label }) => label === next.label)) continue;
      if (!this.#syncs && next.steps.some(({ nodes }) => nodes?.state_sync !== undefined)) continue;
      const whole = yield* this.#complete(world, done, next, names);
      if (whole !== undefined) return whole;
    }
    return undefined;
  }

  /** Applies the parts in a copy. Undefined if that fails or changes nothing for the nodes. */
  *#try(parts: readonly Candidate[], names: ReadonlySet<string>) {
    try {
      return yield* this.#play(this.#copy(), parts, names);
    } catch (error) {
      if (error instanceof CommandError) return undefined;
      throw error;
    }
  }

  *#play(world: Simulation, parts: readonly Candidate[], names: ReadonlySet<string>) {
    const cause = this.#causesIn(world, names);
    for (const { run, ...step } of parts.flatMap(({ steps }) => steps)) {
      for (let i = 0; i < (run?.rounds ?? 0); i++) yield* this.#advance(world);
      const commands = commandsOf(step);
      for (const command of commands) yield* world.readBy(command, !this.#inMemory);
      world.applyAll(commands);
    }
    const signed = this.#signedTwice(world, names);
    if (signed.length > 0) return { works: false, world, waited: 0, signedTwice: signed } as const;
    const hasSidecar = world.nodes().some(({ name }) => world.sidecar(name) !== undefined);
    const rounds = hasSidecar ? ROUNDS_WITH_SIDECAR : ROUNDS;
    const settles = hasSidecar ? SETTLES_WITH_SIDECAR : SETTLES;
    let last = this.#causesIn(world, names);
    let changed = last === cause ? undefined : 0;
    let together = 0;
    for (let waited = 1; waited <= rounds; waited++) {
      yield* this.#advance(world);
      const signedTwice = this.#signedTwice(world, names);
      if (signedTwice.length > 0) return { works: false, world, waited, signedTwice } as const;
      together = this.#allTakePart(world, names) ? together + 1 : 0;
      if (together === ROUNDS_TOGETHER)
        return { works: true, world, waited: 0, signedTwice: [] } as const;
      const now = this.#causesIn(world, names);
      if (now !== last) changed = waited;
      last = now;
      // Further candidates, including signer files, are for the world in its then current state.
      const isSettled = changed !== undefined && now !== "" && waited - changed === settles;
      if (isSettled || (changed !== undefined && waited === rounds)) {
        const works = this.#waitsWithOthers(world, names);
        return { works, world, waited, signedTwice } as const;
      }
    }
    return undefined;
  }

  /** The nodes whose keys have double-signed in a world, and had not before. */
  #signedTwice(world: Simulation, names: ReadonlySet<string>): readonly NodeView[] {
    return world
      .nodes()
      .filter(
        ({ name, consensusAddress }) =>
          names.has(name) && hasSignedTwice(world, consensusAddress, this.#sim),
      );
  }

  *#advance(world: Simulation): HistoryRanges {
    yield* world.readBy(undefined, !this.#inMemory);
    world.advance();
  }

  /**
   * True if the nodes vote with the others, and no other node is newly excluded unless blocks are
   * made without it.
   */
  #allTakePart(world: Simulation, names: ReadonlySet<string>): boolean {
    const missing = missingIn(world);
    const nodes = world.nodes().filter(({ name }) => names.has(name));
    if (nodes.some(({ name, process }) => process !== "running" || missing.has(name))) return false;
    if (world.decidedHeight > this.#sim.decidedHeight) return true;
    return [...missing].every((name) => this.#missing.has(name));
  }

  /**
   * True if a block was decided, and each of the nodes now waits for the same as nodes that voted
   * all the time, or for these: an upgrade is due for all of them, and has its own remedies.
   */
  #waitsWithOthers(world: Simulation, names: ReadonlySet<string>): boolean {
    if (world.decidedHeight <= this.#sim.decidedHeight || !world.appHashesAgree()) return false;
    const nodes = world.nodes().filter(({ name }) => names.has(name));
    const voted = (name: string): boolean => !names.has(name) && !this.#missing.has(name);
    const { missing } = world.chainStatus();
    const absent = missingIn(world);
    return missing.some(
      (one) =>
        one.nodes.some(voted) &&
        nodes.every(
          ({ name, process }) =>
            one.nodes.includes(name) || (process === "running" && !absent.has(name)),
        ),
    );
  }

  /** Causes of missing nodes; the same text as long as nothing changes for them. */
  #causesIn(world: Simulation, names: ReadonlySet<string>): string {
    const { missing } = world.chainStatus();
    return missing
      .flatMap(({ nodes, reason }) =>
        nodes.filter((name) => names.has(name)).map((name) => `${name}: ${reason}`),
      )
      .sort()
      .join("; ");
  }
}

/** The nodes named by the steps; all of the diagnosis if they name none. */
function namesIn({ steps }: Candidate, all: readonly string[]): ReadonlySet<string> {
  const names = steps.flatMap(({ nodes, fault }) => nodes?.which ?? fault?.clear ?? []);
  return new Set(names.length > 0 ? names : all);
}

const missingIn = (sim: Simulation): ReadonlySet<string> =>
  new Set(sim.chainStatus().missing.flatMap(({ nodes }) => nodes));

/** True if a key has double-signed since the world `before`. */
export function hasSignedTwice(
  world: Simulation,
  address: Uint8Array,
  before: Simulation,
): boolean {
  const pairsIn = ({ votes, evidence }: WaitingEvidence): readonly (readonly [Vote, Vote])[] => {
    const reported = evidence.flatMap((one) =>
      one.kind === "duplicate-vote" ? [[one.voteA, one.voteB] as const] : [],
    );
    return [...votes, ...reported].filter(([vote]) => equal(vote.validatorAddress, address));
  };
  return pairsIn(world.waitingEvidence()).length > pairsIn(before.waitingEvidence()).length;
}

/** Joins several candidates into one that applies them in sequence. */
const joined = (parts: readonly Candidate[]): Candidate => ({
  label: parts
    .map(({ label }, i) => (i === 0 ? label : label[0]?.toLowerCase() + label.slice(1)))
    .join(", then "),
  steps: parts.flatMap(({ steps }) => steps),
});
