/** Builds the command line as one script with its bytecode beside it, and the file that starts it. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";
import { ROOT } from "./setup.mjs";

/** Most of what a command needs is needed by this one: reading files, the chain, its queries. */
const USUAL = ["run", join(ROOT, "public/scenarios/double-sign.yaml")];

export function oneProgram(): Plugin {
  return {
    name: "chainlab:one-program",
    apply: "build",
    generateBundle(_, bundle) {
      const program = programIn(bundle);
      // Function that begin-program.mjs calls.
      program.code = inAscii(`(function (exports, require, __filename) {${program.code}\n})`);
      const begin = readFileSync(join(ROOT, "tools/begin-program.mjs"), "utf8");
      const source = begin.replace('"PROGRAM"', JSON.stringify(program.fileName));
      this.emitFile({ type: "asset", fileName: "main.js", source });
    },
    writeBundle({ dir = "" }, bundle) {
      const program = join(dir, programIn(bundle).fileName);
      const keep = join(ROOT, "tools/keep-bytecode.mjs");
      const stdio = ["ignore", "ignore", 2] as const;
      const { status } = spawnSync(process.execPath, [keep, program, ...USUAL], {
        stdio: [...stdio],
      });
      if (status !== 0) this.error(`the program that was built cannot ${USUAL.join(" ")}`);
    },
  };
}

/** Code with escapes for what is not ASCII: Node takes it as it is, and keeps it in one byte per character. */
const inAscii = (code: string): string =>
  code.replace(/\\?([\u0080-\uffff])|\\./gs, (text, unit?: string) =>
    unit === undefined ? text : `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

function programIn(bundle: Rolldown.OutputBundle): Rolldown.OutputChunk {
  const program = Object.values(bundle).find((output) => output.type === "chunk");
  if (program === undefined) throw new Error("no program was built");
  return program;
}
