import { fromBinary } from "@bufbuild/protobuf";
import { toHexUpper } from "../../../base/bytes.ts";
import type { ModuleStep } from "../../../engine/app/steps.ts";
import { type Evidence, evidenceHash, misbehaviorOf } from "../../../engine/consensus/evidence.ts";
import type { Vote } from "../../../engine/consensus/vote.ts";
import { modelledText } from "../../../engine/framework/errors.ts";
import type { Evidence as Submitted } from "../../../engine/modules/evidence/types.ts";
import type { HistoryRanges } from "../../../engine/simulation/history-range.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { HaltView, TxView } from "../../../engine/simulation/views.ts";
import { MsgSubmitEvidenceSchema } from "../../../gen/chain/evidence/v1beta1/tx_pb.ts";
import type { Observer } from "../frame/observer.ts";
import { openBlocks } from "../reading.ts";

/** One piece of evidence at one place, with all data about it. */
export interface Piece {
  /** Identifies it as long as it exists. */
  readonly id: string;
  /** Height of the block that contains it; 0 while it is pending. */
  readonly block: number;
  /** Every decision about it. */
  readonly steps: readonly ModuleStep[];
  /** As found by the consensus engine. */
  readonly evidence?: Evidence | undefined;
  /** Conflicting votes; no honest node has both. */
  readonly votes?: readonly [Vote, Vote];
  /** The transaction that submitted it, and the submitted evidence, if that can be read. */
  readonly tx?: TxView | undefined;
  readonly submitted?: Submitted | undefined;
  /** Nodes that halted because of it. */
  readonly halt?: HaltView;
}

/** Pieces of evidence: pending ones, then those of blocks and halts, newest first. */
export function* piecesOf(sim: Simulation, observer: Observer): Generator<Piece> {
  yield* waitingPieces(sim);
  const halts = haltsOver(sim);
  for (const height of evidenceHeights(sim, observer)) {
    yield* Array.from(piecesIn(sim, height)).reverse();
    for (const halt of halts.toReversed()) if (halt.height === height) yield* haltedPieces(halt);
  }
}

/** Heights of blocks that contain evidence, and of halts caused by evidence, newest first. */
export const evidenceHeights = (sim: Simulation, observer: Observer): readonly number[] =>
  [...new Set([...observer.evidenceIn, ...haltsOver(sim).map(({ height }) => height)])].sort(
    (a, b) => b - a,
  );

const haltsOver = (sim: Simulation): readonly HaltView[] =>
  sim.haltsSince(0).filter(({ steps }) => steps.some(isAboutEvidence));

/** Opens the block that contains the piece with an id. */
export function* openPiece(id: string): HistoryRanges {
  const [, height] = /^b(\d+)-/.exec(id) ?? [];
  if (height !== undefined) yield* openBlocks(Number(height));
}

/** The piece with an id; undefined if it does not exist, or no longer exists. */
export function pieceOf(sim: Simulation, id: string): Piece | undefined {
  const [, kind, number = "0"] = /^(b|h)(\d+)-/.exec(id) ?? [];
  const found = (pieces: Iterable<Piece>) => Array.from(pieces).find((piece) => piece.id === id);
  if (kind === undefined) return found(waitingPieces(sim));
  if (kind === "b") return found(piecesIn(sim, Number(number)));
  const halt = sim.haltsSince(0).find(({ seq }) => seq === Number(number));
  return halt && found(haltedPieces(halt));
}

const isAboutEvidence = ({ item }: ModuleStep): boolean => item !== undefined;

function* waitingPieces(sim: Simulation): Generator<Piece> {
  const { evidence, votes } = sim.waitingEvidence();
  for (const pair of votes.toReversed()) {
    const [{ height, round, type, validatorAddress }] = pair;
    const id = `s${[height, round, type, toHexUpper(validatorAddress)].join("-")}`;
    yield { id, block: 0, steps: [], votes: pair };
  }
  for (const one of evidence.toReversed()) {
    yield { id: `w${toHexUpper(evidenceHash(one))}`, block: 0, steps: [], evidence: one };
  }
}

function* piecesIn(sim: Simulation, height: number): Generator<Piece> {
  const block = sim.block(height);
  if (block === undefined) return;
  // The app receives an item for each accused validator, first those of the block's evidence.
  const accusing = block.evidence.flatMap((one) => misbehaviorOf(one).map(() => one));
  const inTx = new Map<string, number>();
  for (const [item, steps] of byItem(block.steps)) {
    const [{ phase }] = steps;
    const place = inTx.get(phase) ?? 0;
    inTx.set(phase, place + 1);
    const tx = block.txs[Number(/^tx (\d+)$/.exec(phase)?.[1] ?? -1)];
    const evidence = phase === "begin-block" ? accusing[item - 1] : undefined;
    const submitted = tx && submittedIn(sim, tx, place);
    yield { id: `b${height}-${item}`, block: height, steps, evidence, tx, submitted };
  }
  for (const [i, evidence] of block.evidence.entries()) {
    if (misbehaviorOf(evidence).length > 0) continue;
    yield { id: `b${height}-e${i + 1}`, block: height, steps: [], evidence };
  }
}

function* haltedPieces(halt: HaltView): Generator<Piece> {
  for (const [item, steps] of byItem(halt.steps)) {
    yield { id: `h${halt.seq}-${item}`, block: halt.height, steps, halt };
  }
}

/** Groups steps by their piece. */
function byItem(
  steps: readonly ModuleStep[],
): ReadonlyMap<number, readonly [ModuleStep, ...ModuleStep[]]> {
  const items = new Map<number, [ModuleStep, ...ModuleStep[]]>();
  for (const step of steps) {
    if (step.item === undefined) continue;
    const known = items.get(step.item);
    if (known === undefined) items.set(step.item, [step]);
    else known.push(step);
  }
  return items;
}

/** The evidence in one of a transaction's messages; undefined if it cannot be read. */
function submittedIn(sim: Simulation, tx: TxView, place: number): Submitted | undefined {
  const submitting = tx.messages.filter(({ typeUrl }) =>
    typeUrl.endsWith(MsgSubmitEvidenceSchema.typeName),
  );
  const message = submitting[place];
  if (message === undefined) return undefined;
  try {
    const { evidence } = fromBinary(MsgSubmitEvidenceSchema, message.value);
    return evidence && sim.unpackEvidence(evidence);
  } catch (error) {
    modelledText(error);
    return undefined;
  }
}
