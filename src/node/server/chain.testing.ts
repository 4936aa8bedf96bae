import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Beginning, RunningChain } from "./chain.ts";

/** A new folder, which is removed after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "chainlab-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A chain that runs until the test is over. */
export async function runChain(
  begin: Beginning = { speed: "paused" },
  folder = newFolder(),
): Promise<RunningChain> {
  const chain = await RunningChain.open(folder, "this-build", begin);
  onTestFinished(() => chain.close());
  return chain;
}

/** Resolves when a chain has come to a height. */
export const reached = (chain: RunningChain, height: number): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      if (chain.session.sim.height < height) return;
      end();
      resolve();
    };
    const end = chain.onBlocks(done);
    done();
  });
