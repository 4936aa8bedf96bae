import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { expect, onTestFinished, test } from "vitest";
import { LAB, LAB_NODE } from "../cli/lab-table.ts";
import { LAB_WORLD } from "../cli/lab-worlds.ts";
import { Lab } from "../gen/lab/v1/lab_pb.ts";
import { chainlab } from "./command-line.testing.ts";
import { newFolder, runChain } from "./server/chain.testing.ts";
import { RunningChain } from "./server/chain.ts";
import { openGrpc } from "./server/grpc/server.ts";
import { readBind } from "./server/listen.ts";

async function served(token = "") {
  const chain = await runChain();
  const how = { chain, namespace: "both", cors: "*", ...(token && { token }) } as const;
  const grpc = await openGrpc(how, readBind("127.0.0.1:0"));
  onTestFinished(() => grpc.close());
  const { sim } = chain.session;
  const at = ["--grpc-addr", grpc.address];
  const lab = (...line: readonly string[]) => chainlab("lab", ...line, ...at);
  const ok = async (...line: readonly string[]) => {
    const { status, stdout, stderr } = await lab(...line);
    expect([status, stderr], line.join(" ")).toEqual([0, ""]);
    return stdout;
  };
  const query = async (...line: readonly string[]) =>
    JSON.parse((await chainlab("query", ...line, ...at, "--output", "json")).stdout);
  return { sim, chain, address: grpc.address, lab, ok, query };
}

test("blocks and time are advanced, to a height, or until something happens", async () => {
  const { sim, ok } = await served();
  expect(await ok("advance", "3")).toBe("height 3\n");
  await ok("advance", "--to", "9");
  expect(sim.height).toBe(9);
  const before = sim.time;
  await ok("advance", "--time", "60s");
  expect(sim.time - before).toBeGreaterThanOrEqual(55_000_000_000n);
  await ok("node", "stop", "all");
  expect(await ok("run-until", "halted", "--within", "20")).toMatch(/^height \d+\n$/);
  await ok("node", "start", "all");
  await ok("run-until", "running");
});

test("offences, attacks, faults and partitions are done as a scenario does them", async () => {
  const { ok, lab, query } = await served();
  await ok("advance", "4");
  await ok("double-sign", "val-2");
  await ok("run-until", "--event", "slash");
  const { val_signing_info } = await query("slashing", "signing-info", "val-2");
  expect(val_signing_info).toMatchObject({ tombstoned: true });
  await ok("light-client-attack", "lunatic", "val-0,val-1");
  await ok("fault", "val-1", "flaky", "--for", "5", "--probability", "0.5");
  await ok("fault", "val-1", "crash", "--at", "500");
  const { faults } = await query("faults");
  expect(faults).toMatchObject([{ kind: "flaky" }, { kind: "crash", from: 500, planned: true }]);
  await ok("clear-faults", "val-1");
  await ok("chaos", "1", "--for", "2");
  await ok("clear-faults");
  expect(await query("faults")).toMatchObject({ faults: [] });
  await ok("partition", "val-0,val-1/val-2,val-3");
  await ok("heal");
  await ok("release", "v2", "https://releases.example/v2", "binary");
  const unknown = await lab("double-sign", "val-9");
  expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining("val-9")]);
});

test("nodes get binaries, settings and other data", async () => {
  const { sim, lab, ok } = await served();
  await ok("advance", "5");
  await ok("node", "stage", "val-1", "v2");
  await ok("node", "sidecar", "val-1", "staged");
  await ok("node", "skip-upgrades", "val-2", "30,40");
  expect(sim.node("val-2")?.skipUpgradeHeights).toEqual([30, 40]);
  await ok("node", "halt-height", "val-2", "400");
  await ok("node", "halt-time", "val-2", "2099-01-01T00:00:00Z");
  expect(sim.node("val-2")?.haltTime).toBe(4_070_908_800);
  const past = await lab("node", "halt-time", "val-2", "1999-01-01T00:00:00Z");
  expect([past.status, past.stderr]).toEqual([1, expect.stringContaining("halt_time of val-2")]);
  await ok("node", "halt-time", "val-2", "0");
  await ok("node", "disk", "val-3", "off");
  await ok("node", "disk", "val-3", "on");
  await ok("node", "stop", "val-3");
  await ok("node", "roll-back", "val-3", "1");
  await ok("node", "wipe", "val-3");
  await ok("node", "state-sync", "val-3", "val-0");
  await ok("node", "binary", "val-3", "v1");
  expect(sim.node("val-3")?.process).toBe("running");
});

test("the clock is played, paused and set; any step is run as it is written", async () => {
  const { chain, ok } = await served();
  const { player } = chain.session;
  await ok("play");
  expect(player.playing).toBe(true);
  await ok("speed", "50");
  expect(player.pace.speed).toBe(50);
  await ok("pause");
  expect(player.playing).toBe(false);
  const stdout = await ok("step", '{"run": 2}', "--output", "json");
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, message: "" });
});

test.each([
  [["advance", "3", "--to", "9"], "expected a number of blocks, --time or --to"],
  [["advance", "many"], 'expected a height such as 12, found "many"'],
  [["run-until"], "expected one of --plan, --proposal, --event, found none"],
  [["step", "{"], "expected a step in JSON"],
  [["fork", "0"], "expected the height of a block, from 1 on, or none for the newest, found 0"],
  [["fork", "4", "--tamper", "bank"], "expected a byte as STORE/KEY/PLACE/BYTE"],
  [["speed", "fast"], "expected full, paused or blocks per second"],
  [["node", "twin", "val-1", "maybe"], "expected on or off"],
])("lab %j is unusable", async (line, reason) => {
  const { status, stderr } = await chainlab("lab", ...line, "--grpc-addr", "127.0.0.1:1");
  expect([status, stderr]).toEqual([2, expect.stringContaining(reason)]);
});

