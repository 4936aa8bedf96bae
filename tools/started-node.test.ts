import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { expect, onTestFinished, test, vi } from "vitest";
import { ran, ranBy, startNode } from "./started-node.ts";

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), "chainlab-home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

const json = async (address: string): Promise<unknown> => (await fetch(address)).json();

test("what was acknowledged is there after SIGKILL, in the world and with the genesis that are asked for; SIGTERM ends it with 0, and one process has a home", async () => {
  const home = newHome();
  const flags = ["--home", home, "--speed", "full", "--quiet"];
  const first = await startNode(...flags);
  const answer = await fetch(`${first.rest}/lab.v1.Lab/RunStep`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ step: '{"nodes":{"which":["val-2"],"stop":true}}' }),
  });
  expect(await answer.json()).toMatchObject({ ok: true });
  const [world = ""] = ran("lab", "world", "list", "--home", home).stdout.split(" ");
  const blockTime = (): string =>
    JSON.parse(readFileSync(join(home, "config/genesis.json"), "utf8")).lab.block_time;
  expect(blockTime()).toBe("5s");
  const genesis = join(home, "config/genesis.json");
  const edited = readFileSync(genesis, "utf8").replace('"block_time": "5s"', '"block_time": "7s"');
  writeFileSync(genesis, edited);
  expect(ran("lab", "fork", "1", "--with", "block_time=1s", "--home", home).stderr).toBe("");
  await expect.poll(blockTime).toBe("1s");
  // It was edited meanwhile. The one that the node has written itself is replaced.
  expect(readFileSync(join(home, "config/genesis-1.json"), "utf8")).toBe(edited);
  expect(ran("lab", "world", "open", world, "--home", home).stderr).toBe("");
  await expect.poll(blockTime).toBe("5s");
  expect(existsSync(join(home, "config/genesis-2.json"))).toBe(false);
  expect(ran("lab", "fork", "1", "--with", "block_time=1s", "--home", home).stderr).toBe("");
  await expect.poll(blockTime).toBe("1s");
  expect(await first.end("SIGKILL")).toBeNull();

  const second = await startNode(...flags, "--world", world);
  await expect.poll(blockTime).toBe("5s");
  expect(await json(`${second.rest}/lab/v1/nodes/val-2`)).toMatchObject({ process: "stopped" });
  const other = ran("start", ...flags);
  expect(other.status).toBe(1);
  expect(other.stderr).toContain("another process uses this folder");
  expect(await second.end()).toBe(0);
});

test("calls and streams of gRPC are served by a thread of its own; an address that is taken ends it with words", async () => {
  const node = await startNode("--ephemeral", "--speed", "full", "--quiet");
  const client = new Client(node.grpc, credentials.createInsecure());
  onTestFinished(() => client.close());
  const same = (bytes: Buffer): Buffer => bytes;
  const supply = "/cosmos.bank.v1beta1.Query/TotalSupply";
  const called = (path: string, deadline?: number) =>
    new Promise<Buffer | undefined>((resolve, reject) =>
      client.makeUnaryRequest(
        path,
        same,
        same,
        Buffer.alloc(0),
        new Metadata(),
        deadline === undefined ? {} : { deadline },
        (error, bytes) => (error ? reject(error) : resolve(bytes)),
      ),
    );
  expect((await called(supply))?.toString()).toContain("stake");
  // One that names a time is answered by the library, of which this says that its thread is reached.
  expect((await called(supply, Date.now() + 120_000))?.toString()).toContain("stake");
  await expect(called("/cosmos.bank.v1beta1.Query/Nothing")).rejects.toMatchObject({ code: 12 });

  const watched = client.makeServerStreamRequest(
    "/lab.v1.Watch/Blocks",
    same,
    same,
    Buffer.from([0x08, 0x01]),
  );
  let blocks = 0;
  await new Promise<void>((resolve, reject) => {
    watched.on("data", () => {
      blocks += 1;
      if (blocks === 100) resolve();
    });
    watched.once("error", reject);
  });
  const given = new Promise((resolve) => watched.once("error", resolve));
  watched.cancel();
  expect(await given).toMatchObject({ code: 1 });
  expect((await called(supply))?.toString()).toContain("stake");

  const other = ran("start", "--ephemeral", "--grpc", node.grpc, "--rpc", "127.0.0.1:0");
  expect([other.status, other.stderr]).toEqual([
    1,
    expect.stringContaining(`${node.grpc}: another program listens there`),
  ]);
  expect(await node.end()).toBe(0);
});

