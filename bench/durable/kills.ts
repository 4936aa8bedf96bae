import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { KillResult } from "../../tools/kill-while-acting.ts";

/** Far above any height that is reached. */
const FAR = 500_000_000;
/** Acknowledged actions before a kill are one to so many. */
const MOST_ACTIONS = 40;

const PROGRAM = fileURLToPath(new URL("./acting.ts", import.meta.url));

/** Kills a session with a folder again and again while it acts, and looks for actions that are gone. */
export async function killHeadless(
  folder: string,
  kills: number,
  progress: (line: string) => void,
): Promise<KillResult> {
  const acknowledged = new Set<number>();
  const lost = new Set<number>();
  let next = FAR;
  for (let kill = 0; kill <= kills; kill++) {
    const { known, done } = await actUntilKilled(folder, next, 1 + ((kill * 7) % MOST_ACTIONS));
    for (const height of acknowledged) if (!known.has(height)) lost.add(height);
    for (const height of done) acknowledged.add(height);
    // One more may have been on its way.
    next += done.length + 1;
    progress(`headless: ${kill} kills, ${acknowledged.size} acknowledged, ${lost.size} lost`);
  }
  return { kills, acknowledged: acknowledged.size, lost: [...lost].map(String) };
}

/** Runs the program until it has acknowledged a number of actions, then kills it at once. */
async function actUntilKilled(folder: string, first: number, actions: number) {
  const args = ["--import", "tsx", PROGRAM, folder, String(first)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const gone = once(child, "exit");
  let known: ReadonlySet<number> = new Set();
  const done: number[] = [];
  for await (const line of createInterface(child.stdout)) {
    const said = JSON.parse(line) as { known?: readonly number[]; done?: number };
    if (said.known !== undefined) known = new Set(said.known);
    if (said.done !== undefined) done.push(said.done);
    if (done.length === actions) child.kill("SIGKILL");
  }
  const [code] = await gone;
  if (code !== null) throw new Error(`the session ended by itself with code ${code}`);
  return { known, done };
}
