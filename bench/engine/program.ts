/** Cost of the command line from start to exit. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Checkout } from "./builds.ts";
import { type Both, type Pair, pairOf } from "./pairs.ts";

const SCENARIO = "public/scenarios/double-sign.yaml";

/** A run of one scenario. */
export const RUN = ["run", SCENARIO];

/** The command line of both builds with some arguments, in turns. */
export async function timedPrograms(
  builds: Both,
  args: readonly string[],
  turns: number,
): Promise<Pair> {
  for (const build of builds) if (!existsSync(programOf(build))) await buildProgram(build);
  const [before, now] = builds;
  for (const build of builds) await runOnce(build, args);
  const costs: [number, number][] = [];
  for (let turn = 0; turn < turns; turn++) {
    const late = turn % 2 === 0 ? undefined : await runOnce(now, args);
    const cost = await runOnce(before, args);
    costs.push([cost, late ?? (await runOnce(now, args))]);
  }
  return pairOf(`chainlab ${args.join(" ")}`, costs);
}

const programOf = ({ built }: Checkout): string => join(built, "cli/main.js");

/** As it is shipped. */
async function buildProgram({ root, built }: Checkout): Promise<void> {
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const config = ["--config", "vite.node.config.ts", "--outDir", join(built, "cli")];
  await run([vite, "build", ...config, "--logLevel", "error"], root);
}

/** Tells at its end what it took of processors: what the machine does beside it is not counted. */
const TELLING = `import { writeSync } from "node:fs";
process.on("exit", () => writeSync(3, JSON.stringify(process.cpuUsage())));`;

async function runOnce(build: Checkout, args: readonly string[]): Promise<number> {
  const telling = ["--import", `data:text/javascript,${encodeURIComponent(TELLING)}`];
  const { user, system } = JSON.parse(
    await run([...telling, programOf(build), ...args], build.root),
  );
  return (user + system) / 1000;
}

/** Returns the output of a program on file descriptor 3. Throws unless it exits with code 0. */
async function run(args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "ignore", 2, "pipe"] });
  const [told, [code]] = await Promise.all([text(child.stdio[3] as Readable), once(child, "exit")]);
  if (code !== 0) throw new Error(`${args.join(" ")} ended with code ${code}`);
  return told;
}
