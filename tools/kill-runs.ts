/** Kills `chainlab run FILE --data DIR` again and again at random moments and looks for what is gone. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { KillResult } from "./kill-while-acting.ts";

const CHAINLAB = fileURLToPath(new URL("../bin/chainlab.mjs", import.meta.url));
/** A process is killed after so many steps that it did, at most, and so much later; or while it starts. */
const MOST_STEPS = 8;
const MOST_MS = 40;
const START_MS = 1500;
const SILENCE_MS = 30_000;

export interface KilledRuns extends KillResult {
  /** The last lines of all runs that came to the end of the file, and of one that was never killed. */
  readonly ends: readonly string[];
}

/**
 * @param folder an empty folder; a run that comes to its end is followed by one in a new folder
 * @param random from 0 to below 1, for the moments
 */
export async function killRuns(
  file: string,
  folder: string,
  kills: number,
  random: () => number,
): Promise<KilledRuns> {
  const whole = await play(file, join(folder, "whole"));
  const ends = [whole.end];
  const lost: string[] = [];
  let [killed, acknowledged, run] = [0, 0, 0];
  let known = new Set<string>();
  for (;;) {
    const kill = killed < kills ? moment(random) : undefined;
    const { before, done, end } = await play(file, join(folder, `run-${run}`), kill);
    // All that was done before is printed before anything else is.
    const complete = done.size > 0 || end !== "";
    const gone = [...known].filter((step) => complete && !before.has(step));
    for (const step of gone) lost.push(`run ${run}: ${step}`);
    acknowledged += done.size;
    for (const step of done) known.add(step);
    if (end === "") {
      killed += 1;
      continue;
    }
    ends.push(end);
    if (killed === kills) return { kills, acknowledged, lost, ends };
    run += 1;
    known = new Set();
  }
}

function moment(random: () => number): { readonly after: number; readonly ms: number } {
  const after = Math.floor(random() * MOST_STEPS);
  return { after, ms: random() * (after === 0 ? START_MS : MOST_MS) };
}

interface Played {
  /** Steps that the process said were done in an earlier one, and those that it did. */
  readonly before: ReadonlySet<string>;
  readonly done: ReadonlySet<string>;
  /** Its last line; empty if it was killed. */
  readonly end: string;
}

async function play(
  file: string,
  folder: string,
  kill?: { readonly after: number; readonly ms: number },
): Promise<Played> {
  const child = spawn(process.execPath, [CHAINLAB, "run", file, "--data", folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [before, done] = [new Set<string>(), new Set<string>()];
  let end = "";
  const check = (): void => {
    if (kill && done.size === kill.after) setTimeout(() => child.kill("SIGKILL"), kill.ms);
  };
  // A step is done in far less than half a minute.
  const silence = setTimeout(() => child.kill("SIGABRT"), SILENCE_MS);
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    silence.refresh();
    const step = /^(step \d+ \w+): (was )?done$/.exec(line);
    if (step?.[1] === undefined) end = line;
    else if (step[2] === undefined) done.add(step[1]);
    else before.add(step[1]);
    check();
  });
  check();
  await Promise.all([once(child, "exit"), once(lines, "close")]);
  clearTimeout(silence);
  if (child.signalCode === "SIGABRT")
    throw new Error(
      `the run said nothing for ${SILENCE_MS} ms after: ${[...done].at(-1) ?? "its start"}`,
    );
  return { before, done, end };
}
