/**
 * Records a world as a scenario: its beginning, and its journal as steps. A second world is given the same commands, so
 * that every step is written as it went: to which height a run came, and what became of a transaction.
 */
import { fromBinary } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { lazyObserver } from "../api/lab/frame/observed.ts";
import type { BinarySpec } from "../engine/app/binary.ts";
import { acceptSignedTxs } from "../engine/app/signed-tx.ts";
import { CommandError, errorText } from "../engine/framework/errors.ts";
import { accAddress, consAddress, valAddress } from "../engine/primitives/bech32.ts";
import { equal, toHexUpper } from "../engine/primitives/bytes.ts";
import type { Command, JournalEntry, TxCommand } from "../engine/simulation/command.ts";
import type { WorldSpec } from "../engine/simulation/genesis/world-spec.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { acceptTampering } from "../engine/simulation/tamper.ts";
import type { TxView } from "../engine/simulation/views.ts";
import {
  MsgSubmitProposalResponseSchema,
  MsgSubmitProposalSchema,
  MsgVoteSchema,
} from "../gen/chain/gov/v1/tx_pb.ts";
import { isMap } from "./fields.ts";
import { withImported } from "./files.ts";
import { namesAtGenesis, parseScenario } from "./parse.ts";
import { ballotOf, minimumDeposit, OPTION, submissionOf, validatorNames } from "./proposals.ts";
import { literal } from "./reference-syntax.ts";
import { PATIENCE } from "./rounds.ts";
import { readSource } from "./source.ts";
import type { StepContext } from "./step-context.ts";
import { responseOf, type Sending } from "./transactions.ts";
import { type FileText, fileText, type Item } from "./write-file.ts";
import {
  NoWord,
  type WrittenStep,
  writtenBytes,
  writtenCommand,
  writtenMessages,
} from "./written-command.ts";
import { writtenBinaries, writtenGenesis } from "./written-world.ts";

/** How a world began, with the file that it came from, if there is one. */
export interface Began {
  readonly spec: WorldSpec;
  readonly text: string;
  readonly file: string;
  /** One line for people. */
  readonly title: string;
}

/** A world as a scenario. */
export interface Recorded extends FileText {
  readonly steps: number;
  /** What was done that is not among the steps, in sentences; without it the file leads to another world. */
  readonly leftOut: readonly string[];
}

/** Rounds without a block after which no step waits for one any more. */
const WAITS = PATIENCE - 100;

/** Writes down a world while it is led through its history once more. */
export class Recorder {
  readonly #began: Began;
  readonly #genesis: Readonly<Record<string, unknown>>;
  readonly #context: StepContext;
  readonly #accounts: ReadonlySet<string>;
  /** How addresses are written. */
  readonly #references: ReadonlyMap<string, string>;
  readonly #items: Item[] = [];
  readonly #binaries: BinarySpec[];
  /** Steps of this round that are written once it is known what became of them. */
  #sent: Sent | undefined;
  /** Names of the steps that proposed, by the ids of their proposals. */
  readonly #proposals = new Map<bigint, string>();
  #merged: Merged | undefined;

  /** Throws an Error that says why for a beginning that no scenario can write. */
  constructor(began: Began) {
    const sim = Simulation.create(began.spec, {});
    acceptSignedTxs();
    acceptTampering();
    this.#began = began;
    this.#context = { sim, follow: lazyObserver(sim), results: new Map() };
    this.#accounts = namesAtGenesis(began.spec, new Map()).accounts;
    this.#references = new Map(referencesIn(sim, this.#accounts));
    this.#binaries = [...began.spec.binaries];
    this.#genesis = began.spec.start
      ? importedGenesis(began)
      : { genesis: writtenGenesis(began.spec) };
  }

