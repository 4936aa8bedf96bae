import { accAddress } from "../../../base/bech32.ts";
import { stepText } from "../../../engine/app/step-text.ts";
import type { ModuleStep } from "../../../engine/app/steps.ts";
import { haltText } from "../../../engine/framework/halt.ts";
import type { StepOutcome } from "../../../engine/framework/trace.ts";
import type { Simulation } from "../../../engine/simulation/simulation.ts";
import type { HaltView, TxView } from "../../../engine/simulation/views.ts";
import type { Explanation, Reason } from "../../../gen/lab/v1/explain_plain.ts";
import { whoOf } from "../frame/activity.ts";
import { ruleOfHalt, ruleOfMessage, ruleOfStep, ruleOfTransaction } from "./rules.ts";

/** Maximum in one answer. */
const MOST = 300;

/** An explanation before it is truncated to the size of one answer. */
export interface Explained {
  readonly because: string;
  readonly reasons: readonly Reason[];
  /**
   * The newest relevant height whose decisions are no longer stored; 0 or absent if there is none.
   */
  readonly forgotten?: number;
}

export const explanation = ({ because, reasons, forgotten = 0 }: Explained): Explanation => ({
  because,
  reasons: reasons.slice(0, MOST),
  leftOut: Math.max(0, reasons.length - MOST),
  forgotten,
});

/** A decision of consensus, or a fact of the state. */
export const reason = (
  height: number,
  what: string,
  found: string,
  rule: string,
  outcome: StepOutcome = "info",
  more: Partial<Reason> = {},
): Reason => ({
  ...{ height, where: "", module: "", what, found, outcome, reverted: false },
  rule: rule.replace("rules/", ""),
  ...more,
});

/** A step with its rule; `among` are all steps of its block. */
export function reasonOf(
  height: number,
  step: ModuleStep,
  among: readonly ModuleStep[],
  where: string = step.phase,
): Reason {
  const { module, outcome } = step;
  // A refused step has made no changes that could be reverted.
  const reverted = step.reverted === true && outcome !== "refused";
  const rule = ruleOfStep(step, among);
  return { height, where, module, ...stepText(step), outcome, rule, reverted };
}

/** Decisions of the nodes before they halted, and the cause of the halt. */
export function reasonsOfHalt(halt: HaltView, allNodes: number): Reason[] {
  const { height, steps, cause } = halt;
  const where = whoOf(halt.nodes, allNodes);
  return [
    ...steps.map((step) => reasonOf(height, step, steps, `${step.phase} · ${where}`)),
    reason(height, "halt", haltText(cause), ruleOfHalt(cause), "halt", { where }),
  ];
}

/** The outcome of a transaction: of each message, or only of the one that failed. */
export function reasonsOfTx(tx: TxView, index: number): Reason[] {
  const { height, messages, code, codespace, log, signer } = tx;
  const more = { where: `tx ${index}` };
  const from = `from ${accAddress(signer)}`;
  if (code === 0) {
    return messages.map(({ typeUrl }) =>
      reason(
        height,
        nameOf(typeUrl),
        `${from}: done`,
        ruleOfMessage(typeUrl) ?? HANDLED,
        "ok",
        more,
      ),
    );
  }
  const failed = failedMessage(tx);
  const rule =
    ruleOfTransaction(tx, failed !== undefined) ??
    ((failed && ruleOfMessage(failed.typeUrl)) || HANDLED);
  const what = failed ? nameOf(failed.typeUrl) : "transaction";
  const refusal = `${from}: refused with ${codespace} ${code}: ${log}`;
  const undone = "none of its messages has changed anything";
  return [
    reason(height, what, refusal, rule, "refused", more),
    reason(height, "transaction", undone, "rules/consensus 8.5", "refused", more),
  ];
}

const HANDLED = "rules/consensus 8.5";

/** The message at which a transaction failed; undefined if none was executed. */
function failedMessage({ messages, log }: TxView) {
  return messages.find((_, i) =>
    // Upstream's text, before the error of the message.
    log.startsWith(`failed to execute message; message index: ${i}: `),
  );
}

/** `MsgVote` of a type URL. */
const nameOf = (typeUrl: string): string => typeUrl.slice(typeUrl.lastIndexOf(".") + 1);

/** Stored steps by height, as far as they fit. */
export function* rememberedSteps(
  sim: Simulation,
  fits: (step: ModuleStep) => boolean,
): Generator<
  readonly [height: number, fitting: readonly ModuleStep[], all: readonly ModuleStep[]]
> {
  for (const [height, all] of [...sim.steps].sort(([a], [b]) => a - b)) {
    const fitting = all.filter(fits);
    if (fitting.length > 0) yield [height, fitting, all];
  }
}

/** The height, if its block's decisions are no longer stored; else 0. */
export const forgottenAt = (sim: Simulation, height: number): number =>
  height >= sim.initialHeight && height <= sim.height && !sim.steps.has(height) ? height : 0;
