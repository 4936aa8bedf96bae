import { isDeepStrictEqual } from "node:util";
import { ChainError, CommandError, StatusError } from "../../../src/engine/framework/errors.ts";
import { assertInvariant } from "../../../src/engine/simulation/invariants.testing.ts";
import { answers } from "../../../src/engine/simulation/keyframe/answers.testing.ts";
import { readKeyframe, writeKeyframe } from "../../../src/engine/simulation/keyframe/keyframe.ts";
import type { Simulation } from "../../../src/engine/simulation/simulation.ts";
import {
  replayOf,
  soundsLikeLanguageError,
  WorldInvariants,
} from "../../../src/engine/simulation/world-invariants.testing.ts";
import { createContext } from "../../../src/scenario/create-context.ts";
import { parseScenario, parseStep } from "../../../src/scenario/parse.ts";
import { previewStep } from "../../../src/scenario/preview.ts";
import { type StepContext, StepError } from "../../../src/scenario/step-context.ts";
import { genesisToJson } from "../../../src/view/genesis.ts";

/** Rounds that a chain continued from an export runs. */
const CONTINUED_ROUNDS = 6;

/** The world of a file without its steps; undefined if the file is refused. */
export function beginWorld(file: unknown): PlayedWorld | undefined {
  const read = parseScenario(JSON.stringify({ ...Object(file), steps: [] }), "case.yaml");
  return "scenario" in read ? new PlayedWorld(createContext(read.scenario)) : undefined;
}

/** A world whose invariants are checked after every step and every round. */
export class PlayedWorld {
  readonly context: StepContext;
  readonly invariants: WorldInvariants;

  /** Keyframes from moments on the way. */
  readonly #keyframes: Uint8Array[] = [];
  #steps = 0;

  constructor(context: StepContext) {
    this.context = context;
    this.invariants = new WorldInvariants(context.sim);
  }

  get sim(): Simulation {
    return this.context.sim;
  }

  /**
   * Takes one step; one that is refused or fails is no bug. Returns whether it was accepted. Throws what is a
   * bug.
   */
  take(step: unknown): boolean {
    const { context, invariants, sim } = this;
    if (KEYFRAMES_AFTER.includes(this.#steps++)) this.#keyframes.push(writeKeyframe(sim));
    const read = parseStep(JSON.stringify(step), context);
    if ("problems" in read) {
      for (const { message } of read.problems) proper(message);
      return false;
    }
    const { action } = read.step;
    const before = sim.revision;
    proper(previewStep(context, read.step).message);
    assertInvariant("a preview changes nothing", sim.revision === before, () => read.step.verb);
    let accepted = true;
    const run = action.run(context);
    for (;;) {
      try {
        if (run.next().done) break;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        proper(error.message);
        accepted = sim.revision > before;
        break;
      }
      invariants.look();
    }
    invariants.look();
    const frame = context
      .follow()
      .frames.build({ blocksAfter: 0, activityAfter: 0, samples: true });
    for (const { text } of frame.activity.slice(-20)) proper(text);
    return accepted;
  }

  /** Replays it, from keyframes too, and continues its chain from its export. Throws what is a bug. */
  end(): void {
    this.invariants.checkReplay();
    this.#checkKeyframes();
    const exported = JSON.stringify(genesisToJson(this.sim.exportGenesis()));
    const read = parseScenario(exported, "genesis.json");
    if ("problems" in read) {
      const [problem] = read.problems;
      const text = `${problem?.path}: ${problem?.message}`;
      assertInvariant("an export can be imported", mayBeRefused(text), () => text);
      return;
    }
    const { sim } = createContext(read.scenario);
    const again = new WorldInvariants(sim);
    for (let i = 0; i < CONTINUED_ROUNDS; i++) {
      sim.advance();
      again.look();
    }
  }

  #checkKeyframes(): void {
    const { sim } = this;
    for (const bytes of this.#keyframes) {
      const restored = replayOf(sim, readKeyframe(sim.spec, bytes));
      const [ours, theirs] = [answers(sim), answers(restored)];
      const other = Object.keys(ours).filter((key) => !isDeepStrictEqual(ours[key], theirs[key]));
      assertInvariant(
        "a keyframe and the journal give the world",
        other.length === 0,
        () => `other ${other}`,
      );
    }
  }
}

/** Steps before which a keyframe is written. */
const KEYFRAMES_AFTER = [1, 5, 20];

/**
 * A binary that was installed past all upgrades may not fit the state; the refusal then says what chooses another.
 * Misbehavior handed to the app is stored as it was, also with a height, time or power that no import takes. And
 * coins may be sent to gov's account, which as upstream's then holds more than the deposits that a genesis allows.
 */
const mayBeRefused = (problem: string): boolean =>
  problem.includes("genesis.binary") ||
  problem.includes("expected module account was") ||
  /invalid equivocation (height|time|validator power)/.test(problem);

function proper(message: string): void {
  assertInvariant("texts are for people", !soundsLikeLanguageError(message), () => message);
}

const isRefusal = (error: unknown): error is Error =>
  error instanceof StepError ||
  error instanceof CommandError ||
  error instanceof StatusError ||
  error instanceof ChainError;
