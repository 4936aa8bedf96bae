/** A scenario as others run it: a line for a shell, and a test for CI. */

/** A word of a shell's line, in quotes where it needs them. */
const word = (text: string): string =>
  /^[\w./@:=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The command line that runs a file. */
export const runLine = (file: string): string => `npx chainlab run ${word(file)}`;

/** A test of vitest that runs a file, which stands beside it, and fails with the step that fails. */
export const testOf = (
  title: string,
  file: string,
): string => `import { execFileSync } from "node:child_process";
import { test } from "vitest";

test(${JSON.stringify(title)}, () => {
  execFileSync("npx", ["chainlab", "run", ${JSON.stringify(file)}], { stdio: "inherit" });
});
`;

/** The lines that keep a world's file in a folder, and ask it there. */
export const importLines = (file: string): string =>
  `npx chainlab worlds import ${word(file)} --data lab\nnpx chainlab query chain-status --data lab\n`;
