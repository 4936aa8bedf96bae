/** `chainlab export`: runs a scenario and prints the chain's state as a genesis file. */
import type { CliContext } from "./context.ts";
import { faultLine } from "./output.ts";
import { FAILED, PASSED, UNUSABLE } from "./run.ts";

export interface ExportFlags {
  /** The height after which; the last one unless given. */
  readonly height?: number;
}

/** Returns the exit status. */
export async function exportFile(
  { stdout, stderr, readFile, scenarios }: CliContext,
  file: string,
  { height }: ExportFlags,
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
    stdout.write(`${scenarios.exportGenesis(text, file, height)}\n`);
    return PASSED;
  } catch (error) {
    stderr.write(`${file}: ${(error as Error).message}\n`);
    return FAILED;
  }
}
