/**
 * Records a world as a scenario: its genesis, and its journal as steps. A second world replays the
 * same commands, so that every step contains its result: the height of a run, and the outcome of a
 * transaction.
 */

import { toHexUpper } from "../base/bytes.ts";
import type { BinarySpec } from "../engine/app/binary.ts";
import { acceptSignedTxs } from "../engine/app/signed-tx.ts";
import { CommandError, errorText } from "../engine/framework/errors.ts";
import type { Command, JournalEntry } from "../engine/simulation/command.ts";
import { acceptLightClientAttacks } from "../engine/simulation/light-client-attacks.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { acceptTampering } from "../engine/simulation/tamper.ts";
import type { TxView } from "../engine/simulation/views.ts";
import { MsgSubmitProposalResponseSchema } from "../gen/chain/gov/v1/tx_pb.ts";
import { lazyObserver } from "../view/lab/frame/observed.ts";
import { type Ballot, type Drawn, DrawnSteps } from "./drawn-step.ts";
import { isMap } from "./fields.ts";
import type { SourceStep } from "./format-command.ts";
import { formatBinaries, formatGenesis } from "./format-world.ts";
import { namesAtGenesis, parseScenario } from "./parse.ts";
import { validatorNames } from "./proposals.ts";
import { Run, WAITS } from "./recorded-run.ts";
import type { StepContext } from "./step-context.ts";
import { responseOf } from "./transactions.ts";
import { importedGenesis, type WorldSource } from "./world-source.ts";
import { type FileText, fileText, type Item } from "./write-file.ts";

/** A world as a scenario. */
export interface Recorded extends FileText {
  readonly steps: number;
  /** Actions missing from the steps, in sentences; without them the file leads to another world. */
  readonly leftOut: readonly string[];
}

/** Records a world during a replay of its history. */
export class Recorder {
  readonly #source: WorldSource;
  readonly #genesis: Readonly<Record<string, unknown>>;
  readonly #context: StepContext;
  readonly #accounts: ReadonlySet<string>;
  readonly #drawn: DrawnSteps;
  readonly #items: Item[] = [];
  readonly #binaries: BinarySpec[];
  /** Steps of this round that are written once their result is known. */
  #sent: Sent | undefined;
  /** Names of the steps that submitted proposals, by proposal id. */
  readonly #proposals = new Map<bigint, string>();
  #merged: Merged | undefined;

  /** Throws an Error that says why for a genesis that scenarios cannot express. */
  constructor(source: WorldSource) {
    const sim = Simulation.create(source.spec, {});
    acceptSignedTxs();
    acceptLightClientAttacks();
    acceptTampering();
    this.#source = source;
    this.#context = { sim, follow: lazyObserver(sim), results: new Map() };
    this.#accounts = namesAtGenesis(source.spec, new Map()).accounts;
    this.#drawn = new DrawnSteps(this.#context, this.#accounts);
    this.#binaries = [...source.spec.binaries];
    this.#genesis = source.spec.start
      ? importedGenesis(source)
      : { genesis: formatGenesis(source.spec) };
  }

