import { Bitset } from "../../consensus/bitset.ts";
import { blockIdOf } from "../../consensus/block-id.ts";
import { expandCommit } from "../../consensus/commit.ts";
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
import type { LogLine } from "../../framework/trace.ts";
import { concat, utf8 } from "../../primitives/bytes.ts";
import { sha256 } from "../../primitives/sha256.ts";
import type { Time } from "../../primitives/time.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { Node } from "../node/node.ts";
import type { NodeLog } from "../node/node-log.ts";
import type { VotingGroup } from "../round/voting-groups.ts";

/** Who signs what kind of false block, in place of a committed one. */
export interface Attack {
  readonly kind: AttackKind;
  readonly by: readonly Node[];
  readonly height: number;
}

interface World {
  readonly config: { readonly chainId: string };
  readonly nodes: readonly Node[];
  readonly ledger: Ledger;
  readonly log: NodeLog;
  strongest(): VotingGroup | undefined;
}

const NOTICED: LogLine = {
  level: "info",
  module: "evidence",
  text: "verified new evidence of byzantine behavior",
};

/**
 * Lets validators really sign a false block and an honest node, whose own block the light client was
 * shown too, put it up as evidence (staking facts §4.2). Throws, nothing changed, if nobody honest runs or hears
 * those that go on with the chain, or with the pool's words if no light client would have believed the block.
 */
export function reportAttack(world: World, attack: Attack): void {
  const { config, nodes, ledger, log } = world;
  const trusted = trustedAgainst(attack, ledger);
  if (trusted === undefined) throw new Error(`there is no block ${attack.height}`);
  const honest = nodes.filter(
    ({ process, validator }) =>
      process === "running" && !attack.by.some((node) => node.validator === validator),
  );
  if (honest.length === 0) throw new Error("no honest node runs that would report the attack");
  const part = world.strongest()?.groups[0]?.partition;
  const reporters = honest.filter(({ partition }) => part === undefined || partition === part);
  if (reporters.length === 0) {
    throw new Error(
      "the network is cut: no honest node that hears the others would report the attack",
    );
  }
  const common = commonHeight(attack, ledger);
  const evidence = lightClientAttackEvidence(
    falseBlock(config.chainId, attack, trusted, ledger),
    trusted,
    {
      height: common,
      time: ledger.blocks.timeAt(common) as Time,
      validators: ledger.blocks.validatorsAt(common),
    },
  );
  const refusal = ledger.submit(evidence);
  if (refusal !== null) throw new Error(refusal);
  log.write(reporters, ledger.decided, [NOTICED]);
}

/** The chain's own block at that height; for lunatics who are ahead of the chain its newest. */
function trustedAgainst({ kind, height }: Attack, ledger: Ledger): TrustedBlock | undefined {
  const { committed } = ledger;
  return ledger.trustedBlock(kind === "lunatic" && height > committed ? committed : height);
}

/** A lunatic block has nothing in common with the chain but what lies below it. */
function commonHeight({ kind, height }: Attack, { blocks, committed }: Ledger): number {
  if (kind !== "lunatic") return height;
  if (height > blocks.initialHeight) return Math.min(height - 1, committed);
  throw new Error("a lunatic attack needs a block below it that both sides agree on");
}

function falseBlock(
  chainId: string,
  attack: Attack,
  trusted: TrustedBlock,
  ledger: Ledger,
): LightBlock {
  const { kind, by, height } = attack;
  const common = commonHeight(attack, ledger);
  const known = ledger.blocks.validatorsAt(common);
  const attackers = by.map((node) => seatOf(node, known, common));
  // Lunatics make up the set too: they alone are in it. Otherwise it must be the chain's.
  const validators = setOf(kind === "lunatic" ? attackers : all(known));
  const header = falseHeader(attack, trusted.header, validators);
  const { list } = validators;
  const places = by.map((node) => list.indexOf(node.consensusAddress));
  const secrets = new Map(places.map((place, i) => [place, (by[i] as Node).key.secret]));
  const commit = {
    height,
    // Who forgot what it had locked votes again in a later round.
    round: kind === "amnesia" ? trusted.round + 1 : trusted.round,
    blockId: blockIdOf(headerHash(header)),
    signers: Bitset.of(list.size, places),
    nilSigners: new Bitset(list.size),
    timestamp: header.time,
  };
  const secretOf = (place: number): Uint8Array => secrets.get(place) as Uint8Array;
  return { header, validators, commit: expandCommit(chainId, commit, list, secretOf) };
}

/**
 * Another state and another set; or the same state, but other transactions. Ahead of the chain it is dated as its newest
 * block: with a later time nobody could say yet that it is false.
 */
function falseHeader({ kind, height }: Attack, header: Header, validators: ValidatorSet): Header {
  if (kind !== "lunatic") return { ...header, dataHash: dataHash([utf8("another transaction")]) };
  return {
    ...header,
    height,
    appHash: sha256(concat(header.appHash, utf8("lunatic"))),
    validatorsHash: validators.hash(),
    nextValidatorsHash: validators.hash(),
    proposerAddress: validators.list.at(0).address,
  };
}

function seatOf(node: Node, list: ValidatorList, height: number): Validator {
  const seat = list.find(node.consensusAddress);
  if (seat !== null) return seat;
  throw new Error(`${node.name} was not in the validator set of height ${height}`);
}

const all = (list: ValidatorList): Validator[] => list.addresses.map((_, i) => list.at(i));

/** A header does not say whose turn it is: the priorities are those of a new set. */
const setOf = (validators: readonly Validator[]): ValidatorSet => ValidatorSet.create(validators);
