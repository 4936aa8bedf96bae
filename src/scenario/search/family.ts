/** Parses files as families of cases. */

import { formatDuration } from "../../base/duration.ts";
import { INSIDE, WHOLE } from "../../base/reference-syntax.ts";
import { parseFamily } from "../parse.ts";
import type { PlacedProblem } from "../problems.ts";
import { type SourceObject, stepsOf } from "../varied.ts";
import type { Disturb, Variation } from "../vary.ts";
import type { FamilyFile } from "./search.ts";

/** All cases of a file. Plain data. */
export interface Family {
  readonly file: string;
  /** The file's own case, including the imported genesis. */
  readonly source: SourceObject;
  readonly vary: readonly Variation[];
  readonly disturb: readonly Disturb[];
  readonly steps: readonly unknown[];
  readonly nodes: readonly string[];
  /** Each node's own validator stake at genesis. */
  readonly stakes: readonly string[];
  readonly denom: string;
  readonly binaries: readonly string[];
  /** In duration format. */
  readonly blockTime: string;
  /** For each step, the indexes of the steps whose results it refers to. */
  readonly needs: readonly (readonly number[])[];
}

/** Parses a file as a family; one without variations is a family of one case. */
export function readFamily({
  file,
  text,
  imports,
}: FamilyFile): { readonly family: Family } | { readonly problems: readonly PlacedProblem[] } {
  const read = parseFamily(text, file, (path) => {
    if (!Object.hasOwn(imports, path)) throw new Error("it is not here");
    return { file: path, text: imports[path] ?? "" };
  });
  if ("problems" in read) return read;
  const { scenario, source, vary, disturb } = read;
  const { validators, binaries, staking, blockTime } = scenario.spec;
  const steps = stepsOf(source);
  return {
    family: {
      ...{ file, source, vary, disturb, steps, needs: needsOf(steps) },
      nodes: validators.map(({ name }) => name),
      stakes: validators.map(({ stake }) => stake.toString()),
      denom: staking.bondDenom,
      binaries: binaries.map(({ name }) => name),
      blockTime: formatDuration(blockTime),
    },
  };
}

function needsOf(steps: readonly unknown[]): readonly (readonly number[])[] {
  const named = new Map<string, number>();
  return steps.map((step, index) => {
    const needed = new Set<number>();
    for (const name of namesIn(step)) {
      const at = named.get(name);
      if (at !== undefined) needed.add(at);
    }
    const as = (step as SourceObject | null)?.as;
    if (typeof as === "string") named.set(as, index);
    return [...needed];
  });
}

/** Names at the start of the references in a value. */
function namesIn(value: unknown): readonly string[] {
  if (typeof value === "string") {
    const whole = WHOLE.exec(value)?.[1];
    const inside = Array.from(value.matchAll(INSIDE), (match) => match[1] ?? "");
    return [...(whole === undefined ? [] : [whole]), ...inside].map(
      (expression) => expression.split(".")[0] ?? "",
    );
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(namesIn) : [];
}
