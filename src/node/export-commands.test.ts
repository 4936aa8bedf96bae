import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { chainlab } from "./command-line.testing.ts";
import { dataOf, layOut, writeClientConfig } from "./home.ts";
import { makeBlocks, newFolder } from "./server/chain.testing.ts";
import { RunningChain } from "./server/chain.ts";
import { readBind } from "./server/listen.ts";
import { openRpc } from "./server/rpc.ts";

/** A home with a running node at block 5, and a function that stops it. */
async function running() {
  const home = newFolder();
  layOut(home);
  const chain = await RunningChain.open(dataOf(home), "this-build", { speed: "paused" });
  const rpc = await openRpc({ chain, namespace: "both", cors: "*" }, readBind("127.0.0.1:0"));
  writeClientConfig(home, { chainId: "lab-1", rpc: rpc.address, rest: "", grpc: "" });
  await makeBlocks(chain, 5);
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> => {
    ended ??= rpc.close().then(() => chain.close());
    return ended;
  };
  onTestFinished(end);
  return { home, end };
}

test("a home's chain is exported while its node runs, and the same when it does not", async () => {
  const { home, end } = await running();
  const whileRunning = await chainlab("export", "--home", home);
  expect([whileRunning.status, whileRunning.stderr]).toEqual([0, ""]);
  expect(JSON.parse(whileRunning.stdout)).toMatchObject({ chain_id: "lab-1", initial_height: "6" });
  const early = await chainlab("export", "--home", home, "--height", "3");
  expect(JSON.parse(early.stdout)).toMatchObject({ initial_height: "4" });
  const late = await chainlab("export", "--home", home, "--height", "99");
  expect([late.status, late.stdout, late.stderr.startsWith(home)]).toEqual([1, "", true]);
  await end();
  const after = await chainlab("export", "--home", home);
  expect(after).toEqual(whileRunning);

  const file = join(home, "genesis.json");
  writeFileSync(file, after.stdout);
  expect(await chainlab("genesis", "validate", file)).toEqual({
    status: 0,
    stdout: `File at ${file} is a valid genesis file\n`,
    stderr: "",
  });
  const genesis = JSON.parse(after.stdout);
  genesis.app_state.staking.params.max_validators = -1;
  writeFileSync(file, JSON.stringify(genesis));
  const broken = await chainlab("genesis", "validate", file);
  expect([broken.status, broken.stdout]).toEqual([2, ""]);
  expect(broken.stderr).toContain("max_validators");
});

test.each([
  [["export", "a.yaml", "--home", "x"], "expected FILE or --home DIR, found both"],
  [["genesis", "validate", "/nowhere.json"], "cannot be read: there is no such file"],
  [
    ["genesis", "validate", "public/scenarios/upgrade-halts-and-recovers.yaml"],
    "expected a genesis file in JSON",
  ],
  [
    ["genesis", "validate", "package.json"],
    "package.json: expected a genesis file in JSON with chain_id and app_state\n",
  ],
])("%j is unusable", async (line, reason) => {
  const { status, stdout, stderr } = await chainlab(...line);
  expect([status, stdout, stderr]).toEqual([2, "", expect.stringContaining(reason)]);
});

test("bash is told what completes a command line: commands, flags and their values", async () => {
  const { stdout } = await chainlab("completion", "bash");
  expect(stdout).toContain("complete -o default -F _chainlab chainlab");
  const words = async (...line: readonly string[]) =>
    (await chainlab("__complete", ...line)).stdout.split("\n").slice(0, -1);
  expect(await words("ta")).toEqual([]);
  expect(await words("que")).toEqual(["query"]);
  expect(await words("tx", "upgrade", "")).toEqual(
    expect.arrayContaining(["cancel-software-upgrade", "software-upgrade"]),
  );
  expect(await words("keys", "add", "--rec")).toEqual(["--recover"]);
  expect(await words("query", "nodes", "--output", "j")).toEqual(["json"]);
});
