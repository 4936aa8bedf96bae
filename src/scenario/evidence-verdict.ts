/** Previews of evidence: the decision that the application takes in a copy of the world. */

import { equal } from "../base/bytes.ts";
import { type Evidence, evidenceHash } from "../engine/consensus/evidence.ts";
import { ignoredText } from "../engine/modules/evidence/ignored.ts";
import type { Command, NodeFaultCommand } from "../engine/simulation/command.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import { copiesFor, isStuck, MOST_IDLE_RUNNING, noBlockComes } from "./foresight.ts";
import { doubleSignPenalty } from "./queries.ts";
import { because } from "./rounds.ts";
import type { StepContext } from "./step-context.ts";

/** Blocks within which evidence of an offence is included. */
const BLOCKS_TO_EVIDENCE = 6;

type Offence =
  | Extract<Command, { type: "double_sign" | "light_client_attack" | "misbehavior" }>
  | NodeFaultCommand;

/** The application's decision about evidence. */
interface EvidenceVerdict {
  readonly sentence: string;
  /** The block with the evidence: of the decision, or one that halts nodes; undefined if none. */
  readonly block?: number;
}

/**
 * The application's decision about the evidence that commands cause. If that accuses nobody, the
 * sentence is empty and `block` is the one with the evidence.
 */
export function evidenceVerdict(
  context: StepContext,
  commands: readonly Offence[],
): EvidenceVerdict {
  const copies = copiesFor(context);
  const { sim } = copies();
  const pieces = commands.flatMap((command) => accusedBy(sim, command));
  const accused = [...new Set(pieces.map(({ by }) => by))].map((name) =>
    pieces.filter(({ by }) => by === name),
  );
  const since = sim.height;
  const lastHalt = sim.haltsSince(0).at(-1)?.seq ?? 0;
  const haltedIn = (one: Simulation) => one.haltsSince(lastHalt).flatMap(({ nodes }) => nodes);
  let undisturbed: Simulation | undefined;
  let behind = 0;
  let idle = 0;
  let { height } = sim;
  const pending = new Set(sim.waitingEvidence().evidence);
  sim.applyAll(commands);
  const added = sim.waitingEvidence().evidence.filter((one) => !pending.has(one));
  while (height < since + BLOCKS_TO_EVIDENCE) {
    sim.advance();
    behind++;
    idle = sim.height > height ? 0 : idle + 1;
    height = sim.height;
    const halted = haltedIn(sim);
    if (halted.length > 0) undisturbed ??= copies().sim;
    for (; undisturbed && behind > 0; behind--) undisturbed.advance();
    const anyway = undisturbed ? haltedIn(undisturbed) : [];
    const over = halted.filter((name) => !anyway.includes(name));
    const why = ([name = ""]: readonly string[]): string => because(sim.node(name)?.reason ?? "");
    if (over.length > 0) {
      const halt = sim
        .haltsSince(lastHalt)
        .find(({ nodes }) => nodes.some((name) => over.includes(name)));
      const sentence = `${over.join(", ")} would halt over it: ${why(over)}`;
      return { sentence, ...(halt && { block: halt.height }) };
    }
    const decided = accused.flatMap((one) => outcomeOf(sim, since, one) ?? []);
    if (pieces.length === 0 && added.some((one) => isIncluded(sim, one)))
      return { sentence: "", block: height };
    const isHalted = sim.chainStatus().state === "halted";
    if (decided.length > 0) {
      const ignored = decided.flatMap(({ by, because }) =>
        because === undefined ? [] : `${by} goes unpunished: ${because}.`,
      );
      const isPunished = ignored.length < decided.length;
      const stated = commands.find((one) => one.type === "misbehavior")?.power;
      const penalty = isPunished ? [doubleSignPenalty(sim, stated)] : [];
      const sentences = [...penalty, ...new Set(ignored)];
      return { sentence: sentences.join(" "), block: height };
    }
    if (isHalted && halted.length > 0)
      return { sentence: `${halted.join(", ")} halt before it is decided: ${why(halted)}` };
    if (isStuck(sim, idle)) return { sentence: noBlockComes(sim) };
    if (idle === MOST_IDLE_RUNNING) return { sentence: `No block comes in ${idle} rounds.` };
  }
  return { sentence: `No evidence of it is decided in the next ${BLOCKS_TO_EVIDENCE} blocks.` };
}

/** True if the newest block has this evidence. */
function isIncluded(sim: Simulation, evidence: Evidence): boolean {
  const hash = evidenceHash(evidence);
  return sim.results(sim.height)?.evidence.some((one) => equal(evidenceHash(one), hash)) ?? false;
}

/** A validator that evidence accuses, and its offence. */
interface Accused {
  readonly by: string;
  readonly address: Uint8Array | undefined;
  /** The consensus engine's number of the kind. */
  readonly type: number;
  /**
   * Height of the offence; absent for an attack, whose evidence has the common height, and for a
   * fault, which waits for a vote.
   */
  readonly height?: number;
}

function accusedBy(sim: Simulation, command: Offence): readonly Accused[] {
  const one = (name: string, type: number): Accused => {
    const node = sim.node(name);
    return { by: node?.validator ?? "It", address: node?.consensusAddress, type };
  };
  switch (command.type) {
    case "double_sign":
      return [{ ...one(command.node, 1), height: sim.decidedHeight + 1 }];
    case "fault":
      return [one(command.node, 1)];
    case "light_client_attack":
      return command.kind === "amnesia" ? [] : command.by.map((name) => one(name, 2));
    default:
      return [{ ...one(command.validator, command.kind), height: command.height }];
  }
}

/**
 * The first decision about evidence against a validator: decisions about pending evidence may
 * precede it.
 */
function outcomeOf(sim: Simulation, since: number, pieces: readonly Accused[]) {
  const [{ by, address, type, height }] = pieces as readonly [Accused];
  const blocks = Array.from({ length: sim.height - since }, (_, i) => sim.block(since + 1 + i));
  const outcomes = blocks.flatMap((block) =>
    (block?.steps ?? []).flatMap((step) => {
      if (step.module !== "evidence" || !("type" in step.data) || step.data.type !== type)
        return [];
      if (step.kind === "unknown_misbehavior")
        return { by: "It", because: "the application does not know its type" };
      if (step.kind !== "outcome") return [];
      const { data } = step;
      const isIt =
        address !== undefined &&
        equal(data.address, address) &&
        (height === undefined || data.height === height);
      return isIt ? { by, because: data.ignored && ignoredText(data.ignored) } : [];
    }),
  );
  return outcomes.slice(-pieces.length)[0];
}
