/** `chainlab export`: runs a scenario and prints the chain's state as a genesis file. */
import { errorText } from "../input/error-text.ts";
import { visibleJson } from "../input/visible-text.ts";
import type { RunContext } from "./context.ts";
import { FAILED, PASSED, soundText, UNUSABLE } from "./run.ts";

export interface ExportFlags {
  /** The height after which; the last one unless given. */
  readonly height?: number;
}

/** Returns the exit status. */
export async function exportFile(
  context: RunContext,
  file: string,
  { height }: ExportFlags,
): Promise<number> {
  const { stdout, stderr, scenarios } = context;
  const text = await soundText(context, file);
  if (text === undefined) return UNUSABLE;
  try {
    stdout.write(`${visibleJson(scenarios.exportGenesis(text, file, height))}\n`);
    return PASSED;
  } catch (error) {
    stderr.write(`${file}: ${errorText(error)}\n`);
    return FAILED;
  }
}
