import { consAddress } from "../../../base/bech32.ts";
import { equal, toHexUpper } from "../../../base/bytes.ts";
import { formatRfc3339 } from "../../../base/time.ts";
import {
  type Evidence,
  evidenceHeight,
  misbehaviorOf,
} from "../../../engine/consensus/evidence.ts";
import { powerNeeded } from "../../../engine/consensus/quorum.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { BlockView } from "../../../engine/simulation/views.ts";
import type { Reason } from "../../../gen/lab/v1/explain_plain.ts";
import { COMPACT_COMMITS } from "../../node-facts.ts";
import { becauseOf } from "../diagnosis/chain-status.ts";
import { kindOf } from "../explorer/evidence.ts";

import type { Observer } from "../frame/observer.ts";
import { threshold } from "../threshold.ts";
import {
  type Explained,
  forgottenAt,
  reason,
  reasonOf,
  reasonsOfHalt,
  reasonsOfTx,
} from "./reasons.ts";

/** Maximum validators listed individually. */
const NAMED = 10;

/** Explains a block, or why there is none yet; undefined for a height that has not started. */
export function explainBlock(
  sim: Simulation,
  observer: Observer,
  height: number,
): Explained | undefined {
  const block = sim.block(height);
  const halts = sim.haltsSince(0).filter((halt) => halt.height === height);
  const nodes = sim.nodes().length;
  const stopped = halts.flatMap((halt) => reasonsOfHalt(halt, nodes));
  const rounds = failedRounds(sim, height);
  if (block !== undefined) return explainCommitted(sim, observer, block, rounds, stopped);
  if (height <= sim.height || height > sim.decidedHeight + 1) return undefined;
  const decided = height <= sim.decidedHeight;
  const because = becauseOf(sim, sim.chainStatus());
  return {
    because: `Block ${height} is ${decided ? "decided, but not applied" : "not decided"} yet. ${because}`,
    reasons: [...rounds, ...stopped, ...missingNow(sim, height)],
  };
}

function explainCommitted(
  sim: Simulation,
  observer: Observer,
  block: BlockView,
  rounds: readonly Reason[],
  stopped: readonly Reason[],
): Explained {
  const { height, steps, txs, events } = block;
  const name = (address: Uint8Array): string => observer.validators.nameOf(consAddress(address));
  const proposer = name(block.proposer);
  const { signed, total } = powersOf(sim, height);
  const before = steps.filter(({ phase }) => phase === "pre-block" || phase === "begin-block");
  const after = steps.filter(({ phase }) => phase === "end-block");
  const explained = (some: typeof steps): Reason[] =>
    some.map((step) => reasonOf(height, step, steps));
  const happened = events.length > 0 || txs.some(({ code }) => code !== 0);
  return {
    because: `${proposer} proposed it in round ${block.round}, and ${signed} of ${total} power signed it.`,
    reasons: [
      ...(rounds.length > 0 || block.round === 0 ? rounds : [forgottenRounds(block)]),
      proposed(block, proposer),
      reason(
        height,
        "precommits",
        `${signed} of ${total} power; ${powerNeeded(total)} is more than two thirds`,
        "rules/consensus 5.1",
        "ok",
      ),
      ...(sim.spec.commits === "full"
        ? []
        : [reason(height, "signatures", COMPACT_COMMITS, "rules/consensus 3.7")]),
      ...absences(sim, block, name),
      timed(sim, block),
      ...block.evidence.map((evidence) => evidenceReason(height, evidence, name)),
      ...explained(before),
      ...txs.flatMap((tx, i) => [
        ...explained(steps.filter((step) => step.phase === `tx ${i}` && step.module !== "app")),
        ...reasonsOfTx(tx, i),
      ]),
      ...explained(after),
      ...stopped,
      hashed(sim, block),
      ...changedByHand(sim, height),
    ],
    // A block without decisions has nothing to store.
    ...(happened && height + MAX_ROUNDS <= sim.height
      ? { forgotten: forgottenAt(sim, height) }
      : {}),
  };
}

/** This many of the newest blocks are always stored. */
const MAX_ROUNDS = 500;

