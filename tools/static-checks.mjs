/** What holds without running the product: a name, the tool's file below node_modules, its arguments. */
/** @type {readonly { name: string, tool: string, args: readonly string[] }[]} */
export const STATIC_CHECKS = [
  {
    name: "format and lint",
    tool: "@biomejs/biome/bin/biome",
    args: ["check", "--error-on-warnings", "."],
  },
  { name: "wire contract", tool: "@bufbuild/buf/bin/buf", args: ["lint"] },
  { name: "types", tool: "typescript/bin/tsc", args: ["-b"] },
  { name: "architecture", tool: "tsx/dist/cli.mjs", args: ["tools/architecture.ts"] },
  { name: "licences of dependencies", tool: "tsx/dist/cli.mjs", args: ["tools/licences.ts"] },
  { name: "nothing is unused", tool: "knip/bin/knip.js", args: ["--no-progress"] },
];
