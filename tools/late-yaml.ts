/**
 * Has the command line begin the reader of YAML, and the library behind it, with the first text that is YAML: one piece
 * as it is, it would begin them with the reader of JSON.
 */
import type { Plugin } from "vite";

const READER = "./yaml-text.ts";
const USER = "/src/scenario/source.ts";
const LATE = "\0late-yaml:";

export function lateYaml(): Plugin {
  return {
    name: "chainlab:late-yaml",
    apply: "build",
    enforce: "pre",
    async resolveId(source, importer = "", options) {
      if (source !== READER || !importer.endsWith(USER)) return undefined;
      const reader = await this.resolve(source, importer, { ...options, skipSelf: true });
      return reader && LATE + reader.id;
    },
    load: (id) =>
      id.startsWith(LATE)
        ? `export const readYaml = (text) => require(${JSON.stringify(id.slice(LATE.length))}).readYaml(text);`
        : undefined,
  };
}
