/** A scenario as others run it: a line for a shell, and a test for CI. */

/** A word of a shell's line, in quotes where it needs them. */
const word = (text: string): string =>
  /^[\w./@:=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A file as a program takes it: no option, whatever it begins with. */
const path = (file: string): string => word(file.startsWith("-") ? `./${file}` : file);

/** The command line that runs a file. */
export const runLine = (file: string): string => `npx chainlab run ${path(file)}`;

/** A test of vitest that runs a file, which stands beside it, and fails with the step that fails. */
export const testOf = (
  title: string,
  file: string,
): string => `import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "vitest";

// Beside this file, wherever the test is run from; a chain may take longer than a test usually does.
const file = join(import.meta.dirname, ${JSON.stringify(file)});

test(${JSON.stringify(title)}, { timeout: 600_000 }, () => {
  execFileSync("npx", ["chainlab", "run", file], { stdio: "inherit" });
});
`;

/** The lines that keep a world's file in a folder, and ask it there. */
export const importLines = (file: string): string =>
  `npx chainlab worlds import ${path(file)} --data lab\nnpx chainlab query chain-status --data lab\n`;