  get #sim(): Simulation {
    return this.#context.sim;
  }

  /** Rounds of the second world so far. */
  get rounds(): number {
    return this.#sim.rounds;
  }

  /** Records a command. Yields after every round before it. */
  *record({ at, command }: JournalEntry): Generator<void, void> {
    yield* this.#advance(at);
    const source = this.#drawn.of(command);
    if (source === undefined && command.type === "binary") this.#binaries.push(command.binary);
    let txHash: Uint8Array | undefined;
    try {
      ({ txHash } = this.#sim.apply(command));
    } catch (error) {
      if (error instanceof CommandError) throw error;
      // It changed the world up to the failure.
      this.#leaveOut(command, `it failed by a bug of the simulator: ${errorText(error)}`);
      return;
    }
    if (typeof source === "string") this.#leaveOut(command, source);
    else if (source !== undefined) this.#note(source, txHash);
  }

  /** Records the rounds up to the end. Yields after every one. */
  *end(rounds: number): Generator<void, Recorded> {
    yield* this.#advance(rounds);
    this.#settle();
    return this.#file();
  }

  #note(drawn: Drawn, txHash: Uint8Array | undefined): void {
    const { height, rounds } = this.#sim;
    const sent = this.#sent;
    if (drawn.waits && txHash !== undefined) {
      const joins =
        sent?.vote !== undefined &&
        drawn.vote?.proposalId === sent.vote.proposalId &&
        drawn.vote.option === sent.vote.option &&
        !sent.drawn.some(({ vote }) => vote?.from === drawn.vote?.from);
      if (!joins) this.#settle();
      const before = joins ? sent : undefined;
      this.#sent = {
        drawn: [...(before?.drawn ?? []), drawn],
        hashes: [...(before?.hashes ?? []), txHash],
        vote: drawn.vote,
        height,
        rounds,
      };
      return;
    }
    this.#settle();
    this.#push(drawn.step);
  }

  /** A step that equals the previous one except for its node is merged into it. */
  #push(step: SourceStep): void {
    const nodes = isMap(step.nodes) ? step.nodes : undefined;
    if (nodes === undefined) {
      this.#merged = undefined;
      this.#items.push({ step });
      return;
    }
    const { which, ...action } = nodes;
    const [node] = which as readonly string[];
    const key = JSON.stringify(action);
    const before = this.#merged;
    if (before?.key === key && before.item === this.#items.length - 1 && node !== undefined) {
      before.names.push(node);
      const all = this.#sim.nodes().map(({ name }) => name);
      const everyone = JSON.stringify(all) === JSON.stringify(before.names);
      const named = { which: everyone ? "all" : [...before.names], ...action };
      this.#items[before.item] = { step: { nodes: named } };
      return;
    }
    this.#items.push({ step });
    this.#merged = { key, names: node === undefined ? [] : [node], item: this.#items.length - 1 };
  }

  #leaveOut(command: Command, why: string): void {
    this.#settle();
    this.#merged = undefined;
    this.#items.push({ leftOut: `After block ${this.#sim.height}, ${command.type}: ${why}.` });
  }

  /** Writes steps of this round whose results are not awaited. */
  #settle(): void {
    const sent = this.#sent;
    this.#sent = undefined;
    for (const { step } of sent?.drawn ?? []) this.#push(unwaited(step));
  }

  *#advance(to: number): Generator<void, void> {
    const sim = this.#sim;
    if (sim.rounds >= to) return;
    let run = new Run(sim);
    while (sim.rounds < to) {
      sim.advance();
      run.note(sim.height);
      yield;
      const sent = this.#sent;
      if (sent === undefined) continue;
      const found = this.#included(sent);
      if (found !== undefined) {
        this.#sent = undefined;
        this.#recordTx(sent, found);
        run = new Run(sim);
      } else if (run.rounds > WAITS) this.#settle();
    }
    this.#settle();
    this.#merged = undefined;
    for (const step of run.steps()) this.#items.push({ step });
  }

  /** The included transactions, once all are in blocks. */
  #included({ hashes, height }: Sent): readonly TxView[] | undefined {
    const found: TxView[] = [];
    for (const hash of hashes) {
      const tx = this.#sim.tx(hash, height);
      if (tx === undefined) return undefined;
      found.push(tx);
    }
    return found;
  }

  /** Writes steps that wait for their transactions, with the outcome. */
  #recordTx({ drawn, vote }: Sent, txs: readonly TxView[]): void {
    const failed = txs.find(({ code }) => code !== 0);
    if (vote !== undefined && failed === undefined) {
      const names = drawn.flatMap((one) => one.vote?.from ?? []);
      const all = validatorNames(this.#context);
      const proposal = this.#proposals.get(vote.proposalId);
      this.#push({
        vote: {
          proposal: proposal === undefined ? Number(vote.proposalId) : `$${proposal}`,
          option: vote.option,
          ...(JSON.stringify(all) === JSON.stringify(names) ? {} : { by: names }),
        },
      });
      return;
    }
    const last = drawn.length - 1;
    for (const { step } of drawn.slice(0, last)) this.#push(unwaited(step));
    const [one, tx] = [drawn[last], txs[last]];
    if (one === undefined || tx === undefined) return;
    if (one.succeeding && tx.code === 0) {
      const { proposalId } = responseOf(MsgSubmitProposalResponseSchema, tx);
      const as = `proposal_${proposalId}`;
      const free = !this.#accounts.has(as);
      if (free) this.#proposals.set(proposalId, as);
      this.#push({ ...one.succeeding, ...(free ? { as } : {}) });
    } else this.#push(expecting(one.step, tx));
  }

  /** The file; steps that the format refuses are omitted, each with the reason. */
  #file(): Recorded {
    const { title } = this.#source;
    const head = {
      scenario: 1,
      name: "recorded",
      ...(title === "" ? {} : { title }),
      seed: this.#source.spec.seed,
      ...this.#genesis,
    };
    const binaries = { ...Object(this.#genesis.binaries), ...formatBinaries(this.#ownBinaries()) };
    const whole = { ...head, ...(Object.keys(binaries).length > 0 ? { binaries } : {}) };
    const { height, appHash } = this.#sim;
    const last = { step: { expect: { app_hash: toHexUpper(appHash), height } } };
    let items: readonly Item[] = this.#items;
    const steps = () => items.flatMap((item) => ("step" in item ? [item.step] : []));
    for (;;) {
      const read = parseScenario(JSON.stringify({ ...whole, steps: steps() }), "recorded.json");
      if ("scenario" in read) break;
      items = withoutRefused(items, read.problems);
    }
    if (items.every((item) => "step" in item)) items = [...items, last];
    const leftOut = items.flatMap((item) => ("leftOut" in item ? [item.leftOut] : []));
    return { ...fileText(whole, items), steps: steps().length, leftOut };
  }

  /** Those of an imported state are in its file. */
  #ownBinaries(): readonly BinarySpec[] {
    const { spec } = this.#source;
    return spec.start ? this.#binaries.slice(spec.binaries.length) : this.#binaries;
  }
}

