/**
 * Runs a built program once and keeps beside it the bytecode of all that this needed:
 * `node keep-bytecode.mjs PROGRAM ARGUMENTS…`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Script } from "node:vm";

const [node = "", , filename = "", ...args] = process.argv;
process.argv = [node, filename, ...args];
const script = new Script(readFileSync(filename, "latin1"), { filename });
/** @type {{ ended?: Promise<void> }} */
const program = {};
script.runInThisContext()(program, createRequire(filename), filename);
await program.ended;
writeFileSync(`${filename}.bytecode`, script.createCachedData());
