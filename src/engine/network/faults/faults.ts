import { Rng } from "../../../base/rng.ts";
import { type Duration, SECOND, type Time } from "../../../base/time.ts";
import type { Node } from "../node/node.ts";
import type { AnyFaultKind } from "./kinds.ts";

export interface Fault {
  /** Undefined for a partition. */
  readonly node: Node | undefined;
  readonly kind: AnyFaultKind;
  /** First and last height at which it acts; `to` is infinite until it is done or cleared. */
  readonly from: number;
  readonly to: number;
  /** The simulated clock when it was injected. */
  readonly given: Time;
  /** Skew of a wrong clock, in nanoseconds. */
  readonly by: Duration;
  /** Probability that a flaky node is mute, 0 to 1. */
  readonly probability: number;
  /** The partitions of the network, by node name. */
  readonly groups: readonly (readonly string[])[];
}

export const DEFAULT_CLOCK_OFFSET: Duration = 10n * SECOND;
export const DEFAULT_FLAKINESS = 0.3;

/** Effects of faults on one round of one height. */
export interface RoundFaults {
  /** Nodes that do not vote, including flaky ones with probability 1. */
  readonly mute: readonly Node[];
  /** Nodes whose signer refuses every signature. */
  readonly refused: readonly Node[];
  /** Flaky nodes that are mute in this round. */
  readonly flaky: readonly Node[];
  /** Nodes whose votes are late: no proposal, and a precommit only if the round waits for it. */
  readonly slow: readonly Node[];
  /** Nodes that die while applying the block. */
  readonly crash: readonly Node[];
  /** Nodes that sign two conflicting precommits. */
  readonly doubleSign: readonly Node[];
  /** In order of injection; the last one of a node applies. */
  readonly clocks: readonly { readonly node: Node; readonly by: Duration }[];
}

export const NO_FAULTS: RoundFaults = {
  mute: [],
  refused: [],
  flaky: [],
  slow: [],
  crash: [],
  doubleSign: [],
  clocks: [],
};

/** Faults that are the same in all rounds of a height, and the nodes to draw in each round. */
interface HeightFaults {
  readonly height: number;
  readonly faults: RoundFaults;
  readonly flaky: readonly FlakyNode[];
}

interface FlakyNode {
  readonly node: Node;
  readonly probability: number;
  /** Makes its draws independent of another node's. */
  readonly salt: number;
}

/** Faults of a chain. Draws depend only on seed, node, height and round, not on earlier draws. */
export class Faults {
  readonly #rng: Rng;
  readonly #blockTime: Duration;
  #faults: readonly Fault[] = [];
  /** Cached faults of the last height queried. */
  #atHeight: HeightFaults | undefined;
  /** Current height, and the clock when it was first tried. */
  #tried = { height: -1, since: 0n };

  /** @param blockTime regular interval between two blocks */
  constructor(seed: number, blockTime: Duration) {
    this.#rng = Rng.seeded(seed).fork("faults");
    this.#blockTime = blockTime;
  }

  /** State stored in keyframes. */
  get persisted() {
    return [this.#faults, this.#tried] as const;
  }
  set persisted(persisted) {
    [this.#faults, this.#tried] = persisted;
  }

  /** All injected faults that have not ended, started or not. */
  get active(): readonly Fault[] {
    return this.#faults;
  }

  add(fault: Fault): void {
    this.#set([...this.#faults, fault]);
  }

  drop(faults: readonly Fault[]): void {
    this.#set(this.#faults.filter((fault) => !faults.includes(fault)));
  }

  /**
   * Records the height in a node's signer state when it is loaded; `next` is the next height to
   * sign.
   */
  loadSigner(node: Node, remembered: number, next: number): void {
    this.drop(this.#faults.filter((fault) => fault.node === node && fault.kind === "signer"));
    if (remembered < next) return;
    const rest = { given: 0n, by: 0n, probability: 0, groups: [] };
    this.add({ node, kind: "signer", from: next, to: remembered, ...rest });
  }

  /** Ends a node's double-sign faults without an end height: they last for one height. */
  doubleSigned(node: Node, height: number): void {
    this.drop(
      this.of(node, height).filter(
        ({ kind, to }) => kind === "double_sign" && !Number.isFinite(to),
      ),
    );
  }

  /** Moves the faults of some nodes to their current fork. */
  transfer(to: Faults, nodes: readonly Node[]): void {
    const moved = this.#faults.filter(({ node }) => node !== undefined && nodes.includes(node));
    to.#set([...to.#faults, ...moved]);
    this.drop(moved);
  }

  /** The faults of a node that act at a height. */
  of(node: Node, height: number): readonly Fault[] {
    return this.#faults.filter((fault) => fault.node === node && acts(fault, height));
  }

  /**
   * Records when a height is first tried: from then on, elapsed time counts toward the end of
   * faults.
   */
  tryHeight(height: number, clock: Time): void {
    if (this.#tried.height !== height) this.#tried = { height, since: clock };
  }

  /**
   * Returns the faults that have ended before a round. A fault lasts for a number of heights; while
   * the chain is halted, each remaining height counts as past after one regular block interval.
   */
  over(height: number, clock: Time): readonly Fault[] {
    return this.#faults.filter(({ kind, from, to, given: input }) => {
      if (to < height) return true;
      if (from > height || !Number.isFinite(to) || kind === "signer") return false;
      const { since } = this.#tried;
      const waited = clock - (input > since ? input : since);
      return waited >= BigInt(to - height + 1) * this.#blockTime;
    });
  }

  at(height: number, round: number): RoundFaults {
    if (this.#faults.length === 0) return NO_FAULTS;
    if (this.#atHeight?.height !== height) this.#atHeight = this.#faultsAt(height);
    const { faults, flaky } = this.#atHeight;
    if (flaky.length === 0) return faults;
    const word = this.#rng.fork(`${height}/${round}`).nextU32();
    const silent = flaky.filter(({ salt, probability }) => fraction(word ^ salt) < probability);
    return { ...faults, flaky: silent.map(({ node }) => node) };
  }

  #faultsAt(height: number): HeightFaults {
    const now = this.#faults.filter((fault) => acts(fault, height));
    const of = (kind: Fault["kind"]) =>
      now.flatMap(({ node, ...fault }) =>
        node && fault.kind === kind ? [{ ...fault, node }] : [],
      );
    const nodes = (kind: Fault["kind"]): Node[] => of(kind).map(({ node }) => node);
    const flaky = of("flaky");
    return {
      height,
      faults: {
        mute: [...nodes("mute"), ...flaky.flatMap((f) => (f.probability < 1 ? [] : [f.node]))],
        refused: nodes("signer"),
        flaky: [],
        slow: nodes("slow"),
        crash: of("crash").flatMap(({ node, from }) => (from === height ? [node] : [])),
        doubleSign: [...new Set(nodes("double_sign"))],
        clocks: of("clock"),
      },
      flaky: flaky
        .filter(({ probability }) => probability < 1)
        .map(({ node, probability }) => {
          return { node, probability, salt: this.#rng.fork(node.name).nextU32() };
        }),
    };
  }

  #set(faults: readonly Fault[]): void {
    this.#faults = faults;
    this.#atHeight = undefined;
  }
}

const acts = ({ from, to }: Fault, height: number): boolean => from <= height && height <= to;

/** Maps a word to a number in [0, 1) that depends on every bit (MurmurHash3's finaliser). */
function fraction(word: number): number {
  let h = word ^ (word >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 0x100000000;
}
