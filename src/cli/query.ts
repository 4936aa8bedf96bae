/** `chainlab query`: runs a scenario and asks the chain that is there at its end. */
import type { AskedChain, CliContext } from "./context.ts";
import { faultLine } from "./output.ts";
import { FAILED, PASSED, UNUSABLE } from "./run.ts";
import { toYaml } from "./yaml.ts";

export interface QueryFlags {
  readonly scenario: string;
  /** The state after which is asked about; the newest unless given. */
  readonly height?: number;
  readonly output: "text" | "json";
}

/** Asks the chain one thing. Throws an Error with the chain's own text. */
export type Question = (chain: AskedChain, height: number) => Answer;

interface Answer {
  readonly value: unknown;
  /** Printed as JSON whatever is asked for. */
  readonly json?: true;
}

const UPGRADE = "chain.upgrade.v1beta1.Query";

/** The plan alone, or an empty object if there is none. */
export const plan: Question = (chain, height) => {
  const answer = chain.query(`${UPGRADE}/CurrentPlan`, {}, height) as { readonly plan: unknown };
  return { value: answer.plan ?? {} };
};

export const moduleVersions =
  (name = ""): Question =>
  (chain, height) => ({
    value: chain.query(`${UPGRADE}/ModuleVersions`, { module_name: name }, height),
  });

export const authority: Question = (chain, height) => ({
  value: chain.query(`${UPGRADE}/Authority`, {}, height),
});

/** The header of the block; its height alone where the profile shows no more; or an empty object. */
export const applied =
  (name: string): Question =>
  (chain, height) => {
    const found = chain.appliedUpgrade(name, height);
    if (found.height === 0) return { value: {} };
    if (found.meta) return { value: snakeCased(found.meta), json: true };
    return { value: { height: `${found.height}` } };
  };

/** Prints an answer; returns the exit status. */
export async function ask(
  { stdout, stderr, readFile, scenarios }: CliContext,
  question: Question,
  { scenario: file, height = 0, output }: QueryFlags,
): Promise<number> {
  let text: string;
  try {
    text = await readFile(file);
  } catch (error) {
    stderr.write(`${file}: cannot be read: ${(error as Error).message}\n`);
    return UNUSABLE;
  }
  const outline = scenarios.check(text, file);
  if (!("steps" in outline)) {
    for (const fault of outline) stderr.write(faultLine(fault));
    return UNUSABLE;
  }
  try {
    const { value, json = output === "json" } = question(scenarios.chainAfter(text, file), height);
    stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : toYaml(value));
    return PASSED;
  } catch (error) {
    stderr.write(`${file}: ${(error as Error).message}\n`);
    return FAILED;
  }
}

/** A message's fields by the names they have on the chain's own interfaces. */
function snakeCased(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCased(field),
    ]),
  );
}
