/**
 * Finds the position in a file at which a world's expectation is satisfied: runs the file again up
 * to there.
 */
import { errorText } from "../engine/framework/errors.ts";
import { createContext } from "./create-context.ts";
import { readText } from "./edit-text.ts";
import { isMap } from "./fields.ts";
import type { SourceStep } from "./format-command.ts";
import { parseScenario } from "./parse.ts";
import { isSatisfied, type ProposedExpectation } from "./proposed-expectations.ts";
import { makeBlocksUntil } from "./rounds.ts";
import { runStep } from "./runner.ts";

/** An expectation with its position in the list, and a preceding run to its height if needed. */
export interface PlacedExpectation extends ProposedExpectation, StepPosition {}

interface StepPosition {
  readonly at: number;
  readonly run?: SourceStep;
}

export interface Placed {
  readonly expectations: readonly PlacedExpectation[];
  /** Reason why some or all are omitted; empty if none are. */
  readonly leftOut: string;
}

/**
 * The expectations that a file satisfies at a height, each at the last position there; if one run
 * passes the height, or the file ends below it, a run to it is inserted. Yields after every round.
 */
export function* placeExpectations(
  { text, file }: { readonly text: string; readonly file: string },
  height: number,
  proposed: readonly ProposedExpectation[],
): Generator<void, Placed> {
  const read = parseScenario(text, file);
  if ("problems" in read) {
    const [{ line = 1, message = "" } = {}] = read.problems;
    const leftOut = `What the file comes to is not known: line ${line}: ${message}`;
    return { expectations: [], leftOut };
  }
  const { steps } = readText(text, file);
  const places = new Map<ProposedExpectation, StepPosition>();
  const context = createContext(read.scenario);
  const { sim } = context;
  let why = "";
  const find = (place: StepPosition): void => {
    for (const one of proposed) if (isSatisfied(context, one.step)) places.set(one, place);
  };
  /** Continues to the height and finds the satisfied expectations. */
  function* runTo(at: number): Generator<void, void> {
    try {
      yield* makeBlocksUntil(context, () => sim.height >= height);
      find({ at, run: { run: { to: height } } });
    } catch (error) {
      why = `The file does not come to block ${height}: ${errorText(error)}`;
    }
  }
  for (const [at, { index, json }] of steps.entries()) {
    const step = read.scenario.steps[index];
    if (step === undefined) continue;
    if (sim.height === height) find({ at });
    else if (sim.height < height && endOf(json) > height) yield* runTo(at);
    const { ok } = yield* runStep(context, step, index);
    if (!ok) why = `Step ${index + 1} of the file fails.`;
    if (!ok || sim.height > height) break;
  }
  if (why === "" && sim.height === height) find({ at: steps.length });
  else if (why === "" && sim.height < height) yield* runTo(steps.length);
  const expectations = proposed.flatMap((one) => {
    const found = places.get(one);
    return found === undefined ? [] : [{ ...one, ...found }];
  });
  const absent = proposed.length - expectations.length;
  why ||= "The file does not meet them there, or none of its steps ends there.";
  const leftOut = `${absent} of ${proposed.length} that are so at block ${height} are not offered. ${why}`;
  return { expectations, leftOut: absent === 0 ? "" : leftOut };
}

/** The height in a `run` step, in JSON; 0 for any other step. */
function endOf(json: string): number {
  const { run } = JSON.parse(json || "{}");
  return isMap(run) && typeof run.to === "number" ? run.to : 0;
}
