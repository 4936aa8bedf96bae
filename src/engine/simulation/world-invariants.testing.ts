import { fromBinary } from "@bufbuild/protobuf";
import { consAddress } from "../../base/bech32.ts";
import { toHex } from "../../base/bytes.ts";
import { PlanSchema } from "../../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import { verifiedCommit } from "./decided-blocks.ts";
import { ModelInvariants } from "./invariants/model-invariants.ts";
import {
  assertInvariant,
  type Books,
  booksOf,
  burnedIn,
  checkBooks,
  plansIn,
  powersOf,
  supplyOf,
  tombstonedIn,
  versionsAt,
} from "./invariants.testing.ts";
import { Simulation } from "./simulation.ts";
import type { BlockView } from "./views.ts";

/** Messages of JavaScript's own errors; modelled software never produces them. */
const LANGUAGE_ERROR =
  /Cannot (read|convert|set|access|mix|destructure)|is not (a function|defined|iterable)|Invalid (array length|string length|count value|time value)|Maximum call stack|premature EOF|(index|is) out of range|Unexpected (token|end)|BigInt|undefined \(/;

/** Returns true if an error is one of JavaScript's own classes: a bug of the simulator. */
export const isLanguageError = (error: unknown): boolean =>
  !(error instanceof Error) ||
  [TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError].some(
    (language) => error instanceof language,
  );

export const soundsLikeLanguageError = (text: string): boolean => LANGUAGE_ERROR.test(text);

/** Checks a world as it grows. Call `look` after every command and round. */
export class WorldInvariants {
  readonly #sim: Simulation;
  readonly #model: ModelInvariants;
  #height: number;
  #books: Books;
  /** State one height earlier: determines the set that votes next. */
  #before: Books;
  #supply: bigint;
  #versions: string;
  #plan: string | undefined;
  readonly #done = new Set<string>();
  #tombstoned: ReadonlySet<string> = new Set();

  constructor(sim: Simulation) {
    this.#sim = sim;
    this.#model = new ModelInvariants(sim);
    this.#height = sim.height;
    this.#books = this.#before = booksOf(sim.exportGenesis().messages);
    checkBooks(this.#books, sim.spec.profile !== "documented");
    this.#supply = supplyOf(this.#books);
    this.#versions = versionsAt(sim, sim.height);
    this.#plan = planOf(sim);
  }

  /** Throws an InvariantError for a violation. */
  look(): void {
    const sim = this.#sim;
    for (; this.#height < sim.height; this.#height++) this.#checkBlock(this.#height + 1);
    this.#checkVoters();
    const decided = sim.roundsOf(sim.decidedHeight).at(-1);
    if (decided?.outcome === "decided") {
      const enough = decided.power >= decided.neededPower;
      assertInvariant(
        "a block has more than two thirds",
        enough,
        () => `decided by ${decided.power}`,
      );
    }
    this.#model.look();
  }

  #checkBlock(height: number): void {
    const sim = this.#sim;
    const block = sim.block(height);
    const books = booksOf(sim.exportGenesis(height).messages);
    checkBooks(books, sim.spec.profile !== "documented");
    this.#supply -= burnedIn(block);
    const supply = supplyOf(books);
    const place = (): string => `height ${height}`;
    assertInvariant(
      "supply falls by burns alone",
      supply === this.#supply,
      () => `${place()}: ${supply}, not ${this.#supply}`,
    );
    const tombstoned = tombstonedIn(books);
    for (const who of this.#tombstoned)
      assertInvariant("a tombstone is for ever", tombstoned.has(who), () => `${place()}: ${who}`);
    this.#tombstoned = tombstoned;
    this.#checkPlans(block, height);
    this.#checkResults(block);
    this.#before = this.#books;
    this.#books = books;
  }

  #checkPlans(block: BlockView | undefined, height: number): void {
    let executed = 0;
    for (const { what, name } of plansIn(block)) {
      if (what === "executed") {
        executed += 1;
        const isPlan = name === this.#plan;
        assertInvariant(
          "the plan that runs is scheduled",
          isPlan,
          () => `${name}, not ${this.#plan}`,
        );
        assertInvariant("a plan runs once", !this.#done.has(name), () => name);
        this.#done.add(name);
      }
      this.#plan = what === "scheduled" ? name : undefined;
    }
    const stored = planOf(this.#sim, height);
    assertInvariant(
      "the plan is the stored one",
      stored === this.#plan,
      () => `${stored}, ${this.#plan}`,
    );
    const versions = versionsAt(this.#sim, height);
    const changed = versions !== this.#versions;
    assertInvariant(
      "module versions change with a plan only",
      !changed || executed > 0,
      () => `height ${height}`,
    );
    this.#versions = versions;
  }

  /** A panic is part of the model; a JavaScript error is not. */
  #checkResults(block: BlockView | undefined): void {
    for (const { log, height } of block?.txs ?? []) {
      assertInvariant(
        "no transaction meets a bug",
        !soundsLikeLanguageError(log),
        () => `height ${height}: ${log}`,
      );
    }
    const absent = block?.absent ?? [];
    if (block === undefined || absent.length === 0) return;
    const commit = verifiedCommit(this.#sim, block.height);
    assertInvariant("the commit is valid", commit?.error === null, () => `${commit?.error}`);
  }

  #checkVoters(): void {
    const sim = this.#sim;
    if (sim.decidedHeight !== sim.height || sim.height <= sim.initialHeight) return;
    const due = powersOf(this.#before);
    const voters = sim.validators();
    const wrong = voters.find(
      ({ address, power }) => due.get(consAddress(address)) !== BigInt(power),
    );
    assertInvariant(
      "validators vote with the power staking gave",
      wrong === undefined && voters.length === due.size,
      () => `height ${sim.height}: ${voters.length} of ${due.size}, ${wrong?.power}`,
    );
  }

  /** Replays the journal from the same genesis. Throws an InvariantError if anything differs. */
  checkReplay(): void {
    const sim = this.#sim;
    const again = replayOf(sim);
    const same = again.height === sim.height;
    assertInvariant(
      "replay gives the same height",
      same,
      () => `${again.height}, not ${sim.height}`,
    );
    for (let height = sim.initialHeight; height <= sim.height; height++) {
      const [one, other] = [sim.block(height), again.block(height)].map(
        (block) => block && `${toHex(block.hash)} ${toHex(block.appHash)}`,
      );
      assertInvariant(
        "replay gives the same hashes",
        one === other,
        () => `height ${height}: ${other}, not ${one}`,
      );
    }
  }
}

/** Replays the journal from genesis, or from an earlier state of the same world. */
export function replayOf(sim: Simulation, again = Simulation.create(sim.spec)): Simulation {
  for (const { at, command } of sim.journal.slice(again.journalLength)) {
    while (again.rounds < at) again.advance();
    again.apply(command);
  }
  while (again.rounds < sim.rounds) again.advance();
  return again;
}

function planOf(sim: Simulation, height: number = sim.height): string | undefined {
  const stored = sim.storeValue("upgrade", Uint8Array.of(0), height);
  return stored && fromBinary(PlanSchema, stored).name;
}
