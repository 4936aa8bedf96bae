import { concat, utf8 } from "../../../base/bytes.ts";
import { sha256 } from "../../../base/sha256.ts";
import type { Time } from "../../../base/time.ts";
import { Bitset } from "../../consensus/bitset.ts";
import { blockIdOf } from "../../consensus/block-id.ts";
import { expandCommit } from "../../consensus/commit.ts";
import { noticeOf } from "../../consensus/duplicate-vote.ts";
import { dataHash } from "../../consensus/hashes.ts";
import { type Header, headerHash } from "../../consensus/header.ts";
import {
  type AttackKind,
  type LightBlock,
  lightClientAttackEvidence,
  type TrustedBlock,
} from "../../consensus/light-client-attack.ts";
import type { Validator, ValidatorList } from "../../consensus/validator-list.ts";
import { ValidatorSet } from "../../consensus/validator-set.ts";
import { CommandError } from "../../framework/errors.ts";
import type { LogLine } from "../../framework/trace.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { Node } from "../node/node.ts";
import type { NodeLog } from "../node/node-log.ts";

/** The validators that sign a conflicting block, its kind, and its height. */
export interface Attack {
  readonly kind: AttackKind;
  readonly by: readonly Node[];
  readonly height: number;
}

/** The chain that a light client follows. */
export interface AttackedChain {
  readonly chainId: string;
  readonly nodes: readonly Node[];
  readonly ledger: Ledger;
  readonly log: NodeLog;
  /** Partition that decides its blocks; undefined if none can. */
  readonly partition: number | undefined;
}

const NOTICED: LogLine = {
  level: "info",
  module: "evidence",
  text: "verified new evidence of byzantine behavior",
};

/**
 * Signs the conflicting block and submits the evidence of an honest node that received it from the
 * light client (rules/consensus 2.2). Throws a CommandError if no honest node runs in the partition
 * that decides blocks, or with the pool's error if no light client would have accepted the block.
 */
export function reportAttack(chain: AttackedChain, attack: Attack): void {
  const { chainId, nodes, ledger, log, partition } = chain;
  const trusted = trustedAgainst(attack, ledger);
  if (trusted === undefined) throw new CommandError(`there is no block ${attack.height}`);
  const honest = nodes.filter(
    ({ process, validator }) =>
      process === "running" && !attack.by.some((node) => node.validator === validator),
  );
  if (honest.length === 0)
    throw new CommandError("no honest node runs that would report the attack");
  const reporters = honest.filter(
    (node) => partition === undefined || node.partition === partition,
  );
  if (reporters.length === 0) {
    throw new CommandError(
      "the network is partitioned: no honest node that reaches the others would report the attack",
    );
  }
  const common = commonHeight(attack, ledger);
  const evidence = lightClientAttackEvidence(
    falseBlock(chainId, attack, trusted, ledger),
    trusted,
    {
      height: common,
      time: ledger.blocks.timeAt(common) as Time,
      validators: ledger.blocks.validatorsAt(common),
    },
  );
  const noticed = noticeOf(ledger.decided, reporters);
  const refusal = ledger.submit({ ...evidence, noticed });
  if (refusal !== null) throw new CommandError(refusal);
  log.write(reporters, ledger.decided, [NOTICED]);
}

/** Returns the chain's own block at that height; the latest for a lunatic block above the chain. */
function trustedAgainst({ kind, height }: Attack, ledger: Ledger): TrustedBlock | undefined {
  const { committed } = ledger;
  return ledger.trustedBlock(kind === "lunatic" && height > committed ? committed : height);
}

/**
 * Returns the last height on which both blocks agree: a lunatic block shares only earlier blocks.
 */
function commonHeight({ kind, height }: Attack, { blocks, committed }: Ledger): number {
  if (kind !== "lunatic") return height;
  if (height > blocks.initialHeight) return Math.min(height - 1, committed);
  throw new CommandError("a lunatic attack needs a block below it that both sides agree on");
}

function falseBlock(
  chainId: string,
  attack: Attack,
  trusted: TrustedBlock,
  ledger: Ledger,
): LightBlock {
  const { kind, height } = attack;
  // A twin signs with its original's key: one signature per validator.
  const by = [...new Map(attack.by.map((node) => [node.validator, node])).values()];
  if (by.length === 0) throw new CommandError("an attack needs a validator that signs");
  const common = commonHeight(attack, ledger);
  const known = ledger.blocks.validatorsAt(common);
  const attackers = by.map((node) => validatorOf(node, known, common));
  // A lunatic header has its own set: the attackers. Otherwise it must be the chain's.
  const validators = setOf(kind === "lunatic" ? attackers : all(known));
  const header = falseHeader(attack, trusted.header, validators);
  const { list } = validators;
  const places = by.map((node) => list.indexOf(node.consensusAddress));
  const secrets = new Map(places.map((position, i) => [position, (by[i] as Node).key.secret]));
  const commit = {
    height,
    // An amnesia attack votes again in a later round, without the lock of the earlier one.
    round: kind === "amnesia" ? trusted.round + 1 : trusted.round,
    blockId: blockIdOf(headerHash(header)),
    signers: Bitset.of(list.size, places),
    nilSigners: new Bitset(list.size),
    timestamp: header.time,
  };
  const secretOf = (position: number): Uint8Array => secrets.get(position) as Uint8Array;
  return { header, validators, commit: expandCommit(chainId, commit, list, secretOf) };
}

/**
 * Returns the conflicting header: different state and set if lunatic, else the same state with
 * different transactions. Above the chain it has the latest block's time: a later one could not be
 * refuted yet.
 */
function falseHeader({ kind, height }: Attack, header: Header, validators: ValidatorSet): Header {
  if (kind !== "lunatic")
    return { ...header, dataHash: dataHash([sha256(utf8("another transaction"))]) };
  return {
    ...header,
    height,
    appHash: sha256(concat(header.appHash, utf8("lunatic"))),
    validatorsHash: validators.hash(),
    nextValidatorsHash: validators.hash(),
    proposerAddress: validators.list.at(0).address,
  };
}

function validatorOf(node: Node, list: ValidatorList, height: number): Validator {
  const validator = list.find(node.consensusAddress);
  if (validator !== null) return validator;
  throw new CommandError(`${node.name} was not in the validator set of height ${height}`);
}

const all = (list: ValidatorList): Validator[] => list.addresses.map((_, i) => list.at(i));

/** A header contains no proposer priorities: those of a new set are good enough. */
const setOf = (validators: readonly Validator[]): ValidatorSet => ValidatorSet.create(validators);
