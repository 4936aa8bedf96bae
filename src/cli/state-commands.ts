/** The command lines of `chainlab export` and `chainlab genesis`. */
import {
  buildCommand,
  buildRouteMap,
  type CommandContext,
  type StricliProcess,
} from "@stricli/core";
import type { RunContext } from "./context.ts";
import { type ExportFlags, exportFile, exportHome, validateGenesis } from "./export.ts";
import { readHeight } from "./flags.ts";
import { UNUSABLE } from "./run.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

export const exportCommand = buildCommand<
  ExportFlags & { readonly home?: string },
  [string?],
  Context
>({
  docs: {
    brief: "Prints the state of a chain as a genesis file: after a scenario, or of a home",
    customUsage: ["FILE [--height HEIGHT]", "--home DIR [--height HEIGHT]"],
    fullDescription:
      "Runs a scenario file, or reads the chain of a home with or without a running node, and prints the state of the chain as a genesis file. Exit status 0: printed; 1: a step failed or there is no such height; 2: the file is invalid or could not be read. Examples: chainlab export story.yaml --height 12 > genesis.json; chainlab export --home ~/lab > genesis.json",
  },
  parameters: {
    flags: {
      height: {
        kind: "parsed",
        brief: "State after this height. Default: the last",
        parse: readHeight,
        placeholder: "HEIGHT",
        optional: true,
      },
      home: {
        kind: "parsed",
        brief: "The home of the chain, instead of a file",
        parse: String,
        placeholder: "DIR",
        optional: true,
      },
    },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "A scenario file, YAML or JSON",
          parse: String,
          placeholder: "FILE",
          optional: true,
        },
      ],
    },
  },
  async func({ home, ...flags }, file) {
    const { lab } = this;
    const both = home !== undefined && file !== undefined;
    if (both) lab.stderr.write("expected FILE or --home DIR, found both\n");
    const usual = home ?? lab.nodes?.usualHome() ?? "";
    if (both) this.process.exitCode = UNUSABLE;
    else if (file === undefined) this.process.exitCode = await exportHome(lab, usual, flags);
    else this.process.exitCode = await exportFile(lab, file, flags);
  },
});

export const genesisCommands = buildRouteMap<string, Context>({
  docs: { brief: "Checks genesis files" },
  routes: {
    validate: buildCommand<Record<never, never>, [string], Context>({
      docs: {
        brief: "Validates a genesis file",
        fullDescription:
          "Reads a genesis file like chainlab start --genesis, and lists its problems. Exit status 0: a chain can start from it; 2: it is invalid or could not be read. Example: chainlab genesis validate ~/lab/config/genesis.json",
      },
      parameters: {
        positional: {
          kind: "tuple",
          parameters: [{ brief: "A genesis file", parse: String, placeholder: "FILE" }],
        },
      },
      async func(_, file) {
        this.process.exitCode = await validateGenesis(this.lab, file);
      },
    }),
  },
});
