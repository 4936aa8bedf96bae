import { equal } from "../../../base/bytes.ts";
import { haltText } from "../../../engine/framework/halt.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { Reason } from "../../../gen/lab/v1/explain_plain.ts";
import type { EvidenceLine } from "../../../gen/lab/v1/lab_plain.ts";
import { evidenceOf, lineOf } from "../explorer/evidence.ts";
import { type Piece, pieceOf } from "../explorer/evidence-pieces.ts";
import type { Observer } from "../frame/observer.ts";
import { type Explained, forgottenAt, reason, reasonOf, reasonsOfTx } from "./reasons.ts";
import { ruleOfHalt } from "./rules.ts";

/** Explains a piece of evidence, by its id or its hash in the store; undefined if there is none. */
export function explainEvidence(
  sim: Simulation,
  observer: Observer,
  id: string,
): Explained | undefined {
  const stored = evidenceOf(sim, observer).find(({ hash }) => hash === id.toUpperCase());
  const piece = pieceOf(sim, stored?.id ?? id);
  if (piece !== undefined) return explainPiece(sim, observer, piece);
  const height = observer.storedIn(id.toUpperCase());
  if (height === 0) return undefined;
  return {
    because: `Block ${height} stored it.`,
    reasons: [],
    forgotten: forgottenAt(sim, height),
  };
}

function explainPiece(sim: Simulation, observer: Observer, piece: Piece): Explained {
  const line = lineOf(piece, observer);
  const { block, steps, tx, halt } = piece;
  const index = tx ? (sim.block(block)?.txs.findIndex(({ hash }) => equal(hash, tx.hash)) ?? 0) : 0;
  return {
    because: becauseOf(line),
    reasons: [
      ...foundBefore(piece, line),
      ...steps.map((step) => reasonOf(block, step, steps)),
      ...(tx && tx.code !== 0 ? reasonsOfTx(tx, index) : []),
      ...(halt
        ? [reason(block, "halt", haltText(halt.cause), ruleOfHalt(halt.cause), "halt")]
        : []),
    ],
  };
}

/** The offence, and its detection by the consensus engine. */
function foundBefore({ evidence, votes, tx, block }: Piece, line: EvidenceLine): Reason[] {
  const { height, kind, validators } = line;
  const who = validators.join(", ") || "no validator that can be named";
  if (tx !== undefined) return [];
  const isVotes = votes !== undefined || evidence?.kind === "duplicate-vote";
  const offence = isVotes
    ? reason(height, "two votes", `${who} signed two blocks in one round`, "rules/consensus 2.1")
    : evidence &&
      reason(height, kind, `a block for a light client, by ${who}`, "rules/consensus 2.2");
  const notice = evidence?.noticed;
  const more = notice && notice.more > 0 ? ` and ${notice.more} more` : "";
  return [
    ...(offence ? [offence] : []),
    ...(votes
      ? [
          reason(
            height,
            "noticed",
            "no honest node has both votes yet",
            "rules/consensus 2.5",
            "ignored",
          ),
        ]
      : []),
    ...(notice
      ? [
          reason(
            notice.height,
            "noticed",
            `by ${notice.nodes.join(", ")}${more}`,
            "rules/consensus 2.5",
            "ok",
          ),
        ]
      : []),
    ...(evidence && block === 0
      ? [reason(0, "pool", "waits for the next proposer", "rules/consensus 2.3")]
      : []),
    ...(evidence && block > 0
      ? [reason(block, "pool", `taken into block ${block}`, "rules/consensus 2.3", "ok")]
      : []),
    ...(evidence === undefined && votes === undefined && block > 0
      ? [reason(block, "misbehavior", "given to the application unchecked", "rules/consensus 2.6")]
      : []),
    ...(evidence && block > 0 && validators.length === 0
      ? [
          reason(
            block,
            "misbehavior",
            "of an amnesia attack none can be named",
            "rules/consensus 2.2",
            "ignored",
          ),
        ]
      : []),
  ];
}

function becauseOf({ validators, outcome, why, block, burned }: EvidenceLine): string {
  const who = validators.join(", ");
  switch (outcome) {
    case "punished":
      return `Block ${block} punished ${who}: ${burned} burned, jailed and tombstoned.`;
    case "ignored":
      return `Block ${block} ignored it: ${why}`;
    case "refused":
      return `Block ${block} refused it: ${why}`;
    case "halted":
      return `Nodes halted over it: ${why}`;
    case "waiting":
      return "It waits for the next block.";
    case "signed":
      return "Both votes are signed, and no honest node has both of them.";
    case "unattributable":
      return `Block ${block} carries it; it names no validator to punish.`;
    default:
      return `Block ${block} stored it; its Handler punished no validator.`;
  }
}