test("a branch that begins otherwise is given up when its command is ended", async () => {
  const { chain, address, ok } = await served();
  await ok("speed", "full");
  await ok("advance", "600");
  const transport = createGrpcTransport({
    baseUrl: `http://${address}`,
    idleConnectionTimeoutMs: 1,
  });
  const command = new AbortController();
  const requested = createClient(Lab, transport).forkWorld(
    { other: { name: "commits", value: "full" } },
    { signal: command.signal },
  );
  const ended = expect(requested).rejects.toThrow();
  await expect.poll(() => chain.session.player.recalling, { interval: 1 }).toBeDefined();
  command.abort();
  await ended;
  await expect.poll(() => chain.session.player.recalling).toBeUndefined();
  const { worlds } = JSON.parse(await ok("world", "list", "--output", "json"));
  expect(worlds).toHaveLength(1);
});

test("a branch is begun, noted, left for the world that it came from, and deleted", async () => {
  const { chain, sim, ok, lab } = await served();
  const json = async (...line: readonly string[]) =>
    JSON.parse(await ok(...line, "--output", "json"));
  await ok("advance", "9");
  const hashes = [5, 9].map((height) => sim.block(height)?.hash);
  const { worlds: before } = await json("world", "list");
  expect(before).toMatchObject([{ height: 9, open: "here", note: "", impossible: false }]);
  const { world: branch } = await json("fork", "5", "--name", "another way", "--note", "no slash");
  expect(chain.session.sim.height).toBe(5);
  expect(chain.session.sim.block(5)?.hash).toEqual(hashes[0]);
  const [{ id: parent, name }] = before;
  expect(await json("world", "list")).toMatchObject({
    worlds: expect.arrayContaining([
      expect.objectContaining({
        id: branch,
        name: "another way",
        open: "here",
        parent: { world: parent, height: 5 },
        note: "no slash",
      }),
    ]),
  });
  expect(await ok("world", "list")).toMatch(
    new RegExp(
      `another way: height 5, .*, branched off from ${name} after height 5, played\n    no slash\n`,
    ),
  );
  await ok("world", "rename", "another way", "third way");
  await ok("world", "note", "third way");
  await ok("world", "delete", "third way");
  // Its parent is played where it was.
  await chain.session.restored;
  expect(chain.session.sim.block(9)?.hash).toEqual(hashes[1]);
  const { worlds, deleted } = await json("world", "list");
  expect(worlds.map(({ id }: { readonly id: string }) => id)).toEqual([parent]);
  expect(deleted).toMatchObject([{ id: branch, name: "third way", note: "" }]);
  await ok("world", "restore", branch);
  await ok("world", "duplicate", parent);
  const nowhere = await lab("world", "open", "nowhere");
  expect([nowhere.status, nowhere.stderr]).toEqual([
    1,
    expect.stringContaining("expected a world by its name or id, found nowhere; there are "),
  ]);
});

test("a branch with a byte changed by hand is impossible, and its nodes halt when they execute again", async () => {
  const { chain, sim, ok, lab, query } = await served();
  await ok("advance", "6");
  const [{ key }] = (await query("state", "keys", "bank")).keys;
  await ok("fork", "4", "--name", "tampered", "--tamper", `bank/${key}/0/7f`);
  expect(sim).not.toBe(chain.session.sim);
  expect(chain.session.sim.height).toBe(4);
  expect(await ok("world", "list")).toContain("after height 4, changed by hand, played\n");
  await ok("node", "stop", "val-1");
  await ok("node", "wipe", "val-1");
  await ok("node", "start", "val-1");
  await ok("advance", "2");
  expect(await query("node", "val-1")).toMatchObject({
    process: "halted",
    cause: { kind: "wrong_app_hash" },
  });
  const nowhere = await lab("fork", "4", "--tamper", "bank/00/0/7f");
  expect([nowhere.status, nowhere.stderr]).toEqual([1, expect.stringContaining("bank")]);
});

test("a node goes on with the world that is named, and with none where there is no such one", async () => {
  const folder = newFolder();
  const first = await RunningChain.open(folder, "this-build", { speed: "paused" });
  const place = first.hostFor({ mayControl: true }, false);
  const { world } = place;
  await place.createNew();
  expect(place.world).not.toBe(world);
  await first.close();
  await expect(RunningChain.open(folder, "this-build", { world: "nowhere" })).rejects.toThrow(
    `${folder}: expected a world by its name or id, found nowhere; there are `,
  );
  const again = await runChain({ speed: "paused", world }, folder);
  expect(again.hostFor({ mayControl: true }, false).world).toBe(world);
});

test("a chain with a token is steered by those who show it", async () => {
  const { lab } = await served("otter");
  expect(await lab("advance")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("control needs the chain's token"),
  });
  expect((await lab("advance", "--lab-token", "otter")).stdout).toBe("height 1\n");
});

test("every command has help with an example", async () => {
  const lines = [
    ...Object.keys(LAB).map((name) => [name]),
    ...Object.keys(LAB_NODE).map((name) => ["node", name]),
    ...Object.keys(LAB_WORLD).map((name) => ["world", name]),
  ];
  for (const line of lines) {
    const { stdout } = await chainlab("lab", ...line, "--help");
    expect(stdout, line.join(" ")).toContain("Example: chainlab lab ");
  }
});

test("the step that the help gives as an example is one", async () => {
  const { ok } = await served();
  const { stdout } = await chainlab("lab", "step", "--help");
  const [, step = ""] =
    /Example: chainlab lab step '(.*?)'/.exec(stdout.replace(/\s+/g, " ")) ?? [];
  expect(await ok("step", step)).toMatch(/^height \d+/);
});
