import { Rng } from "../primitives/rng.ts";
import { type Duration, SECOND } from "../primitives/time.ts";
import type { Node } from "./node.ts";

/**
 * What can be wrong with a machine, besides being stopped:
 * crash – the process dies while it applies a block, and comes back when the fault ends;
 * slow – its proposals and votes come too late to be waited for;
 * mute – it follows the chain and says nothing;
 * clock – its votes carry a time that is off;
 * flaky – each round it is mute with a probability drawn from the seed.
 */
export type FaultKind = "crash" | "slow" | "mute" | "clock" | "flaky";

export interface Fault {
  readonly node: Node;
  /** signer – its signer remembers a later height and refuses; nobody's command, but what is in its file. */
  readonly kind: FaultKind | "signer";
  /** First and last height at which it acts; `to` is infinite until it is taken back. */
  readonly from: number;
  readonly to: number;
  /** How far a wrong clock is off. */
  readonly by: Duration;
  /** How often a flaky machine is mute, 0 to 1. */
  readonly probability: number;
}

export const DEFAULT_CLOCK_OFFSET: Duration = 10n * SECOND;
export const DEFAULT_FLAKINESS = 0.3;

/** What faults do to one round of one height. */
export interface Disturbance {
  /** Say nothing. */
  readonly mute: readonly Node[];
  /** Are refused every signature. */
  readonly refused: readonly Node[];
  /** Say nothing in this round. */
  readonly flaky: readonly Node[];
  /** Say everything too late: no proposal, a precommit only if everybody waits for it. */
  readonly slow: readonly Node[];
  /** Die while applying the block. */
  readonly crash: readonly Node[];
  readonly clocks: readonly { readonly node: Node; readonly by: Duration }[];
}

export const CALM: Disturbance = {
  mute: [],
  refused: [],
  flaky: [],
  slow: [],
  crash: [],
  clocks: [],
};

/** The faults of a world. Draws depend on seed, node, height and round only, not on what was drawn before. */
export class Faults {
  readonly #rng: Rng;
  #faults: Fault[] = [];

  constructor(seed: number) {
    this.#rng = Rng.seeded(seed).fork("faults");
  }

  get active(): readonly Fault[] {
    return this.#faults;
  }

  add(fault: Fault): void {
    this.#faults.push(fault);
  }

  /** Notes the height that a node's signer remembers, as it is loaded; `next` is the one to be signed next. */
  loadSigner(node: Node, remembered: number, next: number): void {
    this.#faults = this.#faults.filter((f) => f.node !== node || f.kind !== "signer");
    if (remembered < next) return;
    this.add({ node, kind: "signer", from: next, to: remembered, by: 0n, probability: 0 });
  }

  /** The faults of a node that act at a height. */
  of(node: Node, height: number): readonly Fault[] {
    return this.#faults.filter(
      (fault) => fault.node === node && fault.from <= height && height <= fault.to,
    );
  }

  /** Takes back the faults of a node, or all of them. Returns the machines that had crashed by a height. */
  clear(node: Node | undefined, height: number): readonly Node[] {
    const gone = this.#faults.filter(
      (fault) => fault.kind !== "signer" && (node === undefined || fault.node === node),
    );
    this.#faults = this.#faults.filter((fault) => !gone.includes(fault));
    return gone.filter((f) => f.kind === "crash" && f.from <= height).map((f) => f.node);
  }

  /** Crashed machines whose fault ends before a height: they come back now. Drops faults that are over. */
  expire(height: number): readonly Node[] {
    if (this.#faults.length === 0) return [];
    const over = this.#faults.filter((fault) => fault.to < height);
    if (over.length > 0) this.#faults = this.#faults.filter((fault) => fault.to >= height);
    return over.filter((fault) => fault.kind === "crash").map((fault) => fault.node);
  }

  at(height: number, round: number): Disturbance {
    if (this.#faults.length === 0) return CALM;
    const now = this.#faults.filter((fault) => fault.from <= height && height <= fault.to);
    const of = (kind: Fault["kind"]): Node[] =>
      now.filter((f) => f.kind === kind).map((f) => f.node);
    const flaky = now.filter((f) => f.kind === "flaky" && this.#draws(f, height, round));
    return {
      mute: of("mute"),
      refused: of("signer"),
      flaky: flaky.map((fault) => fault.node),
      slow: of("slow"),
      crash: now.filter((f) => f.kind === "crash" && f.from === height).map((f) => f.node),
      clocks: now.filter((f) => f.kind === "clock"),
    };
  }

  #draws({ node, probability }: Fault, height: number, round: number): boolean {
    return this.#rng.fork(`${node.name}/${height}/${round}`).nextFloat() < probability;
  }
}
