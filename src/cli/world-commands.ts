/** The command lines of `chainlab worlds`. */
import {
  buildCommand,
  buildRouteMap,
  type CommandContext,
  type StricliProcess,
} from "@stricli/core";
import type { RunContext, WorldFolder } from "./context.ts";
import { importWorld, inFolder, listWorlds } from "./folder.ts";
import { PASSED } from "./run.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

interface Flags {
  readonly data: string;
}

const text = (brief: string, placeholder: string) =>
  ({ kind: "parsed", brief, parse: String, placeholder }) as const;

const data = text("The folder that the worlds are in", "DIR");
const world = {
  ...text("Name or id of a world. Default: the only one", "WORLD"),
  optional: true,
} as const;
const file = text("A file with one world, as the page writes and reads it", "FILE");

const list = buildCommand<Flags & { readonly json: boolean }, [], Context>({
  docs: { brief: "Lists the worlds of a folder, the last written first" },
  parameters: {
    flags: {
      data,
      json: { kind: "boolean", brief: "Print one JSON object", default: false, withNegated: false },
    },
  },
  async func(flags) {
    this.process.exitCode = await listWorlds(this.lab, flags.data, flags);
  },
});

/** A command that runs an action on one world and reports it. */
const act = (
  brief: string,
  done: string,
  work: (folder: WorldFolder, world: string | undefined) => Promise<void>,
) =>
  buildCommand<Flags, [string?], Context>({
    docs: { brief },
    parameters: { flags: { data }, positional: { kind: "tuple", parameters: [world] } },
    async func(flags, input) {
      this.process.exitCode = await inFolder(this.lab, flags.data, async (folder) => {
        await work(folder, input);
        this.lab.stdout.write(`${done}\n`);
        return PASSED;
      });
    },
  });

const exportWorld = buildCommand<Flags, [string, string?], Context>({
  docs: { brief: "Writes a world to a file, which the page imports too" },
  parameters: { flags: { data }, positional: { kind: "tuple", parameters: [file, world] } },
  async func(flags, path, input) {
    this.process.exitCode = await inFolder(this.lab, flags.data, async (folder) => {
      await folder.exportTo(input, path);
      this.lab.stdout.write(`written to ${path}\n`);
      return PASSED;
    });
  },
});

const importFile = buildCommand<Flags, [string], Context>({
  docs: { brief: "Adds the world of a file, which the page exports too" },
  parameters: { flags: { data }, positional: { kind: "tuple", parameters: [file] } },
  async func(flags, path) {
    this.process.exitCode = await importWorld(this.lab, path, flags.data);
  },
});

export const worldCommands = buildRouteMap<string, Context>({
  docs: {
    brief:
      "Lists, exports, imports and deletes the worlds of a folder that no node runs; use lab world with a running node",
  },
  routes: {
    list,
    export: exportWorld,
    import: importFile,
    delete: act(
      "Deletes a world, which can be restored for a while",
      "deleted; worlds restore brings it back",
      (folder, input) => folder.remove(input),
    ),
    restore: act("Takes back a deletion", "restored", (folder, input) => folder.restore(input)),
  },
});
