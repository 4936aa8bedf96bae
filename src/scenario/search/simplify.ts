/**
 * Shrinks a violated case: the result still violates the property, and nothing more can be left
 * out.
 */
import { isMap } from "../fields.ts";
import type { Path } from "../problems.ts";
import { isOff } from "../read-step.ts";
import { type SourceObject, stepsOf, valueAt, withValue } from "../varied.ts";
import type { Acts } from "./acts.ts";
import { sourceStepText } from "./source-step-text.ts";
import type { Trial } from "./trial.ts";

/** Keys that describe a story without affecting it. */
const DESCRIPTIVE = ["title", "about", "group", "level", "minutes", "pace"];
const PROPERTIES = ["always", "never", "eventually", "sometimes"] as const;
/** Nested parameters of the genesis. */
const PARTS = ["slashing", "staking", "gov", "accounts"];

/** Decides if acts may be left out, from the previous case to the next. */
type MayLeaveOut = (from: SourceObject, to: SourceObject) => boolean;

/** Maximum acts among those drawn away that are put back one by one; a few represent all. */
const MOST_PUT_BACK = 8;

/**
 * Reduces a violated case to the smallest one that the trial still finds violated. If the case in
 * the file holds, the drawn parts stay necessary: an act is not left out if the case in the file
 * would be violated without it too, alone or with fewer drawn parts.
 */
export function simplify(found: SourceObject, trial: Trial, acts: Acts): SourceObject {
  const drawn = bare(found);
  let value = withOneProperty(drawn, trial);
  value = cutBehind(value, trial);
  const mayLeaveOut = guardOf({ value: value, drawn }, trial, acts);
  value = smallestSteps(value, trial, mayLeaveOut);
  const plain = plainGenesis(value, trial);
  if (plain !== value) value = smallestSteps(plain, trial, mayLeaveOut);
  const joined = withJoinedRuns(value, trial);
  return joined === value ? value : shortened(joined, trial, mayLeaveOut);
}

function guardOf(
  { value, drawn }: { readonly value: SourceObject; readonly drawn: SourceObject },
  trial: Trial,
  acts: Acts,
): MayLeaveOut {
  if (trial.verdict(acts.without([])).is !== "holds") return () => true;
  const away = acts.missingIn(drawn);
  const behind = new Set(acts.missingIn(value));
  return (from, to) => {
    const gone = acts.missingIn(to).filter((act) => !behind.has(act));
    if (gone.length === acts.missingIn(from).filter((act) => !behind.has(act)).length) return true;
    const less = away.slice(0, MOST_PUT_BACK).map((back) => away.filter((act) => act !== back));
    return [[], ...less].every(
      (others) => trial.verdict(acts.without([...gone, ...others])).is !== "violated",
    );
  };
}

export const withoutStep = (value: SourceObject, index: number): SourceObject => ({
  ...value,
  steps: stepsOf(value).toSpliced(index, 1),
});

/** The case without its descriptions. */
export function bare(value: SourceObject): SourceObject {
  const essential = Object.fromEntries(
    Object.entries(value).filter(([key]) => !DESCRIPTIVE.includes(key)),
  );
  const steps = stepsOf(value)
    .filter((step) => !isOff(step))
    .map((step) => (isMap(step) ? untold(step) : step));
  return { ...essential, steps };
}

const untold = ({ note: _, show: __, ...step }: Readonly<Record<string, unknown>>) => step;

function withOneProperty(value: SourceObject, trial: Trial): SourceObject {
  let least = value;
  for (const key of PROPERTIES) {
    const listed = least[key];
    if (!Array.isArray(listed)) continue;
    for (let i = listed.length - 1; i >= 0; i--) {
      const others = (least[key] as readonly unknown[]).toSpliced(i, 1);
      const { [key]: _, ...rest } = least;
      const without = others.length === 0 ? rest : { ...least, [key]: others };
      if (trial.stillViolates(without, `leave out a property under ${key}`)) least = without;
    }
  }
  return least;
}

/** The case without the steps after the violation. */
function cutBehind(value: SourceObject, trial: Trial): SourceObject {
  const verdict = trial.verdict(value);
  const last = verdict.is === "violated" ? verdict.violation.step : undefined;
  const steps = stepsOf(value);
  if (last === undefined || last + 1 >= steps.length) return value;
  const cut = { ...value, steps: steps.slice(0, last + 1) };
  return trial.stillViolates(cut, `leave out all that follows step ${last + 1}`) ? cut : value;
}

function smallestSteps(found: SourceObject, trial: Trial, mayLeaveOut: MayLeaveOut): SourceObject {
  for (let value = found; ; ) {
    const less = shortened(withFewerSteps(value, trial, mayLeaveOut), trial, mayLeaveOut);
    if (less === value || trial.isSpent) return less;
    value = less;
  }
}

/** Joins two consecutive runs: the steps between them are gone. */
function withJoinedRuns(found: SourceObject, trial: Trial): SourceObject {
  let value = found;
  for (let index = stepsOf(value).length - 1; index > 0; index--) {
    const steps = stepsOf(value);
    const [before, after] = [roundsOf(steps[index - 1]), roundsOf(steps[index])];
    if (before === undefined || after === undefined) continue;
    const rounds = before + after;
    const words = `steps ${index} and ${index + 1}: one run of ${counted(rounds)}`;
    const joined = { ...value, steps: steps.toSpliced(index - 1, 2, { run: { rounds } }) };
    if (trial.stillViolates(joined, words)) value = joined;
  }
  return value;
}

