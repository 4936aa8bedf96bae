import { consAddress } from "../../../base/bech32.ts";
import { EMPTY, toHexUpper } from "../../../base/bytes.ts";
import { formatProtoTime, fromTimestamp, type Time } from "../../../base/time.ts";
import { stepText } from "../../../engine/app/step-text.ts";
import type { ModuleStep } from "../../../engine/app/steps.ts";
import { FLAG_COMMIT } from "../../../engine/consensus/commit.ts";
import {
  type Evidence,
  evidenceHeight,
  misbehaviorOf,
} from "../../../engine/consensus/evidence.ts";
import type { LightClientAttackEvidence } from "../../../engine/consensus/light-client-attack.ts";
import { PREVOTE } from "../../../engine/consensus/vote.ts";
import { haltText } from "../../../engine/framework/halt.ts";
import { CounterfactualSigning } from "../../../engine/modules/evidence/counterfactual.ts";
import { ignoredText } from "../../../engine/modules/evidence/ignored.ts";
import type {
  Evidence as Submitted,
  ValidatorEvidence,
} from "../../../engine/modules/evidence/types.ts";
import type { HistoryRanges } from "../../../engine/simulation/history-range.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type {
  ConflictingVote,
  EvidenceLine,
  EvidencePiece,
  LightClientAttack,
} from "../../../gen/lab/v1/lab_plain.ts";
import type { Observer } from "../frame/observer.ts";
import { openBlocks } from "../reading.ts";
import { evidenceHeights, openPiece, type Piece, pieceOf, piecesOf } from "./evidence-pieces.ts";
import { slashOf } from "./slash-view.ts";

const MAX_LINES = 500;

/** Pieces of evidence and their outcome: pending ones, then by block, newest first. */
export function evidenceOf(sim: Simulation, observer: Observer): EvidenceLine[] {
  const lines: EvidenceLine[] = [];
  for (const piece of piecesOf(sim, observer)) {
    lines.push(lineOf(piece, observer));
    if (lines.length === MAX_LINES) break;
  }
  return lines;
}

/** Opens the blocks that `evidenceOf` reads. */
export function* openEvidence(sim: Simulation, observer: Observer): HistoryRanges {
  for (const height of evidenceHeights(sim, observer).slice(0, MAX_LINES)) {
    yield* openBlocks(height);
  }
}

/** Opens the blocks that `evidencePieceOf` reads. */
export function* openEvidencePiece(sim: Simulation, observer: Observer, id: string): HistoryRanges {
  yield* openPiece(id);
  const piece = pieceOf(sim, id);
  if (piece === undefined) return;
  const { evidence, votes, submitted, block } = piece;
  const heights = [block, lineOf(piece, observer).height];
  for (const vote of signedVotes(evidence, votes, submitted)) heights.push(vote.height);
  if (evidence?.kind === "light-client-attack") {
    heights.push(evidence.conflictingBlock.header.height);
  }
  for (const height of heights) yield* openBlocks(height);
}

/**
 * One piece with its votes, its checks and the burned amounts; undefined if there is none with that
 * id.
 */
export function evidencePieceOf(
  sim: Simulation,
  observer: Observer,
  id: string,
): EvidencePiece | undefined {
  const piece = pieceOf(sim, id);
  if (piece === undefined) return undefined;
  const { evidence, steps, submitted } = piece;
  const line = lineOf(piece, observer);
  const attack = evidence?.kind === "light-client-attack" ? evidence : undefined;
  const notice = evidence?.noticed;
  const slash = slashOf(steps);
  return {
    line,
    votes: votesOf(sim, piece),
    ...(attack ? { attack: attackOf(sim, observer, attack) } : {}),
    ...(notice ? { notice: { ...notice, nodes: [...notice.nodes] } } : {}),
    power: powerOf(steps, evidence, submitted),
    time: timeText(line.height > 0 ? sim.timeAt(line.height) : undefined),
    blockTime: timeText(piece.block > 0 ? sim.timeAt(piece.block) : undefined),
    checks: steps.map((step) => {
      const { phase, module, outcome, item = 0 } = step;
      return { phase, module, ...stepText(step), outcome, item };
    }),
    ...(slash ? { slash } : {}),
  };
}

