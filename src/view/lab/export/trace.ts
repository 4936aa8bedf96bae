/**
 * Writes a world as trace events (JSON of the trace event format, for ui.perfetto.dev and
 * chrome://tracing): a process for the chain and one for each node, with a thread for each
 * concurrent activity. Time is the simulated clock, in microseconds since genesis.
 */

import { toHex, toHexUpper } from "../../../base/bytes.ts";
import { type Duration, formatRfc3339, type Time } from "../../../base/time.ts";
import { misbehaviorOf } from "../../../engine/consensus/evidence.ts";
import {
  type RoundFailure,
  type RoundStep,
  stepsWaitedFor,
} from "../../../engine/consensus/timeouts.ts";
import type { Event } from "../../../engine/framework/events.ts";
import { haltText } from "../../../engine/framework/halt.ts";
import type { RoundView, VoteView } from "../../../engine/simulation/round-views.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { BlockView, NodeView } from "../../../engine/simulation/views.ts";
import { kindOf } from "../explorer/evidence.ts";

/** Process ids are multiples of this: thread ids follow, so that every id is unique. */
const IDS = 10;
const CHAIN = IDS;

/** Threads, in display order. */
const OF_CHAIN = ["state", "blocks", "rounds", "marks"] as const;
const OF_NODE = ["process", "binary", "consensus"] as const;
type ChainThread = (typeof OF_CHAIN)[number];
type NodeThread = (typeof OF_NODE)[number];

/** Events of blocks that are shown as marks. */
const MARKED: ReadonlySet<string> = new Set([
  "slash",
  "submit_evidence",
  "submit_proposal",
  "active_proposal",
  "inactive_proposal",
]);

type Args = Readonly<Record<string, string | number>>;

/** State of a node when it was last checked. */
interface TracedNode {
  readonly pid: number;
  readonly process: string;
  readonly binary: string;
}

/** A step of a round, with its duration. */
type TimedStep = readonly [step: RoundStep | "commit", duration: Duration];

/**
 * Records a world from the writer's construction on: call `begin` first, then `take` after every
 * command and every round, then `end`. Their results form one file. Omit `begin` to continue the
 * file of another writer.
 */
export class TraceWriter {
  readonly #sim: Simulation;
  readonly #genesis: Time;
  #nodes: ReadonlyMap<string, TracedNode>;
  #state: string;
  #height: number;
  #decided: number;
  #rounds: number;
  #halts: number;
  #clock: Time;
  #lines: string[] = [];

  constructor(sim: Simulation) {
    this.#sim = sim;
    this.#genesis = sim.spec.genesisTime;
    this.#nodes = this.#tracedNodes();
    this.#state = this.#stateNow();
    this.#height = sim.height;
    this.#decided = sim.decidedHeight;
    this.#rounds = sim.rounds;
    this.#halts = sim.haltsSince(0).at(-1)?.seq ?? 0;
    this.#clock = sim.clock;
  }

  /** The head of the file: processes and threads, and open slices. */
  begin(): string {
    const { chainId, genesisTime, profile, seed } = this.#sim.spec;
    const about = { chain_id: chainId, genesis_time: formatRfc3339(genesisTime), profile, seed };
    this.#name(CHAIN, `chain ${chainId}`, OF_CHAIN);
    this.#open(CHAIN, chainThread("state"), this.#state);
    for (const [name, node] of this.#nodes) this.#nodeAppears(name, node);
    const [first = "", ...others] = this.#format();
    const head = JSON.stringify({ displayTimeUnit: "ms", otherData: about }).slice(0, -1);
    return `${head},"traceEvents":[\n${first}${others.map(after).join("")}`;
  }

  /** Records since the last call. */
  flush(): string {
    const { height, clock, rounds, decidedHeight } = this.#sim;
    const before = this.#nodes;
    if (rounds !== this.#rounds) this.#round(before);
    const now = this.#tracedNodes();
    for (const [name, node] of before) if (!now.has(name)) this.#nodeEnds(node, clock);
    for (const [name, node] of now) {
      const known = before.get(name);
      if (known === undefined) this.#nodeAppears(name, node);
      else this.#nodeChanges(known, node);
    }
    this.#nodes = now;
    this.#writeHalts();
    for (let at = this.#height + 1; at <= height; at++) this.#block(at);
    const state = this.#stateNow();
    if (state !== this.#state) {
      this.#close(CHAIN, chainThread("state"), this.#state, clock);
      this.#open(CHAIN, chainThread("state"), state);
    }
    this.#state = state;
    this.#height = height;
    this.#decided = decidedHeight;
    this.#rounds = rounds;
    this.#clock = clock;
    return this.#format().map(after).join("");
  }

  /** The end of the file, at the time of the last `take`: closes all open slices. */
  end(): string {
    for (const node of this.#nodes.values()) this.#nodeEnds(node, this.#clock);
    this.#close(CHAIN, chainThread("state"), this.#state, this.#clock);
    return `${this.#format().map(after).join("")}\n]}\n`;
  }

  #tracedNodes(): ReadonlyMap<string, TracedNode> {
    const nodes = this.#sim.nodes();
    const places = new Map(
      nodes.filter((node) => !isTwin(node)).map(({ name }, place) => [name, place]),
    );
    return new Map(
      nodes.map((node) => {
        // A twin, or the twin of a twin, may come and go without changing other ids: with one odd
        // number for each validator and one power of two for each depth, every product is unique.
        const odd = 2 * (places.get(node.validator) ?? places.size) + 1;
        const place = odd * 2 ** twinDepth(node) - 1;
        const { name, process, binary } = node;
        return [name, { pid: CHAIN + IDS * (place + 1), process, binary }];
      }),
    );
  }

  #stateNow(): string {
    return this.#sim.chainStatus().state;
  }

  // ——— nodes ———

  #nodeAppears(name: string, { pid, process, binary }: TracedNode): void {
    this.#name(pid, name, OF_NODE);
    this.#open(pid, nodeThread(pid, "process"), process);
    this.#open(pid, nodeThread(pid, "binary"), binary);
  }

  #nodeChanges(before: TracedNode, { pid, process, binary }: TracedNode): void {
    const { clock } = this.#sim;
    const change = (thread: NodeThread, from: string, to: string): void => {
      if (from === to) return;
      this.#close(pid, nodeThread(pid, thread), from, clock);
      this.#open(pid, nodeThread(pid, thread), to);
    };
    change("process", before.process, process);
    change("binary", before.binary, binary);
  }

