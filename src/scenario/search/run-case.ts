/** Runs one case of a family and reports the violated properties. */
import { errorText, isBug } from "../../base/error-text.ts";
import { createContext } from "../create-context.ts";
import { readSourceObject } from "../parse.ts";
import { runScenario } from "../report.ts";
import type { Scenario } from "../scenario.ts";
import type { StepContext } from "../step-context.ts";
import type { SourceObject } from "../varied.ts";
import { faultName } from "./fault-name.ts";
import type { UnfinishedCase, Violation } from "./search.ts";

export interface CaseRun {
  /**
   * Violations in the order of detection; `sometimes` properties are not checked for a single case.
   */
  readonly violations: readonly Violation[];
  /** Names of the satisfied `sometimes` properties. */
  readonly reached: readonly string[];
  /** Names of the properties with a result: they were evaluated, and their rounds were over. */
  readonly asked: readonly string[];
  /** The failed step that ended it without a violation. */
  readonly unfinished?: Omit<UnfinishedCase, "number">;
  /** The chain's height at the end, and after each step. */
  readonly height: number;
  readonly heights: readonly number[];
}

/** A drawn case ready to run; undefined if it is not a valid scenario. */
export function readCase(value: SourceObject): Scenario | undefined {
  const read = readSourceObject(value);
  return "scenario" in read ? read.scenario : undefined;
}

export interface CaseOptions {
  /** Returns true if a violation ends the case; by default each does. */
  readonly endsBy?: (violation: Violation) => boolean;
  /** Called with the final world. */
  readonly onEnd?: (context: StepContext) => void;
}

/**
 * Runs a case to its end, or to the violation that ends it; undefined if no chain can start with
 * its genesis. Throws an Error for a bug of the simulator, with its position in the case: that is
 * not a finding.
 */
export function runCase(scenario: Scenario, options: CaseOptions = {}): CaseRun | undefined {
  const context = initialContext(scenario);
  if (context === undefined) return undefined;
  const { height, steps, reached, unasked, violations } = runScenario(scenario, {
    file: "case.json",
    isCase: true,
    context,
    ...options,
  });
  const { properties = [] } = scenario;
  const evaluated = properties.flatMap(({ name }) => (unasked.includes(name) ? [] : name));
  const run = {
    violations,
    reached,
    asked: evaluated,
    height,
    heights: steps.map((step) => step.height),
  };
  const { endsBy = () => true } = options;
  if (violations.some((one) => one.kind === "invariant" || endsBy(one))) return run;
  const failed = steps.find(({ ok }) => !ok);
  if (failed === undefined) return run;
  const { index, message, isBug: isOfOurs } = failed;
  if (isOfOurs) throw new Error(`steps[${index}]: ${message}`);
  const step = scenario.steps[index];
  if (step?.verb !== "expect" && statesProperties(scenario)) {
    return violations.length > 0 ? run : { ...run, unfinished: { step: index, message } };
  }
  const property =
    step?.expected === undefined ? faultName(failed, context) : `expect ${step.expected}`;
  const ofStep: Violation = {
    property: property.replace(/\s+/g, " "),
    kind: "step",
    height: failed.height,
    step: index,
    message,
  };
  return { ...run, violations: [...violations, ofStep] };
}

/** The initial world of a case; undefined if no chain can start with its genesis. Throws bugs. */
function initialContext(scenario: Scenario): StepContext | undefined {
  try {
    return createContext(scenario);
  } catch (error) {
    if (isBug(error)) throw new Error(`genesis: ${errorText(error)}`);
    return undefined;
  }
}

/** True if a file has properties; then a failed step is not a finding. */
const statesProperties = ({ properties = [] }: Scenario): boolean => properties.length > 0;
