/** Call counts of the functions in which the engine spends its time: the same on every machine. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { LoadName } from "./loads.ts";

/** Loads of one transaction each are counted for each transaction, the others for each block. */
export const WORKS = [
  "quiet",
  "send",
  "delegate",
  "undelegate",
  "vote",
] as const satisfies readonly LoadName[];

/** Counted calls of functions, by file and name. */
export const WHAT = {
  hashes: [[/\/base\/sha256\.ts$/, /^sha256/]],
  "hashes not in place": [[/\/base\/sha256\.ts$/, /^sha256$/]],
  "tree nodes made": [[/\/store\/node\.ts$/, /^(Leaf|Inner)$/]],
  "key comparisons": [[/\/base\/bytes\.ts$/, /^compare$/]],
  encodes: [
    [/\/protobuf\/dist\/\w+\/to-binary\.js$/, /^toBinary$/],
    [/\/framework\/records\.ts$/, /^encodePlainly$/],
  ],
  decodes: [
    [/\/protobuf\/dist\/\w+\/from-binary\.js$/, /^fromBinary$/],
    [/\/framework\/records\.ts$/, /^decodePlainly$/],
  ],
  "bech32 encodes": [[/\/base\/bech32\.ts$/, /^encodeWords$/]],
  "arrays joined": [[/\/base\/bytes\.ts$/, /^concat$/]],
} as const satisfies Record<string, readonly (readonly [files: RegExp, functions: RegExp])[]>;

export type Counted = keyof typeof WHAT;
export type Counts = Readonly<Record<Counted, number>>;
export type CountsOfWorks = Readonly<Record<(typeof WORKS)[number], Counts>>;

/** Counts in a process of its own, with the sources of the checkout at `root`. */
export async function countIn(root: string): Promise<CountsOfWorks> {
  const main = join(root, "bench/engine/count-main.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", main], {
    cwd: root,
  });
  return JSON.parse(stdout);
}
