/** `chainlab record`: the actions of a world as a scenario. */
import { buildCommand, type CommandContext, type StricliProcess } from "@stricli/core";
import { errorText } from "../base/error-text.ts";
import type { Recorded, RunContext } from "./context.ts";
import { inFolder } from "./folder.ts";
import { FAILED, PASSED, UNUSABLE } from "./run.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

interface Flags {
  readonly home?: string;
  readonly data?: string;
}

const folder = (brief: string) =>
  ({ kind: "parsed", brief, parse: String, placeholder: "DIR", optional: true }) as const;

export const recordCommand = buildCommand<Flags, [string?], Context>({
  docs: {
    brief: "Prints a scenario that reproduces a world",
    fullDescription:
      "Prints a world as a scenario file: its genesis, its actions as steps, and runs between them. Queries the node of a home if it runs, and reads the disk otherwise. An action that no step can express becomes a comment, and the exit status is 1. Examples: chainlab record --home ~/lab > story.yaml; chainlab record --data worlds crime",
  },
  parameters: {
    flags: {
      home: folder("Home of the chain. Default: the standard home"),
      data: folder("A folder of worlds instead"),
    },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "Name or id of a world. Default: the only one",
          parse: String,
          placeholder: "WORLD",
          optional: true,
        },
      ],
    },
  },
  async func(flags, world) {
    this.process.exitCode = await record(this.lab, flags, world);
  },
});

/** Returns the exit status. */
async function record(
  context: RunContext,
  { home, data }: Flags,
  world: string | undefined,
): Promise<number> {
  const { here, nodes, stderr } = context;
  if (home !== undefined && data !== undefined) {
    stderr.write("expected --home DIR or --data DIR, found both\n");
    return UNUSABLE;
  }
  try {
    if (here !== undefined) return print(context, await here.lab.recordScenario({}));
    const usual = home ?? nodes?.usualHome() ?? "";
    if (data === undefined && nodes !== undefined) {
      const runs = await nodes.status(usual, undefined).then(
        () => true,
        () => false,
      );
      if (runs) {
        const { lab } = await nodes.reach({ home: usual });
        return print(context, await lab.recordScenario({}));
      }
    }
    return inFolder(context, data ?? `${usual}/data`, async (worlds) =>
      print(context, await worlds.record(world)),
    );
  } catch (error) {
    stderr.write(`${errorText(error)}\n`);
    return FAILED;
  }
}

function print({ stdout, stderr }: RunContext, { text, leftOut }: Recorded): number {
  stdout.write(text);
  for (const sentence of leftOut) stderr.write(`left out: ${sentence}\n`);
  return leftOut.length === 0 ? PASSED : FAILED;
}