const timeText = (time: Time | undefined): string =>
  time === undefined ? "" : formatProtoTime(time);

export function lineOf(piece: Piece, observer: Observer): EvidenceLine {
  const { id, block, evidence, votes, tx, submitted, steps } = piece;
  const named = misbehaviorIn(steps);
  const nameOf = (address: Uint8Array): string => observer.validators.nameOf(consAddress(address));
  const accused = accusedBy(piece, named?.address);
  return {
    id,
    block,
    kind: votes ? DUPLICATE_VOTE : evidence ? kindOf(evidence) : kindOfOther(piece),
    source: evidence || votes ? "consensus" : tx ? "tx" : "app",
    validators: accused.map(nameOf),
    height:
      votes?.[0].height ??
      named?.height ??
      (evidence ? evidenceHeight(evidence) : heightIn(submitted)),
    ...outcomeOf(piece),
    burned: slashOf(steps)?.burned ?? "0",
    hash: storedUnder(steps),
  };
}

const heightIn = (submitted: Submitted | undefined): number => Number(submitted?.getHeight() ?? 0);

/** The misbehavior submitted to the app, if the app handles its kind. */
function misbehaviorIn(steps: readonly ModuleStep[]) {
  const [first] = steps;
  return first?.module === "evidence" && first.kind === "misbehavior" ? first.data : undefined;
}

const DUPLICATE_VOTE = "duplicate vote";

/**
 * The kind of evidence; for an attack it follows from its common height and byzantine validators.
 */
export function kindOf(evidence: Evidence): string {
  if (evidence.kind === "duplicate-vote") return DUPLICATE_VOTE;
  const { commonHeight, conflictingBlock, byzantineValidators } = evidence;
  if (commonHeight !== conflictingBlock.header.height) return "lunatic";
  return byzantineValidators.length > 0 ? "equivocation" : "amnesia";
}

/** The kind of evidence that did not come from the evidence pool. */
function kindOfOther({ submitted, steps }: Piece): string {
  if (submitted !== undefined) {
    // A light client attack has a kind with this name, too.
    const isDoubleSign = submitted.type() === "equivocation" && isAgainstValidator(submitted);
    return isDoubleSign ? "double sign" : submitted.type();
  }
  const [first] = steps;
  if (first?.module === "evidence" && first.kind === "misbehavior") {
    return first.data.type === 1 ? DUPLICATE_VOTE : "light client attack";
  }
  if (first?.module === "evidence" && first.kind === "unknown_misbehavior") {
    return `type ${first.data.type}`;
  }
  return "unreadable";
}

function accusedBy(
  { evidence, votes, submitted }: Piece,
  named: Uint8Array | undefined,
): readonly Uint8Array[] {
  if (votes) return [votes[0].validatorAddress];
  if (named) return [named];
  if (evidence) return misbehaviorOf(evidence).map(({ address }) => address);
  return submitted && isAgainstValidator(submitted) ? [submitted.getConsensusAddress()] : [];
}

const isAgainstValidator = (evidence: Submitted): evidence is ValidatorEvidence =>
  "getConsensusAddress" in evidence;

