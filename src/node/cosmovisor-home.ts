/** Sets up a home for Cosmovisor: a launcher for each binary, where Cosmovisor expects it. */
import { chmodSync, mkdirSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { writeAtomically } from "./home.ts";

/** The name of the daemon, for DAEMON_NAME. */
const DAEMON = "chainlabd";

/** Quotes a text for the shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Writes launchers below `cosmovisor/`: the first binary is that of the genesis, each other one
 * that of the upgrade with its name. Returns the settings that Cosmovisor needs.
 */
export function layOutCosmovisor(
  home: string,
  binaries: readonly string[],
  program: string,
): readonly string[] {
  const path = resolve(home);
  for (const [index, binary] of binaries.entries()) {
    // Cosmovisor expects lower-case names.
    const folder = index === 0 ? "genesis" : join("upgrades", binary.toLowerCase());
    const bin = join(path, "cosmovisor", folder, "bin");
    mkdirSync(bin, { recursive: true });
    const launcher = join(bin, DAEMON);
    const command = [process.execPath, realpathSync(program)].map(quoted).join(" ");
    const lines = [
      "#!/bin/sh",
      `CHAINLAB_HOME=${quoted(path)} exec ${command} --binary ${quoted(binary)} "$@"`,
    ];
    writeAtomically(launcher, `${lines.join("\n")}\n`);
    chmodSync(launcher, 0o755);
  }
  return [`DAEMON_NAME=${DAEMON}`, `DAEMON_HOME=${path}`];
}
