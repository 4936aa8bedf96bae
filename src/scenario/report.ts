import { toHexUpper } from "../base/bytes.ts";
import { drain } from "../base/drain.ts";
import { formatProtoTime } from "../base/time.ts";
import { stepText } from "../engine/app/step-text.ts";
import type { Simulation } from "../engine/simulation/simulation.ts";
import type { NodeView } from "../engine/simulation/views.ts";
import { createContext } from "./create-context.ts";
import { lookedAt } from "./looked-at.ts";
import type { Violation } from "./properties/violation.ts";
import { PropertyWatch } from "./properties/watch.ts";
import { runStep, type StepResult } from "./runner.ts";
import type { Scenario } from "./scenario.ts";
import type { StepContext } from "./step-context.ts";

/** Result of a whole scenario, as `chainlab run --json` prints it. */
export interface ScenarioReport {
  readonly file: string;
  readonly name: string;
  readonly seed: number;
  readonly ok: boolean;
  readonly height: number;
  /** Time of the last block, RFC 3339. */
  readonly time: string;
  /** Upper-case hex. */
  readonly app_hash: string;
  /** The steps that ran; none runs after a failed one. */
  readonly steps: readonly (StepResult & { readonly explanation?: readonly string[] })[];
  /**
   * Violations in the order of detection; the first ends the run unless `endsBy` decides otherwise.
   */
  readonly violations: readonly Violation[];
  /** Names of the satisfied `sometimes` properties. */
  readonly reached: readonly string[];
  /** Names of the properties that were never evaluated, or had rounds left at the end. */
  readonly unasked: readonly string[];
  /** Every node at the end: its latest height, and the reason if it is not running. */
  readonly nodes: readonly Pick<NodeView, "name" | "process" | "binary" | "height" | "reason">[];
}

export interface ReportOptions {
  readonly file: string;
  /** True to add the decisions behind each step. */
  readonly explain?: boolean;
  /** True for one case of a family: a `sometimes` property may be satisfied in another one. */
  readonly isCase?: boolean;
  /** The scenario's initial world; created if absent. */
  readonly context?: StepContext;
  /**
   * True if a violation ends the run; by default each does, and one of an invariant always does.
   */
  readonly endsBy?: (violation: Violation) => boolean;
  /** Called with the initial world, after each round and each step, and at the end. */
  readonly onLook?: (context: StepContext) => void;
  /** Called after every step. */
  readonly onStep?: (result: StepResult) => void;
  /** Called with the world after the last step. */
  readonly onEnd?: (context: StepContext) => void;
}

/**
 * Runs a scenario to its end, or to the first step that fails. Throws if its genesis is invalid.
 */
export function runScenario(
  scenario: Scenario,
  {
    file,
    explain = false,
    isCase = false,
    context = createContext(scenario),
    endsBy,
    onLook,
    onStep,
    onEnd,
  }: ReportOptions,
): ScenarioReport {
  const { sim } = context;
  const watch = new PropertyWatch(context, scenario, [], endsBy);
  const steps: ScenarioReport["steps"][number][] = [];
  onLook?.(context);
  for (const [index, step] of scenario.steps.entries()) {
    const before = sim.height;
    const seen = onLook ? lookedAt(step, onLook) : step;
    const { found: _, ...result } = drain(runStep(context, watch.watched(seen, index), index));
    steps.push(explain ? { ...result, explanation: decisions(sim, before) } : result);
    onStep?.(result);
    if (!result.ok) break;
  }
  const haveRun = steps.every(({ ok }) => ok);
  watch.end(haveRun && !isCase);
  const { violations } = watch;
  onLook?.(context);
  onEnd?.(context);
  return {
    file,
    name: scenario.name,
    seed: scenario.spec.seed,
    ok: haveRun && violations.length === 0,
    height: sim.height,
    time: formatProtoTime(sim.time),
    app_hash: toHexUpper(sim.appHash),
    steps,
    violations,
    reached: watch.reached,
    unasked: watch.unasked,
    nodes: sim.nodes().map(({ name, process, binary, height, reason }) => ({
      name,
      process,
      binary,
      height,
      reason,
    })),
  };
}

/** The decisions in the blocks above a height, one line each. */
function decisions(sim: Simulation, above: number): string[] {
  const lines: string[] = [];
  for (let height = above + 1; height <= sim.height; height++) {
    for (const step of sim.block(height)?.steps ?? []) {
      const { phase, module, outcome } = step;
      const { what, found } = stepText(step);
      lines.push(`block ${height}, ${phase}, ${module}: ${what}: ${found} (${outcome})`);
    }
  }
  return lines;
}
