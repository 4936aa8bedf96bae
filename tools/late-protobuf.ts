/** Parses descriptors lazily in a build, including those of the library's own types (`late-descriptors.ts`). */
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const OURS = fileURLToPath(new URL("late-descriptors.ts", import.meta.url));
const GENERATED = /_pb\.[jt]s$/;
const RUNTIME = "@bufbuild/protobuf/codegenv2";
const FILE_DESC = "/codegenv2/file.js";
const DESCRIPTOR = /\bfileDesc\("([\w+/]+)"/g;
const BOTH = "\0late-protobuf";

export function lateProtobuf(): Plugin {
  return {
    name: "chainlab:late-protobuf",
    apply: "build",
    enforce: "pre",
    resolveId(source, importer = "") {
      if (!GENERATED.test(importer)) return undefined;
      if (source.endsWith(FILE_DESC)) return OURS;
      return source === RUNTIME ? BOTH : undefined;
    },
    transform: {
      filter: { id: GENERATED },
      handler: (code) => ({ code: code.replace(DESCRIPTOR, asBytes), map: null }),
    },
    load: (id) =>
      id === BOTH
        ? `export * from "${RUNTIME}"; export { fileDesc } from ${JSON.stringify(OURS)};`
        : undefined,
  };
}

/** Decodes at build time: at run time Node would need longer for base64 than for reading the outline of most files. */
const asBytes = (_: string, base64: string): string => `fileDesc(${JSON.stringify(atob(base64))}`;
