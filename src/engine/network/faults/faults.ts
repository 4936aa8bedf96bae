import { Rng } from "../../primitives/rng.ts";
import { type Duration, SECOND, type Time } from "../../primitives/time.ts";
import type { Node } from "../node/node.ts";

/**
 * What can be wrong with machines, besides what their operators do. Some change how rounds go:
 * crash – the process dies while it applies a block, and comes back when the fault ends;
 * slow – its proposals and votes come too late to be waited for;
 * mute – it follows the chain and says nothing;
 * clock – its votes carry a time that is off;
 * flaky – each round it is mute with a probability drawn from the seed.
 * Others are done as they begin, and undone as they end:
 * stop – the process is stopped;
 * partition – the network is cut, which is nobody's fault in particular;
 * double_sign – it signs two conflicting votes;
 * twin – a second machine runs with the same key;
 * lose_signer_state – its signer forgets what it has signed.
 */
export const MACHINE_FAULTS = [
  "crash",
  "slow",
  "mute",
  "clock",
  "flaky",
  "stop",
  "double_sign",
  "twin",
  "lose_signer_state",
] as const;
export type MachineFaultKind = (typeof MACHINE_FAULTS)[number];
export type FaultKind = MachineFaultKind | "partition";

export interface Fault {
  /** Whose it is; undefined for a partition. */
  readonly node: Node | undefined;
  /** signer – its signer remembers a later height and refuses; nobody's command, but what is in its file. */
  readonly kind: FaultKind | "signer";
  /** First and last height at which it acts; `to` is infinite until it is done or taken back. */
  readonly from: number;
  readonly to: number;
  /** The simulated clock when it was given. */
  readonly given: Time;
  /** How far a wrong clock is off. */
  readonly by: Duration;
  /** How often a flaky machine is mute, 0 to 1. */
  readonly probability: number;
  /** Who hears whom while the network is cut, by node name. */
  readonly groups: readonly (readonly string[])[];
}

export const DEFAULT_CLOCK_OFFSET: Duration = 10n * SECOND;
export const DEFAULT_FLAKINESS = 0.3;

/** What faults do to one round of one height. */
export interface RoundFaults {
  /** Say nothing; so do flaky ones that are never heard. */
  readonly mute: readonly Node[];
  /** Are refused every signature. */
  readonly refused: readonly Node[];
  /** Say nothing in this round. */
  readonly flaky: readonly Node[];
  /** Say everything too late: no proposal, a precommit only if everybody waits for it. */
  readonly slow: readonly Node[];
  /** Die while applying the block. */
  readonly crash: readonly Node[];
  /** In the order in which they were given; the last one of a machine holds. */
  readonly clocks: readonly { readonly node: Node; readonly by: Duration }[];
}

const NO_FAULTS: RoundFaults = {
  mute: [],
  refused: [],
  flaky: [],
  slow: [],
  crash: [],
  clocks: [],
};

/** What the faults of a height do in all of its rounds, and those that are drawn in each. */
interface Lasting {
  readonly height: number;
  readonly disturbance: RoundFaults;
  readonly flaky: readonly Drawn[];
}

interface Drawn {
  readonly node: Node;
  readonly probability: number;
  /** Tells one machine's draws from another's. */
  readonly salt: number;
}

/** The faults of a world. Draws depend on seed, node, height and round only, not on what was drawn before. */
export class Faults {
  readonly #rng: Rng;
  readonly #blockTime: Duration;
  #faults: readonly Fault[] = [];
  #lasting: Lasting | undefined;
  /** The height that was tried last, and the clock when that began. */
  #tried = { height: -1, since: 0n };

  /** @param blockTime how long a height takes that comes as it should */
  constructor(seed: number, blockTime: Duration) {
    this.#rng = Rng.seeded(seed).fork("faults");
    this.#blockTime = blockTime;
  }

  get active(): readonly Fault[] {
    return this.#faults;
  }

  add(fault: Fault): void {
    this.#set([...this.#faults, fault]);
  }

  drop(faults: readonly Fault[]): void {
    if (faults.length > 0) this.#set(this.#faults.filter((fault) => !faults.includes(fault)));
  }

  /** Notes the height that a node's signer remembers, as it is loaded; `next` is the one to be signed next. */
  loadSigner(node: Node, remembered: number, next: number): void {
    this.drop(this.#faults.filter((fault) => fault.node === node && fault.kind === "signer"));
    if (remembered < next) return;
    const rest = { given: 0n, by: 0n, probability: 0, groups: [] };
    this.add({ node, kind: "signer", from: next, to: remembered, ...rest });
  }

  /** Gives the faults of some nodes to the chain that these nodes are on now. */
  handOver(to: Faults, nodes: readonly Node[]): void {
    const moved = this.#faults.filter(({ node }) => node !== undefined && nodes.includes(node));
    to.#set([...to.#faults, ...moved]);
    this.drop(moved);
  }

  /** The faults of a node that act at a height. */
  of(node: Node, height: number): readonly Fault[] {
    return this.#faults.filter((fault) => fault.node === node && acts(fault, height));
  }

  /** Notes that a height is tried from now on, or still is. Must be called before every round. */
  try(height: number, clock: Time): void {
    if (this.#tried.height !== height) this.#tried = { height, since: clock };
  }

  /**
   * Faults whose time is up before a round. They last for a number of heights; while a height does not
   * come, the rest of them count as past once the time is that they would have taken.
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

  at(height: number, round: number): RoundFaults {
    if (this.#faults.length === 0) return NO_FAULTS;
    if (this.#lasting?.height !== height) this.#lasting = this.#lastingAt(height);
    const { disturbance, flaky } = this.#lasting;
    if (flaky.length === 0) return disturbance;
    const word = this.#rng.fork(`${height}/${round}`).nextU32();
    const silent = flaky.filter(({ salt, probability }) => fraction(word ^ salt) < probability);
    return silent.length === 0 ? disturbance : { ...disturbance, flaky: silent.map((f) => f.node) };
  }

  #lastingAt(height: number): Lasting {
    const now = this.#faults.filter((fault) => acts(fault, height));
    const of = (kind: Fault["kind"]) =>
      now.flatMap(({ node, ...fault }) =>
        node && fault.kind === kind ? [{ ...fault, node }] : [],
      );
    const nodes = (kind: Fault["kind"]): Node[] => of(kind).map(({ node }) => node);
    const flaky = of("flaky");
    return {
      height,
      disturbance: {
        mute: [...nodes("mute"), ...flaky.flatMap((f) => (f.probability < 1 ? [] : [f.node]))],
        refused: nodes("signer"),
        flaky: [],
        slow: nodes("slow"),
        crash: of("crash").flatMap(({ node, from }) => (from === height ? [node] : [])),
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
    this.#lasting = undefined;
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
