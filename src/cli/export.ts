/**
 * `chainlab export` and `chainlab genesis`: the state of a chain as a genesis file, from which
 * another can start.
 */
import { errorText } from "../base/error-text.ts";
import { visibleJson } from "../base/visible-json.ts";
import { visibleText } from "../base/visible-text.ts";
import type { QueriedChain, RunContext } from "./context.ts";
import { inFolder } from "./folder.ts";
import { FAILED, PASSED, soundText, UNUSABLE } from "./run.ts";

const GENESIS = "lab.v1.Lab/GetGenesis";

/**
 * Prints the state of a home's chain: from its running node, otherwise from disk. Returns the exit
 * status.
 */
export async function exportHome(
  context: RunContext,
  home: string,
  { height = 0 }: ExportFlags,
): Promise<number> {
  const { stdout, stderr, nodes } = context;
  const print = async (chain: QueriedChain): Promise<number> => {
    const answer = await chain.query(GENESIS, {}, height);
    stdout.write(visibleJson((answer as { readonly file: string }).file));
    return PASSED;
  };
  const runs = await nodes?.status(home, undefined).then(
    () => true,
    () => false,
  );
  try {
    if (nodes !== undefined && runs) return await print(await nodes.reach({ home }));
  } catch (error) {
    stderr.write(`${home}: ${errorText(error)}\n`);
    return FAILED;
  }
  return inFolder(context, `${home}/data`, async (folder) => {
    try {
      return await print(await folder.chain(undefined));
    } catch (error) {
      stderr.write(`${home}: ${errorText(error)}\n`);
      return FAILED;
    }
  });
}

/** Reports if a chain can start from a genesis file. Returns the exit status. */
export async function validateGenesis(context: RunContext, file: string): Promise<number> {
  const kind = await context.readFile(file).then(kindOf, () => undefined);
  // For other files, problems as a scenario are irrelevant to a genesis.
  if (kind !== "other" && (await soundText(context, file)) === undefined) return UNUSABLE;
  if (kind !== "genesis") {
    context.stderr.write(`${file}: expected a genesis file in JSON with chain_id and app_state\n`);
    return UNUSABLE;
  }
  context.stdout.write(`File at ${file} is a valid genesis file\n`);
  return PASSED;
}

/** Kind of a text, which a check alone does not determine; undefined for invalid JSON. */
function kindOf(text: string): "genesis" | "other" | undefined {
  if (!/^\ufeff?\s*\{/.test(text)) return "other";
  try {
    const { chain_id, app_state } = JSON.parse(text.replace(/^\ufeff/, ""));
    return chain_id !== undefined && app_state !== undefined ? "genesis" : "other";
  } catch {
    return undefined;
  }
}

export interface ExportFlags {
  /** Height of the state; the last one if absent. */
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
    const { genesis, problem } = (await scenarios()).exportGenesis(text, file, height);
    stdout.write(`${visibleJson(genesis)}\n`);
    // A node exports such a state too, and refuses to start from it.
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
