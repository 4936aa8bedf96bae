/** Checks without running the product: a name and the arguments of Node, the slowest first. */
/** @type {readonly { name: string, command: readonly string[] }[]} */
export const STATIC_CHECKS = [
  { name: "types", command: ["node_modules/typescript/bin/tsc", "-b"] },
  { name: "architecture", command: ["--import", "tsx", "tools/architecture.ts"] },
  {
    name: "format and lint",
    command: ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."],
  },
  { name: "nothing is unused", command: ["node_modules/knip/bin/knip.js", "--no-progress"] },
  { name: "licences of dependencies", command: ["--import", "tsx", "tools/licences.ts"] },
  { name: "wire contract", command: ["node_modules/@bufbuild/buf/bin/buf", "lint"] },
];
