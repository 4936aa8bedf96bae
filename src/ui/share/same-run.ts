/** Ways to run a scenario elsewhere: a command line, and a test for CI. */

/** A shell word, quoted if necessary. */
const word = (text: string): string =>
  /^[\w./@:=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A file as an argument: never an option, whatever its first character. */
const path = (file: string): string => word(file.startsWith("-") ? `./${file}` : file);

/** The command line that runs a file. */
export const runLine = (file: string): string => `npx chainlab run ${path(file)}`;

/** A vitest test that runs a file beside it, and fails with the failed step. */
export const testOf = (
  title: string,
  file: string,
): string => `import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "vitest";

// Relative to this file, whatever the working directory; a chain may take longer than the default
// timeout.
const file = join(import.meta.dirname, ${JSON.stringify(file)});

test(${JSON.stringify(title)}, { timeout: 600_000 }, () => {
  execFileSync("npx", ["chainlab", "run", file], { stdio: "inherit" });
});
`;

/** Command lines that import a world's file into a folder, and query it there. */
export const importLines = (file: string): string =>
  `npx chainlab worlds import ${path(file)} --data lab\nnpx chainlab query chain-status --data lab\n`;