function proposed({ height, round }: BlockView, proposer: string): Reason {
  const later = round > 0 ? `, after ${round} more increments for its round` : "";
  const found = `${proposer} has the greatest priority${later}`;
  return reason(height, "proposer", found, "rules/consensus 4.2", "ok");
}

function powersOf(sim: Simulation, height: number) {
  const signers = sim.signersOf(height);
  const total = signers?.list.totalPower ?? 0;
  const absent = (signers?.absent ?? []).reduce(
    (sum, i) => sum + (signers?.list.at(i).power ?? 0),
    0,
  );
  return { total, signed: total - absent };
}

function absences(
  sim: Simulation,
  { height, round, absent }: BlockView,
  name: (address: Uint8Array) => string,
): Reason[] {
  const votes = sim.roundsOf(height).find((each) => each.round === round)?.votes ?? [];
  const explained = absent.slice(0, NAMED).map((address) => {
    const why = votes.find(({ validator }) => equal(validator, address))?.why;
    const found = why || "its precommit is not in the commit";
    return reason(height, `without ${name(address)}`, found, "rules/consensus 5.4", "ignored");
  });
  const more = absent.length - explained.length;
  if (more === 0) return explained;
  const others = `${more} more precommits are not in the commit`;
  return [...explained, reason(height, "others", others, "rules/consensus 5.4", "ignored")];
}

function timed({ initialHeight }: Simulation, { height, time }: BlockView): Reason {
  const from = height === initialHeight ? "the genesis time" : "the median of the last commit";
  return reason(height, "time", `${formatRfc3339(time)}: ${from}`, "rules/consensus 5.2");
}

function evidenceReason(
  height: number,
  evidence: Evidence,
  name: (address: Uint8Array) => string,
): Reason {
  const against = misbehaviorOf(evidence).map(({ address }) => name(address));
  const whom = against.length > 0 ? `against ${against.join(", ")}` : "that names no validator";
  const found = `${kindOf(evidence)} at height ${evidenceHeight(evidence)} ${whom}`;
  return reason(height, "evidence", found, "rules/consensus 2.3", "ok");
}

function hashed(sim: Simulation, { height, appHash }: BlockView): Reason {
  const before = sim.block(height - 1)?.appHash;
  return before && equal(before, appHash)
    ? reason(height, "app hash", "as before: nothing was written", "rules/store 1.2")
    : reason(height, "app hash", toHexUpper(appHash), "rules/store 2.1");
}

/** Manual edits after a block, made in the state of every node outside any block. */
const changedByHand = ({ tampered }: Simulation, height: number): Reason[] =>
  tampered
    .filter((each) => each.height === height)
    .map(({ store, place }) =>
      reason(
        height,
        "changed by hand",
        `byte ${place} of a value in ${store}, for every node and by no block: the next header says the hash of that`,
        "rules/store 2.1",
        "ignored",
      ),
    );

const forgottenRounds = ({ height, round }: BlockView): Reason => {
  const which = round === 1 ? "round 0" : `rounds 0 to ${round - 1}`;
  const found = "brought no block; their votes are not remembered any more";
  return reason(height, which, found, "rules/consensus 5.3", "refused");
};

function failedRounds(sim: Simulation, height: number): Reason[] {
  return sim
    .roundsOf(height)
    .filter(({ outcome }) => outcome !== "decided")
    .map(({ round, why }) =>
      reason(height, `round ${round}`, why, "rules/consensus 5.3", "refused"),
    );
}

/** The nodes missing from the current round. */
function missingNow(sim: Simulation, height: number): Reason[] {
  const { votingPower, totalPower, neededPower, missing } = sim.chainStatus();
  const enough = votingPower >= neededPower;
  return [
    reason(
      height,
      "votes",
      `${votingPower} of ${totalPower} power can vote together; a block needs ${threshold(neededPower, totalPower)}`,
      "rules/consensus 5.1",
      enough ? "ok" : "halt",
    ),
    ...missing.map(({ nodes, reason: why, power }) =>
      reason(
        height,
        `without ${nodes.length > NAMED ? `${nodes.length} nodes` : nodes.join(", ")}`,
        `${why}: ${power} power`,
        "rules/consensus 5.4",
        "ignored",
      ),
    ),
  ];
}
