/**
 * Loads Node's built-in modules lazily in the command line's bundle: on the first run of a module that imports them. A
 * single bundle would load all of them at startup, servers included, for about 5 % of the time of a short command.
 */
import { isBuiltin } from "node:module";
import type { Plugin } from "vite";

const LATE = "\0late:";

export function lateBuiltins(): Plugin {
  return {
    name: "chainlab:late-builtins",
    apply: "build",
    enforce: "pre",
    resolveId(source, importer = "") {
      if (!isBuiltin(source)) return undefined;
      return importer.startsWith(LATE) ? { id: source, external: true } : LATE + source;
    },
    load: (id) =>
      id.startsWith(LATE)
        ? `module.exports = require(${JSON.stringify(id.slice(LATE.length))});`
        : undefined,
  };
}
