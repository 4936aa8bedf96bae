/**
 * Has the command line load a module of Node's own when something that imports it begins: a script that is one piece
 * would load all of them first, those of servers too, which cost a short command a twentieth of its time.
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
