import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseScenario } from "../scenario/parse.ts";
import { inTime, newFolder, reached } from "./server/chain.testing.ts";
import { type ChainSettings, RunningChain } from "./server/chain.ts";
import { followNode, runBinary, skipUpgrades } from "./this-node.ts";

const UPGRADE = `scenario: 1
name: up
title: Up
genesis: { validators: 4 }
binaries:
  v2: { modules: { bank: 5 }, handlers: [v2] }
steps:
  - upgrade: { name: v2, at: 30, until: decided }
`;

/** The chain of a home, followed as by start; `said` resolves to its first output line. */
async function open(home: string, prepare?: ChainSettings["prepare"]) {
  const read = parseScenario(UPGRADE, "up.yaml");
  if ("problems" in read) throw new Error("the scenario is not sound");
  mkdirSync(join(home, "data"), { recursive: true });
  const origin = { scenario: read.scenario, file: "up.yaml", text: UPGRADE };
  const chain = await RunningChain.open(join(home, "data"), "this-build", {
    origin,
    speed: 0,
    ...(prepare && { prepare }),
  });
  const text = new Promise<string>((resolve) =>
    followNode(chain, home, (line) => {
      // The file exists before the line.
      resolve(`${existsSync(infoOf(home))} ${line}`);
    }),
  );
  return { chain, said: text };
}

const infoOf = (home: string): string => join(home, "data", "upgrade-info.json");

test("at the plan's height the node writes the file, then the line, and stays; the new binary goes on from there", async () => {
  const home = newFolder();
  const before = await open(home);
  expect(await inTime(before.said, "the word of the upgrade")).toBe(
    'true ERR UPGRADE "v2" NEEDED at height: 30: ',
  );
  // In the SDK's format, readable only by its owner.
  expect(statSync(infoOf(home)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(infoOf(home), "utf8"))).toMatchObject({ name: "v2", height: 30 });
  const { sim } = before.chain.session;
  expect([sim.height, sim.decidedHeight]).toEqual([29, 30]);
  await before.chain.close();

  const after = await open(home);
  onTestFinished(() => after.chain.close());
  await runBinary(after.chain, "v2");
  await reached(after.chain, 35);
  expect(after.chain.session.sim.nodes().map(({ binary }) => binary)).toEqual(Array(4).fill("v2"));
});

test("started with a binary, the node runs it from its first block on, and with it those that ran the same", async () => {
  const heights: number[] = [];
  const { chain } = await open(newFolder(), async (opened) => {
    heights.push(opened.session.sim.height);
    await runBinary(opened, "v2");
    heights.push(opened.session.sim.height);
  });
  onTestFinished(() => chain.close());
  expect(heights).toEqual([0, 0]);
  expect(chain.session.sim.nodes().map(({ binary }) => binary)).toEqual(Array(4).fill("v2"));
});

test("a node of another binary, and one that was stopped, are left alone", async () => {
  const home = newFolder();
  const before = await open(home);
  await inTime(before.said, "the word of the upgrade");
  const { session } = before.chain;
  await session.runStep('{"nodes":{"which":["val-1"],"stop":true}}');
  await session.runStep('{"nodes":{"which":["val-3"],"binary":"v2"}}');
  await before.chain.close();

  const again = await open(home, (chain) => runBinary(chain, "v1"));
  onTestFinished(() => again.chain.close());
  const { sim } = again.chain.session;
  expect(sim.nodes().map(({ binary }) => binary)).toEqual(["v1", "v1", "v1", "v2"]);
  await runBinary(again.chain, "v2");
  expect(sim.nodes().map(({ binary }) => binary)).toEqual(["v2", "v1", "v2", "v2"]);
  expect(sim.node("val-1")?.process).toBe("stopped");
});

test("nodes that skip the plan go on with the old binary", async () => {
  const home = newFolder();
  const { chain, said: text } = await open(home);
  onTestFinished(() => chain.close());
  await text;
  await skipUpgrades(chain, [30]);
  await reached(chain, 35);
  expect(chain.session.sim.nodes()[0]).toMatchObject({ binary: "v1", skipUpgradeHeights: [30] });
});

test("an unknown binary is refused, and nothing runs it", async () => {
  const { chain } = await open(newFolder());
  onTestFinished(() => chain.close());
  await expect(runBinary(chain, "v9")).rejects.toThrow("v9");
  expect(chain.session.sim.nodes()[0]?.binary).toBe("v1");
});
