/** Looks ahead for previews: what is previewed is done in a copy of the world. */
import { scheduledPlan } from "../api/lab/diagnosis/binary-compatibility.ts";
import { lazyObserver } from "../api/lab/frame/observed.ts";
import { ignoredText } from "../engine/modules/evidence/ignored.ts";
import type { UpgradeInfo as Plan } from "../engine/network/sidecar/upgrade-watch.ts";
import { equal } from "../engine/primitives/bytes.ts";
import type { Command } from "../engine/simulation/command.ts";
import { standingAs } from "../engine/simulation/keyframe/keyframe.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import { type Proposal, pass } from "./proposals.ts";
import { doubleSignPenalty } from "./queries.ts";
import type { StepContext } from "./step-context.ts";

/** A context of a world that stands where another one stands, to be changed at will. */
function copyOf({ sim, results }: StepContext): StepContext {
  const copy = standingAs(sim)(...sim.forCopies(false));
  return { sim: copy, follow: lazyObserver(copy), results: new Map(results) };
}

/** Rounds in which evidence of an offence comes into a block. */
const ROUNDS_TO_EVIDENCE = 6;

/** A sentence with the application's decision about the evidence that commands bring. */
export function evidenceVerdict(context: StepContext, commands: readonly Command[]): string {
  const { sim } = copyOf(context);
  const since = sim.height;
  const lastHalt = sim.haltsSince(0).at(-1)?.seq ?? 0;
  sim.applyAll(commands);
  for (let i = 0; i < ROUNDS_TO_EVIDENCE; i++) {
    sim.advance();
    const [halt] = sim.haltsSince(lastHalt);
    if (halt) {
      const [node = ""] = halt.nodes;
      const cause = haltsAnyway(context, i + 1)
        ? "halt before it is decided"
        : "would halt over it";
      return `${halt.nodes.join(", ")} ${cause}: ${sim.node(node)?.reason ?? ""}`;
    }
    const decided = outcomesSince(sim, since);
    if (decided.length === 0) continue;
    const ignored = decided.flatMap(({ by, because }) =>
      because === undefined ? [] : `${by} goes unpunished: ${because}.`,
    );
    const isPunished = ignored.length < decided.length;
    return [...(isPunished ? [doubleSignPenalty(sim)] : []), ...ignored].join(" ");
  }
  return "The application decides about none of it.";
}

/** Whether nodes halt within so many rounds in which nothing is done. */
function haltsAnyway(context: StepContext, rounds: number): boolean {
  const { sim } = copyOf(context);
  const before = sim.haltsSince(0).at(-1)?.seq ?? 0;
  for (let i = 0; i < rounds; i++) sim.advance();
  return sim.haltsSince(before).length > 0;
}

function outcomesSince(sim: Simulation, height: number) {
  const blocks = Array.from({ length: sim.height - height }, (_, i) => sim.block(height + 1 + i));
  return blocks.flatMap((block) =>
    (block?.steps ?? []).flatMap((step) => {
      if (step.module !== "evidence") return [];
      if (step.kind === "unknown_misbehavior")
        return { by: "It", because: "the application does not know its type" };
      if (step.kind !== "outcome") return [];
      const { address, ignored } = step.data;
      const by = sim.nodes().find(({ consensusAddress }) => equal(consensusAddress, address));
      return { by: by?.validator ?? "It", because: ignored && ignoredText(ignored) };
    }),
  );
}

/** Blocks that a vote is followed through at most. */
const MOST_BLOCKS = 2_000;
/** Rounds without a block after which a chain that halted is not waited for. */
const MOST_IDLE = 3;

/** The end of a vote, with the plan that was scheduled before its last block, and that after it. */
export interface ForeseenVote {
  /** Undefined if the chain halts before it. */
  readonly ends: number | undefined;
  readonly before: Plan | undefined;
  readonly after: Plan | undefined;
}

/**
 * The end of a vote that begins now and in which everyone votes yes; other votes end as they stand, and nodes keep their
 * binaries. Undefined where it takes too many blocks to be tried.
 * @param blocks that it takes about
 */
export function foreseeVote(
  context: StepContext,
  proposal: Proposal,
  blocks: number,
): ForeseenVote | undefined {
  if (blocks > MOST_BLOCKS) return undefined;
  const copied = copyOf(context);
  const { sim } = copied;
  const passing = pass(copied, proposal);
  let [before, after] = [scheduledPlan(sim), scheduledPlan(sim)];
  let { height } = sim;
  for (let idle = 0; idle < MOST_IDLE; ) {
    if (passing.next().done) return { ends: sim.height, before, after };
    [before, after] = sim.height > height ? [after, scheduledPlan(sim)] : [before, after];
    idle = sim.height > height ? 0 : idle + 1;
    height = sim.height;
  }
  return { ends: undefined, before: after, after };
}