/** Number of rounds of a step that only runs the chain; undefined for any other. */
function roundsOf(step: unknown): number | undefined {
  if (!isMap(step) || Object.keys(step).length !== 1) return undefined;
  const { run } = step;
  const rounds = isMap(run) && Object.keys(run).length === 1 ? run.rounds : run;
  return typeof rounds === "number" ? rounds : undefined;
}

/**
 * Leaves out halves of the steps, then quarters, down to one at a time, until none can be left out.
 */
function withFewerSteps(found: SourceObject, trial: Trial, mayLeaveOut: MayLeaveOut): SourceObject {
  let value = found;
  let size = Math.ceil(stepsOf(value).length / 2);
  while (size >= 1) {
    const before = value;
    for (let end = stepsOf(value).length; end > 0; end -= size) {
      const start = Math.max(0, end - size);
      const steps = stepsOf(value);
      const without = { ...value, steps: steps.toSpliced(start, end - start) };
      const words = leftOut(steps.slice(start, end), start);
      if (mayLeaveOut(value, without) && trial.stillViolates(without, words)) value = without;
    }
    if (size > 1) size = Math.ceil(size / 2);
    else if (value === before) break;
  }
  return value;
}

const leftOut = (steps: readonly unknown[], start: number): string =>
  steps.length === 1
    ? `leave out step ${start + 1}, ${steps.map(sourceStepText).join("")}`
    : `leave out steps ${start + 1} to ${start + steps.length}`;

/** Fewer blocks, shorter faults and fewer names in each step. */
function shortened(found: SourceObject, trial: Trial, mayLeaveOut: MayLeaveOut): SourceObject {
  let value = found;
  const replace = (index: number, path: Path, by: unknown, words: string): boolean => {
    const steps = stepsOf(value);
    const without = { ...value, steps: steps.with(index, withValue(steps[index], path, by)) };
    if (!mayLeaveOut(value, without)) return false;
    if (!trial.stillViolates(without, `step ${index + 1}: ${words}`)) return false;
    value = without;
    return true;
  };
  stepsOf(found).forEach((step, index) => {
    // An awaited proposal could not be left out.
    if (valueAt(step, ["run", "until", "proposal"]) !== undefined) {
      const rounds = blocksOf(value, index, trial);
      replace(index, ["run"], { rounds }, `${counted(rounds)} instead of until a proposal ends`);
    }
    for (const path of COUNTED) {
      const most = valueAt(stepsOf(value)[index], path);
      if (typeof most !== "number" || most < 2) continue;
      let works = most;
      // The smallest number that works, assuming monotonicity.
      for (let least = 0; works - least > 1; ) {
        const tried = least === 0 && works === most ? 1 : Math.floor((least + works) / 2);
        if (replace(index, path, tried, `${path.join(".")} ${tried} instead of ${works}`))
          works = tried;
        else least = tried;
      }
    }
    for (const path of LISTED) {
      for (let i = 0; ; ) {
        const names = valueAt(stepsOf(value)[index], path);
        if (!Array.isArray(names) || names.length < 2 || i >= names.length) break;
        if (!replace(index, path, names.toSpliced(i, 1), `without ${names[i]}`)) i += 1;
      }
    }
  });
  return value;
}

/** Number of blocks that a step makes, or of rounds if the chain is halted. */
function blocksOf(value: SourceObject, index: number, trial: Trial): number {
  const verdict = trial.verdict(value);
  const heights = verdict.is === "unsound" ? [] : verdict.run.heights;
  const end = heights[index] ?? (verdict.is === "violated" ? verdict.violation.height : 0);
  return Math.max(1, end - (heights[index - 1] ?? 0));
}

const counted = (rounds: number): string => `${rounds} round${rounds === 1 ? "" : "s"}`;

const COUNTED = [["run"], ["run", "rounds"], ["run", "to"], ["fault", "for"]];
const LISTED: readonly Path[] = [
  ["nodes", "which"],
  ["fault", "groups", 0],
  ["vote", "by"],
  ["light_client_attack", "by"],
  ["misbehavior", "validators"],
];

/** The case with default genesis parameters, and without unneeded binaries. */
function plainGenesis(found: SourceObject, trial: Trial): SourceObject {
  let value = found;
  const leaveOut = (path: readonly string[]): void => {
    const without = removed(value, path) as SourceObject;
    if (trial.stillViolates(without, `leave out ${path.join(".")}`)) value = without;
  };
  for (const name of Object.keys(Object(value.binaries))) leaveOut(["binaries", name]);
  for (const name of Object.keys(Object(value.genesis))) {
    const whole = ["genesis", name];
    leaveOut(whole);
    const left = valueAt(value, whole);
    if (!PARTS.includes(name) || !isMap(left)) continue;
    for (const key of Object.keys(left)) leaveOut([...whole, key]);
  }
  return value;
}

/** The same without the value at a path, and without maps that are then empty. */
function removed(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined || !isMap(value)) return value;
  const { [key]: inner, ...others } = value;
  const less = rest.length > 0 ? removed(inner, rest) : undefined;
  return isMap(less) && Object.keys(less).length > 0 ? { ...value, [key]: less } : others;
}
