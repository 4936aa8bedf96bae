import { plainError } from "../../framework/errors.ts";
import type { LogLine } from "../../framework/trace.ts";
import { cosmovisorLine } from "./step.ts";

/** Exit code of the new binary's `pre-upgrade` command if it has no such command. */
export const NO_SUCH_COMMAND = 1;

/**
 * Runs `pre-upgrade` of the new binary, which is already the current one (rules/sidecar 3.8).
 * `exits` are the codes of its attempts; the last one applies to all later attempts. Appends to
 * `log`; throws when the upgrade fails. Any code without a defined meaning counts as success.
 */
export function preUpgrade(exits: readonly number[], maxRetries: number, log: LogLine[]): void {
  for (let attempt = 1; attempt <= maxRetries + 1; attempt++) {
    const code = exits[Math.min(attempt, exits.length) - 1] ?? NO_SUCH_COMMAND;
    switch (code) {
      case NO_SUCH_COMMAND:
        log.push(cosmovisorLine("pre-upgrade command does not exist. continuing the upgrade."));
        return;
      case 30:
        throw plainError("pre-upgrade command failed : exit status 30");
      case 31: {
        const fields = { error: "exit status 31", attempt: `${attempt}` };
        log.push(cosmovisorLine("pre-upgrade command failed. retrying", fields, "error"));
        continue;
      }
      default:
        log.push(cosmovisorLine("pre-upgrade successful. continuing the upgrade."));
        return;
    }
  }
  throw plainError(`pre-upgrade command failed. reached max attempt of retries - ${maxRetries}`);
}
