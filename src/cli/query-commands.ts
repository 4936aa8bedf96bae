/** The command lines of `chainlab query upgrade`; upgrade document §4. */
import {
  buildCommand,
  buildRouteMap,
  type CommandContext,
  type StricliProcess,
} from "@stricli/core";
import type { CliContext } from "./context.ts";
import { readHeight } from "./flags.ts";
import { applied, ask, authority, moduleVersions, plan, type QueryFlags } from "./query.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: CliContext;
}

const flags = {
  scenario: {
    kind: "parsed",
    brief: "The chain that this scenario file leads to",
    parse: String,
    placeholder: "FILE",
  },
  height: {
    kind: "parsed",
    brief: "The state after this height instead of the newest",
    parse: readHeight,
    placeholder: "HEIGHT",
    optional: true,
  },
  output: {
    kind: "enum",
    brief: "How the answer is printed",
    values: ["text", "json"],
    default: "text",
  },
} as const;

const nothing = { kind: "tuple", parameters: [] } as const;
const named = (brief: string) => ({ brief, parse: String, placeholder: "NAME" });

const upgrade = buildRouteMap<string, Context>({
  docs: { brief: "The scheduled plan, applied upgrades and module versions" },
  // Both spellings are in use.
  aliases: { module_versions: "moduleVersions" },
  routes: {
    plan: buildCommand<QueryFlags, [], Context>({
      docs: { brief: "The upgrade plan, if there is one" },
      parameters: { flags, positional: nothing },
      async func(given) {
        this.process.exitCode = await ask(this.lab, plan, given);
      },
    }),
    applied: buildCommand<QueryFlags, [string], Context>({
      docs: { brief: "The header of the block at which an upgrade was applied" },
      parameters: {
        flags,
        positional: { kind: "tuple", parameters: [named("Name of the upgrade")] },
      },
      async func(given, name) {
        this.process.exitCode = await ask(this.lab, applied(name), given);
      },
    }),
    moduleVersions: buildCommand<QueryFlags, [string?], Context>({
      docs: { brief: "Modules with their consensus versions" },
      parameters: {
        flags,
        positional: {
          kind: "tuple",
          parameters: [{ ...named("This module alone"), optional: true }],
        },
      },
      async func(given, name) {
        this.process.exitCode = await ask(this.lab, moduleVersions(name), given);
      },
    }),
    authority: buildCommand<QueryFlags, [], Context>({
      docs: { brief: "The account that may schedule and cancel upgrades" },
      parameters: { flags, positional: nothing },
      async func(given) {
        this.process.exitCode = await ask(this.lab, authority, given);
      },
    }),
  },
});

export const queryCommands = buildRouteMap<string, Context>({
  docs: { brief: "Asks the chain that a scenario leads to" },
  routes: { upgrade },
});
