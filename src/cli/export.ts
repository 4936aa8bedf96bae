/** `chainlab export`: runs a scenario and prints the chain's state as a genesis file. */
import { errorText } from "../input/error-text.ts";
import { visibleJson, visibleText } from "../input/visible-text.ts";
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
    const { genesis, problem } = scenarios.exportGenesis(text, file, height);
    stdout.write(`${visibleJson(genesis)}\n`);
    // A node exports such a state too, and refuses to begin from it.
    if (problem !== undefined) {
      stderr.write(
        `${file}: no chain begins from this genesis as it is: ${visibleText(problem)}\n`,
      );
    }
    return PASSED;
  } catch (error) {
    stderr.write(`${file}: ${errorText(error)}\n`);
    return FAILED;
  }
}
