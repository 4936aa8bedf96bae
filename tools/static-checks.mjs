const BIOME = [
  "node_modules/@biomejs/biome/bin/biome",
  ...["check", "--error-on-warnings", "--no-errors-on-unmatched"],
];

/**
 * Checks without running the product: a name and the arguments of Node, the slowest first.
 * @param {readonly string[]} files those to format and lint; all others are checked for what spans files
 * @returns {readonly { name: string, command: readonly string[] }[]}
 */
export const staticChecks = (files = ["."]) => [
  { name: "types", command: ["node_modules/typescript/bin/tsc", "-b"] },
  { name: "architecture", command: ["--import", "tsx", "tools/architecture.ts"] },
  {
    name: "format and lint",
    command: [...BIOME, ...files],
  },
  { name: "nothing is unused", command: ["node_modules/knip/bin/knip.js", "--no-progress"] },
  { name: "licences of dependencies", command: ["--import", "tsx", "tools/licences.ts"] },
  { name: "wire contract", command: ["node_modules/@bufbuild/buf/bin/buf", "lint"] },
];