test("under Cosmovisor: the launchers are asked as it asks them, through a halt and on", async () => {
  const home = newHome();
  const scenario = join(home, "up.yaml");
  writeFileSync(
    scenario,
    [
      "scenario: 1",
      "name: up",
      "title: Up",
      "genesis: { validators: 4 }",
      "binaries: { v2: { modules: { bank: 5 }, handlers: [v2] } }",
      "steps: [{ upgrade: { name: v2, at: 30, until: decided } }]",
      "",
    ].join("\n"),
  );
  expect(ran("init", "--home", home, "--scenario", scenario).status).toBe(0);
  const laidOut = ran("cosmovisor-home", "--home", home, "--binaries", "v1,v2");
  expect(laidOut.stdout).toBe(`DAEMON_NAME=chainlabd\nDAEMON_HOME=${home}\n`);
  const launcher = (folder: string): string => join(home, "cosmovisor", folder, "bin", "chainlabd");
  const [v1, v2] = [launcher("genesis"), launcher("upgrades/v2")];

  const old = await startNode({ program: v1 }, "--home", home, "--speed", "full", "--quiet");
  await old.says(/^ERR UPGRADE "v2" NEEDED at height: 30: $/);
  const info = JSON.parse(readFileSync(join(home, "data", "upgrade-info.json"), "utf8"));
  expect(info).toMatchObject({ name: "v2", height: 30 });
  for (const args of [["status", "--home", home], ["status"]]) {
    const { status, stdout, stderr } = ranBy(v1, ...args);
    expect([status, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout).sync_info.latest_block_height).toBe("30");
    expect(stdout.trim().split("\n")).toHaveLength(1);
  }
  expect(await old.end("SIGKILL")).toBeNull();
  expect(ranBy(v1, "status", "--home", home).status).toBe(1);
  expect(ranBy(v2, "pre-upgrade")).toMatchObject({ status: 0, stdout: "", stderr: "" });
  expect(ranBy(v2, "version").stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(ranBy(v2, "nothing-known").status).not.toBe(0);

  const next = await startNode({ program: v2 }, "--home", home);
  // Lines of a fast chain are put together: the first may be of a later block.
  await next.says(/^height (3[2-9]|[4-9]\d|\d{3,}) /);
  expect(await json(`${next.rest}/lab/v1/nodes/val-0`)).toMatchObject({ binary: "v2" });
  expect(await next.end("SIGINT")).toBe(0);
});

test("a node that says nothing is ended after 30 s, with what was waited for", async () => {
  const home = newHome();
  const [program, says] = [join(home, "silent"), join(home, "pid")];
  writeFileSync(program, `#!/bin/sh\necho $$ > ${says}\nexec sleep 1000\n`, { mode: 0o755 });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const started = startNode({ program });
  const failed = expect(started).rejects.toThrow(
    "chainlab start does not say /^RPC {2}http/; its last line: undefined",
  );
  await expect.poll(() => existsSync(says) && readFileSync(says, "utf8")).toMatch(/\n$/);
  const pid = Number(readFileSync(says, "utf8"));
  vi.advanceTimersByTime(29_999);
  expect(isAlive(pid)).toBe(true);
  vi.advanceTimersByTime(1);
  await failed;
  await expect.poll(() => isAlive(pid)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
