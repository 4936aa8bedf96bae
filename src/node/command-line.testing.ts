import { setTimeout } from "node:timers/promises";
import type { CliContext } from "../cli/context.ts";
import { main } from "../cli/main.ts";
import { beginFile, readText } from "./files.ts";
import { createNodeCommands } from "./node-commands.ts";
import { PROGRAM } from "./program.testing.ts";
import { createScenarioLab } from "./scenario-lab.ts";
import { createSearchLab } from "./search-lab.ts";
import { createWallet } from "./wallet.ts";
import { openMemory, openWorldFile, openWorldFolder, readWorld } from "./world-folder.ts";

const BUILD = "this-build";

interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line with piped input. */
export const chainlabWith = (input: string, ...line: readonly string[]): Promise<Ran> =>
  chainlabIn({ wallet: async () => ({ ...createWallet(), input: async () => input }) }, ...line);

/** Runs one command line with a modified context. */
export async function chainlabIn(
  other: Partial<CliContext>,
  ...line: readonly string[]
): Promise<Ran> {
  const written = { stdout: "", stderr: "" };
  const output = (name: keyof typeof written) => ({
    write(text: string) {
      written[name] += text;
    },
  });
  const context: CliContext = {
    stdout: output("stdout"),
    stderr: output("stderr"),
    readFile: async (path) => readText(path),
    writeFile: async () => {},
    checkWritable: async () => {},
    beginFile: async (path, begins) => beginFile(path, { begins, name: "one of this kind" }),
    delay: (ms) => setTimeout(ms),
    scenarios: async () => createScenarioLab(PROGRAM),
    search: async () => createSearchLab(PROGRAM, async () => BUILD),
    openFolder: (path, use) => openWorldFolder(path, BUILD, use),
    openWorldFile: (path) => openWorldFile(path, BUILD),
    openMemory: async () => openMemory(BUILD),
    readWorld,
    nodes: createNodeCommands(PROGRAM, async () => BUILD),
    ...other,
  };
  return { status: await main(line, context), ...written };
}

export const chainlab = (...line: readonly string[]): Promise<Ran> => chainlabWith("", ...line);
