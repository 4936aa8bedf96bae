/** Converts a command of a recorded world to the step that issues it. */
import { fromBinary } from "@bufbuild/protobuf";
import { type Any, AnySchema } from "@bufbuild/protobuf/wkt";
import { accAddress, consAddress, valAddress } from "../base/bech32.ts";
import { equal } from "../base/bytes.ts";
import { literal } from "../base/reference-syntax.ts";
import { inChain } from "../engine/framework/codec.ts";
import { errorText } from "../engine/framework/errors.ts";
import type { Command, TxCommand } from "../engine/simulation/command.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import { MsgSubmitProposalSchema, MsgVoteSchema } from "../gen/chain/gov/v1/tx_pb.ts";
import { renameTypes } from "../view/namespaces.ts";
import {
  formatBytes,
  formatCommand,
  formatMessages,
  NoWord,
  type SourceStep,
} from "./format-command.ts";
import { formatBinaries } from "./format-world.ts";
import { ballotOf, minimumDeposit, OPTION, submissionOf } from "./proposals.ts";
import type { StepContext } from "./step-context.ts";
import type { Sending } from "./transactions.ts";

/** A command as a step. */
export interface Drawn {
  readonly step: SourceStep;
  /** For a transaction: the step may wait until a block contains it. */
  readonly waits?: true;
  /** The step to use if it succeeds. */
  readonly succeeding?: SourceStep;
  readonly vote?: Ballot;
}

export interface Ballot {
  readonly proposalId: bigint;
  readonly option: string;
  readonly from: string;
}

/** Converts the commands of a world to steps, with names in place of known addresses. */
export class DrawnSteps {
  readonly #context: StepContext;
  readonly #accounts: ReadonlySet<string>;
  /** References for addresses. */
  readonly #references: ReadonlyMap<string, string>;

  /** @param accounts names that a scenario of the world has from genesis on */
  constructor(context: StepContext, accounts: ReadonlySet<string>) {
    this.#context = context;
    this.#accounts = accounts;
    this.#references = new Map(referencesIn(context.sim, accounts));
  }

  /**
   * Converts a command to a step; returns a sentence if the format cannot express it, and undefined
   * if it is part of the genesis.
   */
  of(command: Command): Drawn | string | undefined {
    try {
      switch (command.type) {
        case "tx":
          return this.#transaction(command);
        case "signed_tx":
          return { step: { tx: { signed: formatBytes(command.bytes) } }, waits: true };
        case "binary":
          formatBinaries([command.binary]);
          return undefined;
        default:
          return { step: formatCommand(command) };
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
    const msgs = formatMessages(command.messages, this.#references);
    if (msgs.length === 0) throw new NoWord("a transaction without messages");
    const step = { tx: { from, msgs, ...(memo === undefined ? {} : { memo: literal(memo) }) } };
    return { step, waits: true };
  }

  /** The name of a signer in a file, or its address: not every name exists at genesis. */
  #nameOf(signer: string): string {
    const account = this.#context.sim.account(signer);
    return account === undefined || this.#accounts.has(signer) ? signer : accAddress(account);
  }

  /** The proposal in a transaction, if a step `propose` issues the identical transaction. */
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
      messages: formatMessages(inner, this.#references),
      ...(metadata === "" ? {} : { metadata: literal(metadata) }),
      ...(deposit === minimumDeposit(this.#context, expedited)
        ? {}
        : { deposit: `${deposit}${this.#context.sim.spec.staking.bondDenom}` }),
      ...(expedited ? { expedited } : {}),
    };
    const raw = { tx: { from, msgs: formatMessages(messages, this.#references) } };
    return { step: raw, waits: true, succeeding: { propose: step } };
  }

  /** The vote in a transaction. */
  #ballot(from: string, { messages }: TxCommand): Drawn | undefined {
    const message = only(messages, MsgVoteSchema.typeName);
    if (message === undefined) return undefined;
    const { proposalId, option: input } = fromBinary(MsgVoteSchema, message.value);
    const option = Object.entries(OPTION).find(([, value]) => value === input)?.[0];
    if (option === undefined) return undefined;
    const sending = ballotOf(this.#context, proposalId, option as keyof typeof OPTION, from);
    if (!sends(sending, messages)) return undefined;
    const raw = { tx: { from, msgs: formatMessages(messages, this.#references) } };
    return { step: raw, waits: true, vote: { proposalId, option, from } };
  }
}

/** References to the addresses that have a name from genesis on. */
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

const only = (messages: readonly Any[], type: string): Any | undefined =>
  messages.length === 1 && inChain(messages[0]?.typeUrl ?? "") === `/${type}`
    ? messages[0]
    : undefined;

/** True if the messages are equal, under either root: a node uses the names that it serves. */
function sends(sending: Sending, messages: readonly Any[]): boolean {
  const [own, others] = [sending.messages, messages].map((list) =>
    list.map((any) => renameTypes(AnySchema, any, inChain)),
  ) as [Any[], Any[]];
  return (
    own.length === others.length &&
    own.every(({ typeUrl, value }, i) => {
      const other = others[i];
      return other !== undefined && typeUrl === other.typeUrl && equal(value, other.value);
    })
  );
}
