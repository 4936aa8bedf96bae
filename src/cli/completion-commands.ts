/** The command line of `chainlab completion`. */
import {
  buildCommand,
  buildRouteMap,
  type CommandContext,
  type StricliProcess,
} from "@stricli/core";
import type { RunContext } from "./context.ts";

interface Context extends CommandContext {
  readonly process: StricliProcess;
  readonly lab: RunContext;
}

export const completionCommands = buildRouteMap<string, Context>({
  docs: { brief: "Prints scripts for tab completion" },
  routes: {
    bash: buildCommand<Record<never, never>, [], Context>({
      docs: {
        brief: "Prints a script for bash",
        fullDescription:
          "Prints a script for tab completion of commands and flags in bash. Example: source <(chainlab completion bash)",
      },
      parameters: {},
      async func() {
        this.lab.stdout.write(BASH);
      },
    }),
  },
});

/** Called by the completion script: all words so far, the last of them incomplete. */
export const COMPLETE = "__complete";

const BASH = `_chainlab() {
  local IFS=$'\\n'
  COMPREPLY=($(chainlab ${COMPLETE} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _chainlab chainlab
`;
