/**
 * Loads the YAML reader and its library lazily in the command line's bundle, with the first YAML text. A single bundle
 * would load them together with the JSON reader.
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