  get #sim(): Simulation {
    return this.#context.sim;
  }

  /** Rounds that the second world has run. */
  get rounds(): number {
    return this.#sim.rounds;
  }

  /** Writes down a command. Yields after every round that led to it. */
  *take({ at, command }: JournalEntry): Generator<void, void> {
    yield* this.#advance(at);
    const written = this.#written(command);
    let txHash: Uint8Array | undefined;
    try {
      ({ txHash } = this.#sim.apply(command));
    } catch (error) {
      if (error instanceof CommandError) throw error;
      // It changed the world as far as it came.
      this.#leaveOut(command, `it failed by a bug of the simulator: ${errorText(error)}`);
      return;
    }
    if (typeof written === "string") this.#leaveOut(command, written);
    else if (written !== undefined) this.#note(written, txHash);
  }

  /** Writes down the rounds up to the end. Yields after every one. */
  *end(rounds: number): Generator<void, Recorded> {
    yield* this.#advance(rounds);
    this.#settle();
    return this.#file();
  }

  /** What a command is in a scenario; a sentence if it is nothing, and undefined if it is part of the beginning. */
  #written(command: Command): Drawn | string | undefined {
    try {
      switch (command.type) {
        case "tx":
          return this.#transaction(command);
        case "signed_tx":
          return { step: { tx: { signed: writtenBytes(command.bytes) } }, waits: true };
        case "binary":
          writtenBinaries([command.binary]);
          this.#binaries.push(command.binary);
          return undefined;
        default:
          return { step: writtenCommand(command) };
      }
    } catch (error) {
      if (!(error instanceof NoWord) && command.type !== "binary") throw error;
      return errorText(error);
    }
  }

  #transaction(command: TxCommand): Drawn {
    const from = this.#nameOf(command.signer);
    const named = this.#accounts.has(from);
    const drawn =
      named && command.memo === undefined
        ? (this.#proposal(from, command) ?? this.#ballot(from, command))
        : undefined;
    if (drawn) return drawn;
    const { memo } = command;
    const msgs = writtenMessages(command.messages, this.#references);
    if (msgs.length === 0) throw new NoWord("a transaction without messages");
    const step = { tx: { from, msgs, ...(memo === undefined ? {} : { memo: literal(memo) }) } };
    return { step, waits: true };
  }

  /** The name of a signer in a file, or its address: not all that has a name here has one at genesis. */
  #nameOf(signer: string): string {
    const account = this.#sim.account(signer);
    return account === undefined || this.#accounts.has(signer) ? signer : accAddress(account);
  }

  /** The proposal that a transaction is, if a step `propose` gives the very same transaction. */
  #proposal(from: string, { messages }: TxCommand): Drawn | undefined {
    const message = only(messages, MsgSubmitProposalSchema.typeName);
    if (message === undefined) return undefined;
    const {
      title,
      metadata,
      messages: inner,
      initialDeposit,
      expedited,
    } = fromBinary(MsgSubmitProposalSchema, message.value);
    const deposit = BigInt(initialDeposit[0]?.amount ?? 0);
    const proposal = { title, messages: inner, metadata, deposit, expedited };
    if (!sends(submissionOf(this.#context, from, proposal), messages)) return undefined;
    const step = {
      from,
      title: literal(title),
      messages: writtenMessages(inner, this.#references),
      ...(metadata === "" ? {} : { metadata: literal(metadata) }),
      ...(deposit === minimumDeposit(this.#context, expedited)
        ? {}
        : { deposit: `${deposit}${this.#sim.spec.staking.bondDenom}` }),
      ...(expedited ? { expedited } : {}),
    };
    const raw = { tx: { from, msgs: writtenMessages(messages, this.#references) } };
    return { step: raw, waits: true, succeeding: { propose: step } };
  }

  /** The vote that a transaction is. */
  #ballot(from: string, { messages }: TxCommand): Drawn | undefined {
    const message = only(messages, MsgVoteSchema.typeName);
    if (message === undefined) return undefined;
    const { proposalId, option: given } = fromBinary(MsgVoteSchema, message.value);
    const option = Object.entries(OPTION).find(([, value]) => value === given)?.[0];
    if (option === undefined) return undefined;
    const sending = ballotOf(this.#context, proposalId, option as keyof typeof OPTION, from);
    if (!sends(sending, messages)) return undefined;
    const raw = { tx: { from, msgs: writtenMessages(messages, this.#references) } };
    return { step: raw, waits: true, vote: { proposalId, option, from } };
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

  /** A step like the one before, of another node, is one with it. */
  #push(step: WrittenStep): void {
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

  /** Writes what was sent in this round and is not waited for. */
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
        this.#came(sent, found);
        run = new Run(sim);
      } else if (run.rounds > WAITS) this.#settle();
    }
    this.#settle();
    this.#merged = undefined;
    for (const step of run.steps()) this.#items.push({ step });
  }

  /** The transactions as they are in blocks, once all are. */
  #included({ hashes, height }: Sent): readonly TxView[] | undefined {
    const found: TxView[] = [];
    for (const hash of hashes) {
      const tx = this.#sim.tx(hash, height);
      if (tx === undefined) return undefined;
      found.push(tx);
    }
    return found;
  }

  /** Writes steps that wait for what they sent, as it came. */
  #came({ drawn, vote }: Sent, txs: readonly TxView[]): void {
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

  /** The file; steps that the format refuses are left out of it, each with the reason. */
  #file(): Recorded {
    const { title } = this.#began;
    const head = {
      scenario: 1,
      name: "recorded",
      ...(title === "" ? {} : { title }),
      seed: this.#began.spec.seed,
      ...this.#genesis,
    };
    const binaries = { ...Object(this.#genesis.binaries), ...writtenBinaries(this.#ownBinaries()) };
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

  /** Those of an imported state stand in its file. */
  #ownBinaries(): readonly BinarySpec[] {
    const { spec } = this.#began;
    return spec.start ? this.#binaries.slice(spec.binaries.length) : this.#binaries;
  }
}

/** References to the addresses that have a name from the beginning on. */
function* referencesIn(sim: Simulation, names: ReadonlySet<string>): Generator<[string, string]> {
  for (const name of names) {
    const account = sim.account(name);
    if (account === undefined) continue;
    yield [accAddress(account), `\${${name}}`];
    const node = sim.node(name);
    if (node === undefined) continue;
    yield [valAddress(account), `\${${name}.valoper}`];
    yield [consAddress(node.consensusAddress), `\${${name}.valcons}`];
  }
  const gov = sim.account("gov");
  if (gov !== undefined) yield [accAddress(gov), `\${gov}`];
}

/** A command as a step. */
interface Drawn {
  readonly step: WrittenStep;
  /** Of a transaction: the step may wait until it is in a block. */
  readonly waits?: true;
  /** The step that it is if it succeeds. */
  readonly succeeding?: WrittenStep;
  readonly vote?: Ballot;
}

interface Ballot {
  readonly proposalId: bigint;
  readonly option: string;
  readonly from: string;
}

/** Transactions that were sent in one round and are waited for together. */
interface Sent {
  readonly drawn: readonly Drawn[];
  readonly hashes: readonly Uint8Array[];
  readonly vote: Ballot | undefined;
  readonly height: number;
  readonly rounds: number;
}

/** An action on nodes that were named one after the other. */
interface Merged {
  readonly key: string;
  readonly names: string[];
  readonly item: number;
}

/** Rounds between two commands. */
class Run {
  rounds = 0;
  #height: number;
  readonly #from: number;
  /** Rounds until the last block. */
  #toBlock = 0;
  #idle = 0;
  #plain = true;

  constructor({ height }: Simulation) {
    this.#from = height;
    this.#height = height;
  }

  note(height: number): void {
    this.rounds += 1;
    if (height < this.#height) this.#plain = false;
    else if (height > this.#height) {
      if (this.#idle > WAITS) this.#plain = false;
      this.#toBlock = this.rounds;
      this.#idle = 0;
    } else this.#idle += 1;
    this.#height = height;
  }

  /** To the last block by its height, and then so many rounds without one. */
  *steps(): Generator<WrittenStep> {
    if (this.rounds === 0) return;
    if (!this.#plain) {
      yield { run: { rounds: this.rounds } };
      return;
    }
    if (this.#height > this.#from) yield { run: { to: this.#height } };
    const rest = this.rounds - this.#toBlock;
    if (rest > 0) yield { run: { rounds: rest } };
  }
}

const only = (messages: readonly Any[], type: string): Any | undefined =>
  messages.length === 1 && messages[0]?.typeUrl === `/${type}` ? messages[0] : undefined;

const sends = (sending: Sending, messages: readonly Any[]): boolean =>
  sending.messages.length === messages.length &&
  sending.messages.every(({ typeUrl, value }, i) => {
    const other = messages[i];
    return other !== undefined && typeUrl === other.typeUrl && equal(value, other.value);
  });

const unwaited = ({ tx, ...beside }: WrittenStep): WrittenStep =>
  isMap(tx) ? { ...beside, tx: { ...tx, wait: false } } : beside;

/** The step with what became of its transaction. */
function expecting({ tx, ...beside }: WrittenStep, { code, codespace }: TxView): WrittenStep {
  if (!isMap(tx) || code === 0) return { ...beside, tx };
  return { ...beside, tx: { ...tx, expect: { code, codespace } } };
}

/** The parts of the file that an imported world came from which say how it began. */
export function importedGenesis({ text, file }: Began): Readonly<Record<string, unknown>> {
  const read = text === "" ? undefined : readSource(text, file);
  const whole =
    read && "source" in read ? withImported({ ...read.source, file }, undefined) : undefined;
  if (whole === undefined || "problems" in whole || !isMap(whole.value)) {
    throw new Error(
      "this world continues an exported state whose file is not kept with it: export that state, and begin from the file",
    );
  }
  const { genesis, binaries } = whole.value;
  return { genesis, ...(binaries === undefined ? {} : { binaries }) };
}

/** The items, with what the format refuses in words. Throws an Error if it is not a step that is refused. */
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