  #nodeEnds({ pid, process, binary }: TracedNode, at: Time): void {
    this.#close(pid, nodeThread(pid, "process"), process, at);
    this.#close(pid, nodeThread(pid, "binary"), binary, at);
  }

  #writeHalts(): void {
    for (const { seq, nodes, height, cause } of this.#sim.haltsSince(this.#halts)) {
      this.#halts = seq;
      for (const name of nodes) {
        const { pid } = this.#nodes.get(name) ?? {};
        if (pid === undefined) continue;
        this.#mark(pid, nodeThread(pid, "process"), "halt", { height, reason: haltText(cause) });
      }
    }
  }

  // ——— rounds ———

  #round(before: ReadonlyMap<string, TracedNode>): void {
    const round = this.#sim.lastRound;
    if (round === undefined) return;
    const { startTime, height, why, power, neededPower } = round;
    const end = this.#sim.clock;
    const isDecided = this.#sim.decidedHeight > this.#decided && height > this.#decided;
    const name = `height ${height}, round ${round.round}`;
    const outcome = isDecided || round.outcome !== "decided" ? round.outcome : "too-few-votes";
    const proposer = this.#nameOf(round.proposer);
    const args = { proposer, outcome, power, needed: neededPower, ...(why && { why }) };
    this.#slice(CHAIN, chainThread("rounds"), name, startTime, end - startTime, args);
    const steps = stepsOf(round, outcome, end - startTime, this.#sim.spec.blockTime);
    const votes = new Map(round.votes.map((vote) => [toHex(vote.validator), vote]));
    for (const { name: node, consensusAddress } of this.#sim.nodes()) {
      const known = before.get(node);
      if (known?.process !== "running") continue;
      const vote = votes.get(toHex(consensusAddress));
      this.#votes(known.pid, name, { began: startTime, end, steps, vote });
    }
  }

  #votes(
    pid: number,
    name: string,
    {
      began,
      end,
      steps,
      vote,
    }: {
      readonly began: Time;
      readonly end: Time;
      readonly steps: readonly TimedStep[];
      readonly vote: VoteView | undefined;
    },
  ): void {
    const tid = nodeThread(pid, "consensus");
    const { prevote = "none", precommit = "none", why = "" } = vote ?? {};
    this.#slice(pid, tid, name, began, end - began, { prevote, precommit, ...(why && { why }) });
    if (vote === undefined) return;
    let at = began;
    for (const [step, duration] of steps) {
      const word = wordOf(step, vote);
      const lasts = duration < end - at ? duration : end - at;
      if (word !== undefined) this.#slice(pid, tid, word, at, lasts);
      at += lasts;
    }
  }

  // ——— blocks ———

  #block(height: number): void {
    const block = this.#sim.block(height);
    if (block === undefined) return;
    const { clock } = this.#sim;
    const startTime = this.#sim.roundsOf(height)[0]?.startTime ?? clock;
    // A block that too few nodes could apply at first is committed during rounds of the next
    // height.
    const end = this.#sim.roundsOf(height + 1)[0]?.startTime ?? clock;
    const { round, time, hash, txs, binary, absent } = block;
    this.#slice(CHAIN, chainThread("blocks"), `block ${height}`, startTime, end - startTime, {
      ...{ time: formatRfc3339(time), hash: toHexUpper(hash), binary, round },
      ...{
        proposer: this.#nameOf(block.proposer),
        transactions: txs.length,
        absent: absent.length,
      },
    });
    for (const [name, args] of this.#marksOf(block)) {
      this.#mark(CHAIN, chainThread("marks"), name, { block: height, ...args });
    }
  }

  *#marksOf(block: BlockView): Generator<readonly [name: string, args: Args]> {
    for (const evidence of block.evidence) {
      const against = misbehaviorOf(evidence).map(({ address }) => this.#nameOf(address));
      yield ["evidence", { kind: kindOf(evidence), against: against.join(" ") }];
    }
    for (const event of [...block.events, ...block.txs.flatMap(({ events }) => events)]) {
      if (MARKED.has(event.type)) yield [event.type, argsOf(event)];
    }
    // The upgrade module emits no event of its own.
    for (const step of block.steps) {
      if (step.module !== "upgrade" || step.reverted) continue;
      if (step.kind === "schedule" || step.kind === "done") {
        const { name, height } = step.data;
        yield [step.kind === "done" ? "upgrade" : "plan", { name, height: Number(height) }];
      }
    }
  }

  #nameOf(address: Uint8Array): string {
    const hex = toHex(address);
    const node = this.#sim.nodes().find((one) => toHex(one.consensusAddress) === hex);
    return node?.validator ?? hex;
  }

  // ——— events ———

  #name(pid: number, name: string, threads: readonly string[]): void {
    const about = (what: string, tid: number, args: Args): void =>
      this.#write({ name: what, ph: "M", pid, tid, args });
    about("process_name", pid, { name });
    about("process_sort_index", pid, { sort_index: pid });
    for (const [i, thread] of threads.entries()) {
      about("thread_name", pid + 1 + i, { name: thread });
      about("thread_sort_index", pid + 1 + i, { sort_index: i });
    }
  }

  /** Opens a slice that ends with `close`. */
  #open(pid: number, tid: number, name: string): void {
    this.#write({ name, ph: "B", ts: this.#micros(this.#sim.clock), pid, tid });
  }

  /** The format allows an end without a name; some readers find its start by the name. */
  #close(pid: number, tid: number, name: string, at: Time): void {
    this.#write({ name, ph: "E", ts: this.#micros(at), pid, tid });
  }

  /**
   * Writes a finished slice; without a duration it is a mark, since readers disagree on its
   * nesting.
   */
  #slice(
    pid: number,
    tid: number,
    name: string,
    startTime: Time,
    duration: Duration,
    args?: Args,
  ): void {
    const ts = this.#micros(startTime);
    const how = duration > 0n ? { ph: "X", ts, dur: Number(duration) / 1000 } : { ...INSTANT, ts };
    this.#write({ name, ...how, pid, tid, ...(args && { args }) });
  }

  #mark(pid: number, tid: number, name: string, args: Args): void {
    this.#write({ name, ...INSTANT, ts: this.#micros(this.#sim.clock), pid, tid, args });
  }

  #micros(time: Time): number {
    return Number(time - this.#genesis) / 1000;
  }

  #write(event: object): void {
    this.#lines.push(JSON.stringify(event));
  }

  #format(): readonly string[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }
}