function outcomeOf({
  block,
  evidence,
  votes,
  tx,
  halt,
  steps,
}: Piece): Pick<EvidenceLine, "outcome" | "why"> {
  if (votes) return { outcome: "signed", why: "" };
  if (block === 0) return { outcome: "waiting", why: "" };
  if (halt) return { outcome: "halted", why: haltText(halt.cause) };
  if (tx && tx.code !== 0) return { outcome: "refused", why: tx.log };
  if (evidence && steps.length === 0) return { outcome: "unattributable", why: "" };
  for (const step of steps) {
    if (step.module === "evidence" && step.kind === "unknown_misbehavior") {
      return { outcome: "ignored", why: stepText(step).found };
    }
    if (step.module === "evidence" && step.kind === "outcome" && step.data.ignored) {
      return { outcome: "ignored", why: ignoredText(step.data.ignored) };
    }
    if (step.reverted) return { outcome: "refused", why: stepText(steps.at(-1) ?? step).found };
  }
  const punished = steps.some(({ module, kind }) => module === "slashing" && kind === "slash");
  return { outcome: punished ? "punished" : "accepted", why: "" };
}

function storedUnder(steps: readonly ModuleStep[]): string {
  for (const step of steps) {
    if (step.module === "evidence" && step.kind === "persistence" && !step.reverted) {
      return toHexUpper(step.data.hash);
    }
  }
  return "";
}

function powerOf(
  steps: readonly ModuleStep[],
  evidence: Evidence | undefined,
  submitted: Submitted | undefined,
): string {
  const power = misbehaviorIn(steps)?.power;
  if (power !== undefined) return String(power);
  if (evidence?.kind === "duplicate-vote") return String(evidence.validatorPower);
  return submitted && isAgainstValidator(submitted) ? String(submitted.getValidatorPower()) : "";
}

/** The two votes; a vote for this chain's block comes first. */
function votesOf(sim: Simulation, { evidence, votes, submitted }: Piece): ConflictingVote[] {
  return signedVotes(evidence, votes, submitted)
    .map(({ type, height, round, hash, timestamp, signature }) => {
      const own = sim.block(height)?.hash;
      const blockHash = toHexUpper(hash);
      return {
        type: type === PREVOTE ? "prevote" : "precommit",
        height,
        round,
        blockHash,
        onChain: own !== undefined && blockHash === toHexUpper(own),
        timestamp: timeText(timestamp),
        signature: toHexUpper(signature),
      };
    })
    .sort((a, b) => Number(b.onChain) - Number(a.onChain));
}

interface SignedVote {
  readonly type: number;
  readonly height: number;
  readonly round: number;
  readonly hash: Uint8Array;
  readonly timestamp: Time | undefined;
  readonly signature: Uint8Array;
}

function signedVotes(
  evidence: Evidence | undefined,
  votes: Piece["votes"],
  submitted: Submitted | undefined,
): readonly SignedVote[] {
  if (submitted instanceof CounterfactualSigning) {
    const { voteA, voteB } = submitted.message;
    return [voteA, voteB].flatMap((vote) => {
      if (vote === undefined) return [];
      const { type, round, signature } = vote;
      const timestamp = vote.timestamp && fromTimestamp(vote.timestamp);
      const hash = vote.blockId?.hash ?? EMPTY;
      return [{ type, height: Number(vote.height), round, hash, timestamp, signature }];
    });
  }
  const pair = evidence?.kind === "duplicate-vote" ? [evidence.voteA, evidence.voteB] : votes;
  return (pair ?? []).map(({ type, height, round, blockId, timestamp, signature }) => {
    return { type, height, round, hash: blockId.hash, timestamp, signature };
  });
}

function attackOf(
  sim: Simulation,
  observer: Observer,
  { conflictingBlock, commonHeight }: LightClientAttackEvidence,
): LightClientAttack {
  const { header, commit } = conflictingBlock;
  const own = sim.block(header.height);
  return {
    blockHash: toHexUpper(commit.blockId.hash),
    height: header.height,
    round: commit.round,
    ownHash: toHexUpper(own?.hash ?? EMPTY),
    ownRound: own?.round ?? 0,
    commonHeight,
    signers: commit.signatures
      .filter(({ blockIdFlag }) => blockIdFlag === FLAG_COMMIT)
      .map(({ validatorAddress }) => observer.validators.nameOf(consAddress(validatorAddress))),
  };
}
