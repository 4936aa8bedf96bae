import { isDeepStrictEqual } from "node:util";
import { toHex } from "../../../src/base/bytes.ts";
import type { JournalEntry } from "../../../src/engine/simulation/command.ts";
import type { WorldSpec } from "../../../src/engine/simulation/genesis/world-spec.ts";
import { assertInvariant } from "../../../src/engine/simulation/invariants.testing.ts";
import { Simulation } from "../../../src/engine/simulation/simulation.ts";
import { type EntrySource, Replay } from "../../../src/session/replay.ts";
import type { Position } from "../../../src/session/saved.ts";

const NOWHERE: Position = { rounds: 0, entries: 0 };

/** Expected state of a world: its journal, and the position reported as saved. */
export class KnownWorld {
  /** Copies have the same one. */
  readonly spec: WorldSpec;
  #journal: readonly JournalEntry[];
  #rounds: number;
  /** Minimum position of the world when it is restored undamaged; undefined if it may be lost. */
  saved: Position | undefined;

  constructor({ spec, journal, rounds }: Pick<Simulation, "spec" | "journal" | "rounds">) {
    this.spec = spec;
    this.#journal = [...journal];
    this.#rounds = rounds;
  }

  /** The same world under another id. */
  copy(): KnownWorld {
    const copy = new KnownWorld({
      spec: this.spec,
      journal: this.#journal,
      rounds: this.#rounds,
    });
    copy.saved = this.saved && NOWHERE;
    return copy;
  }

  /** Takes note of what was done since. */
  observe(sim: Simulation): void {
    this.#journal = [...this.#journal.slice(0, sim.journalStart), ...sim.journal];
    this.#rounds = sim.rounds;
  }

  /** Takes note that all up to a moment is on disk. */
  acknowledge({ rounds, entries }: Position): void {
    this.saved = {
      rounds: Math.max(this.saved?.rounds ?? 0, rounds),
      entries: Math.max(this.saved?.entries ?? 0, entries),
    };
  }

  /**
   * A world that came back is this one, up to where it came: the same actions lead a new simulation to the same
   * hashes. Throws an InvariantError. From here on it is what the world is.
   * @param least what must be there
   */
  checkRestored(sim: Simulation, least: Position): void {
    const { journalStart, journalLength, rounds } = sim;
    const found = `${journalLength} actions, ${rounds} rounds`;
    assertInvariant("no saved action is lost", journalLength >= least.entries, () => {
      return `${found}; ${least.entries} were saved`;
    });
    assertInvariant("no saved round is lost", rounds >= least.rounds, () => {
      return `${found}; ${least.rounds} rounds were saved`;
    });
    const known = this.#journal.slice(0, journalLength);
    assertInvariant(
      "what comes back is what was done",
      journalLength <= this.#journal.length,
      () => {
        return `${found}; ${this.#journal.length} actions were done`;
      },
    );
    assertInvariant(
      "the actions are those that were done",
      isDeepStrictEqual(known.slice(journalStart), sim.journal),
      () => `from action ${journalStart} on: ${found}`,
    );
    assertInvariant("no round comes back that was not", rounds <= this.#rounds, () => {
      return `${found}; ${this.#rounds} rounds were run`;
    });
    const straight = straightRun(this.spec, known, rounds);
    for (const height of heightsOf(straight)) {
      const [one, other] = [straight, sim].map((each) => {
        const block = each.block(height);
        return block && `${toHex(block.hash)} ${toHex(block.appHash)}`;
      });
      assertInvariant("the hashes are those of a straight run", one === other, () => {
        return `height ${height}: ${other}, not ${one}`;
      });
    }
    const [one, other] = [straight, sim].map((each) => `${each.height} ${toHex(each.appHash)}`);
    assertInvariant(
      "the end is that of a straight run",
      one === other,
      () => `${other}, not ${one}`,
    );
    this.#journal = known;
    this.#rounds = rounds;
    this.expectNoMore(sim);
  }

  /** Takes note that no more than what came back of damage is to be on disk. */
  expectNoMore({ rounds, journalLength }: Pick<Simulation, "rounds" | "journalLength">): void {
    this.saved = this.saved && {
      rounds: Math.min(rounds, this.saved.rounds),
      entries: Math.min(journalLength, this.saved.entries),
    };
  }
}

const heightsOf = ({ initialHeight, height }: Simulation): readonly number[] =>
  Array.from({ length: height - initialHeight + 1 }, (_, i) => initialHeight + i);

function straightRun(
  spec: WorldSpec,
  journal: readonly JournalEntry[],
  rounds: number,
): Simulation {
  const sim = Simulation.create(spec);
  let taken = 0;
  const source: EntrySource = {
    get next() {
      return journal[taken];
    },
    waiting: false,
    onReady() {},
    advance() {
      taken += 1;
    },
  };
  const replay = new Replay(sim, source, () => rounds);
  while (!replay.done) replay.step();
  return sim;
}
