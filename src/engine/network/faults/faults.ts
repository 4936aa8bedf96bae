import { Rng } from "../../primitives/rng.ts";
import { type Duration, SECOND, type Time } from "../../primitives/time.ts";
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
  /** Nodes without votes; flaky ones with probability 1 are among them. */
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
  /** In the order in which they were injected; the last one of a node counts. */
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

/** The faults that are the same in all rounds of a height, and the nodes that are drawn in each. */
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

/** The faults of a chain. Draws depend on seed, node, height and round only, not on earlier draws. */
export class Faults {
  readonly #rng: Rng;
  readonly #blockTime: Duration;
  #faults: readonly Fault[] = [];
  /** Those of the height asked for last. */
  #atHeight: HeightFaults | undefined;
  /** The height being tried, and the clock when that began. */
  #tried = { height: -1, since: 0n };

  /** @param blockTime the regular interval between two blocks */
  constructor(seed: number, blockTime: Duration) {
    this.#rng = Rng.seeded(seed).fork("faults");
    this.#blockTime = blockTime;
  }

  /** State stored in keyframes. */
  get kept() {
    return [this.#faults, this.#tried] as const;
  }
  set kept(kept) {
    [this.#faults, this.#tried] = kept;
  }

  /** All that were injected and are not over, begun or not. */
  get active(): readonly Fault[] {
    return this.#faults;
  }

  add(fault: Fault): void {
    this.#set([...this.#faults, fault]);
  }

  drop(faults: readonly Fault[]): void {
    this.#set(this.#faults.filter((fault) => !faults.includes(fault)));
  }

  /** Notes the height that a node's signer state holds as it is loaded; `next` is the one to sign next. */
  loadSigner(node: Node, remembered: number, next: number): void {
    this.drop(this.#faults.filter((fault) => fault.node === node && fault.kind === "signer"));
    if (remembered < next) return;
    const rest = { given: 0n, by: 0n, probability: 0, groups: [] };
    this.add({ node, kind: "signer", from: next, to: remembered, ...rest });
  }

  /** Ends the double-sign faults of a node that are done after one height: those without an end. */
  doubleSigned(node: Node, height: number): void {
    this.drop(
      this.of(node, height).filter(
        ({ kind, to }) => kind === "double_sign" && !Number.isFinite(to),
      ),
    );
  }

  /** Moves the faults of some nodes to the fork that these nodes are on now. */
  transfer(to: Faults, nodes: readonly Node[]): void {
    const moved = this.#faults.filter(({ node }) => node !== undefined && nodes.includes(node));
    to.#set([...to.#faults, ...moved]);
    this.drop(moved);
  }

  /** The faults of a node that act at a height. */
  of(node: Node, height: number): readonly Fault[] {
    return this.#faults.filter((fault) => fault.node === node && acts(fault, height));
  }

  /** Notes when a height is tried first: from then on, the time it takes counts against its faults. */
  tryHeight(height: number, clock: Time): void {
    if (this.#tried.height !== height) this.#tried = { height, since: clock };
  }

  /**
   * The faults that are over before a round. They last for a number of heights; while the chain is
   * halted, the heights left count as past after as many regular block intervals.
   */
  over(height: number, clock: Time): readonly Fault[] {
    return this.#faults.filter(({ kind, from, to, given }) => {
      if (to < height) return true;
      if (from > height || !Number.isFinite(to) || kind === "signer") return false;
      const { since } = this.#tried;
      const waited = clock - (given > since ? given : since);
      return waited >= BigInt(to - height + 1) * this.#blockTime;
    });
  }

  /** The faults of one round. */
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

/** A number in [0, 1) in which every bit of a word counts (MurmurHash3's finaliser). */
function fraction(word: number): number {
  let h = word ^ (word >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 0x100000000;
}