/** A mark on one thread. */
const INSTANT = { ph: "i", s: "t" } as const;

const after = (line: string): string => `,\n${line}`;

const isTwin = (node: NodeView): boolean => twinDepth(node) > 0;

/**
 * 0 for a validator's own node, 1 for its twin, 2 for that one's twin: each name extends the
 * previous one.
 */
const twinDepth = ({ name, validator }: NodeView): number =>
  (name.length - validator.length) / "-twin".length;

const chainThread = (thread: ChainThread): number => CHAIN + 1 + OF_CHAIN.indexOf(thread);
const nodeThread = (pid: number, thread: NodeThread): number => pid + 1 + OF_NODE.indexOf(thread);

const argsOf = ({ attributes }: Event): Args =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value]));

/**
 * The steps of a round. Messages take no time, so only waiting has a duration: timeouts, and after
 * a decision the delay until the next height.
 */
function stepsOf(
  { round }: RoundView,
  outcome: RoundView["outcome"],
  lasted: Duration,
  blockTime: Duration,
): readonly TimedStep[] {
  if (outcome === "decided") {
    const commit = lasted < blockTime ? lasted : blockTime;
    return [
      ["propose", 0n],
      ["prevote", 0n],
      ["precommit", lasted - commit],
      ["commit", commit],
    ];
  }
  const waited = new Map(stepsWaitedFor(outcome satisfies RoundFailure, round));
  const all = ["propose", "prevote", "precommit"] as const;
  return all.map((step) => [step, waited.get(step) ?? 0n]);
}

/** Name of a node's action in a step; undefined if it sends nothing. */
function wordOf(step: TimedStep[0], { prevote, precommit }: VoteView): string | undefined {
  if (step !== "prevote" && step !== "precommit") return step;
  const ballot = step === "prevote" ? prevote : precommit;
  if (ballot === "none") return undefined;
  return ballot === "nil" ? `${step} nil` : step;
}
