/**
 * The node that this process represents for Cosmovisor: its binary, its upgrade-info.json and its
 * output lines (rules/clients 7.1).
 */
import { readFileSync } from "node:fs";
import { upgradeInfoOf, writeAtomically } from "./home.ts";
import type { RunningChain } from "./server/chain.ts";

/** Name of the node that a process represents: the first. */
const nameIn = (chain: RunningChain): string => chain.session.sim.nodes()[0]?.name ?? "";

/**
 * Switches this node to a binary, as if its operator had started it with that: it restarts,
 * together with all nodes that ran the same binary. Unaffected are nodes of another binary, stopped
 * ones, and those managed by a sidecar of the world. Rejects with an Error if there is no such
 * binary.
 */
export async function runBinary(chain: RunningChain, binary: string): Promise<void> {
  const { sim } = chain.session;
  const before = sim.node(nameIn(chain))?.binary;
  if (before === binary) return;
  const which = sim
    .nodes()
    .filter((node) => node.binary === before && node.process !== "stopped")
    .filter(({ name }) => !sim.sidecar(name))
    .map(({ name }) => name);
  if (which.length > 0) await step(chain, { nodes: { which, binary } });
}

/** Restarts the nodes so that they skip the upgrades planned for these heights. */
export async function skipUpgrades(chain: RunningChain, heights: readonly number[]): Promise<void> {
  const wanted = [...heights].sort((a, b) => a - b).join();
  const which = chain.session.sim
    .nodes()
    .filter(
      ({ skipUpgradeHeights }) => [...skipUpgradeHeights].sort((a, b) => a - b).join() !== wanted,
    )
    .map(({ name }) => name);
  if (which.length > 0) await step(chain, { nodes: { which, skip_upgrades: heights } });
}

async function step(chain: RunningChain, text: object): Promise<void> {
  const { ok, message } = await chain.session.runStep(JSON.stringify(text));
  if (!ok) throw new Error(message);
  await chain.settled();
}

/**
 * Follows the node: the upgrade files that it writes are written to the home as well, after
 * everything before is on disk, and then its last lines are printed.
 */
export function followNode(chain: RunningChain, home: string, print: (line: string) => void): void {
  const path = upgradeInfoOf(home);
  let text = contentOf(path);
  let printed = "";
  let following = Promise.resolve();
  const follow = async (): Promise<void> => {
    const { sim } = chain.session;
    const name = nameIn(chain);
    const node = sim.node(name);
    const info = sim.file(name, "data/upgrade-info.json");
    if (node === undefined) return;
    const { reason } = node;
    if (info === text && reason === printed) return;
    await chain.settled();
    if (info !== undefined && info !== text) writeAtomically(path, info, true);
    text = info;
    if (reason !== printed && reason !== "") print(`ERR ${reason}`);
    printed = reason;
  };
  chain.onRounds(() => {
    following = following.then(follow).catch((error: unknown) => print(`ERR ${path}: ${error}`));
  });
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
