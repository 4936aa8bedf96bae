/**
 * The first file of the built command: runs the program in one piece, with the bytecode that V8 made of it when it was
 * built. Compiling is a quarter of what a short command costs. V8 refuses bytecode of another version or under other
 * flags, and compiles as it would without. `PROGRAM` is the program's name, which names its content.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";

const filename = join(import.meta.dirname, "PROGRAM");
const bytecode = `${filename}.bytecode`;
const script = new Script(readFileSync(filename, "latin1"), {
  filename,
  cachedData: existsSync(bytecode) ? readFileSync(bytecode) : undefined,
});
/** @type {{ ended?: Promise<void> }} */
const program = {};
script.runInThisContext()(program, createRequire(filename), import.meta.filename);
await program.ended;