/** Transactions that were sent in one round and are awaited together. */
interface Sent {
  readonly drawn: readonly Drawn[];
  readonly hashes: readonly Uint8Array[];
  readonly vote: Ballot | undefined;
  readonly height: number;
  readonly rounds: number;
}

/** An action on consecutively named nodes. */
interface Merged {
  readonly key: string;
  readonly names: string[];
  readonly item: number;
}

const unwaited = ({ tx, ...beside }: SourceStep): SourceStep =>
  isMap(tx) ? { ...beside, tx: { ...tx, wait: false } } : beside;

/** The step with the outcome of its transaction. */
function expecting({ tx, ...beside }: SourceStep, { code, codespace }: TxView): SourceStep {
  if (!isMap(tx) || code === 0) return { ...beside, tx };
  return { ...beside, tx: { ...tx, expect: { code, codespace } } };
}

/**
 * The items, with refused steps replaced by the reason. Throws an Error if the problem is not in a
 * step.
 */
function withoutRefused(
  items: readonly Item[],
  problems: readonly { readonly path: string; readonly message: string }[],
): Item[] {
  const refused = new Map<number, string>();
  for (const { path, message } of problems) {
    const index = /^steps\[(\d+)\]/.exec(path)?.[1];
    if (index === undefined) {
      throw new Error(
        `this world cannot be written as a scenario: ${path === "" ? "" : `${path}: `}${message}`,
      );
    }
    if (!refused.has(Number(index))) refused.set(Number(index), `${path}: ${message}`);
  }
  let index = -1;
  return items.map((item) => {
    if ("leftOut" in item) return item;
    index += 1;
    const why = refused.get(index);
    return why === undefined ? item : { leftOut: `The format has no word for it: ${why}` };
  });
}
