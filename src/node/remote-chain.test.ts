import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Namespace } from "../view/namespaces.ts";
import { chainlab } from "./command-line.testing.ts";
import { makeBlocks, runChain } from "./server/chain.testing.ts";
import { openGrpc } from "./server/grpc/server.ts";
import { listen, readBind } from "./server/listen.ts";
import { openRpc } from "./server/rpc.ts";

const ANY_PORT = readBind("127.0.0.1:0");

async function served(namespace: Namespace = "both") {
  const chain = await runChain();
  const how = { chain, namespace, cors: "*" } as const;
  const server = await openRpc(how, ANY_PORT);
  onTestFinished(() => server.close());
  const grpc = await openGrpc(how, ANY_PORT);
  onTestFinished(() => grpc.close());
  // Few enough that their rounds are still stored.
  await makeBlocks(chain, 8);
  return { chain, address: server.address, grpc: grpc.address };
}

test.each(["--node", "--grpc-addr"])(
  "a running node answers at %s what a file's chain would, by names too",
  async (server) => {
    const { chain, address, grpc } = await served();
    const ask = async (...line: string[]) => {
      const { stdout, stderr, status } = await chainlab(
        "query",
        ...line,
        server,
        server === "--node" ? address : grpc,
        "-o",
        "json",
      );
      expect([stderr, status]).toEqual(["", 0]);
      return JSON.parse(stdout);
    };
    expect((await ask("nodes")).nodes).toHaveLength(chain.session.sim.nodes().length);
    expect(await ask("block", "5")).toMatchObject({ height: 5 });
    expect(await ask("block")).toMatchObject({ height: chain.session.sim.height });
    expect((await ask("auth", "account", "val-0")).account).toMatchObject({ sequence: "0" });
    const named = await ask("bank", "balance", "val-0", "stake");
    expect(named.balance.denom).toBe("stake");
    expect(await ask("staking", "validator", "val-1")).toMatchObject({
      validator: { status: "BOND_STATUS_BONDED" },
    });
    expect(await ask("slashing", "signing-info", "val-1")).toMatchObject({
      val_signing_info: { tombstoned: false },
    });
    expect(await ask("block", "--height", "4")).toMatchObject({ height: 4 });
    expect(await ask("rounds", "--height", "4")).toMatchObject({ height: 4 });
    const early = await ask("staking", "pool", "--height", "3");
    expect(early.pool.bonded_tokens).toMatch(/^\d+$/);
  },
);

test.each([
  ["chain", "/chain.bank.v1beta1.MsgSend"],
  ["both", "/cosmos.bank.v1beta1.MsgSend"],
] as const)(
  "transactions are found by their hash and by their events, and shown in namespace %s",
  async (namespace, type) => {
    const { chain, address, grpc } = await served(namespace);
    const { value } = await chain.session.runStep(
      JSON.stringify({
        tx: {
          from: "val-0",
          msgs: [
            {
              "@type": type,
              from_address: "$val-0",
              to_address: "$val-1",
              amount: [{ denom: "stake", amount: "5" }],
            },
          ],
        },
      }),
    );
    const json = ["--node", address, "--output", "json"];
    const one = JSON.parse((await chainlab("query", "tx", value, ...json)).stdout);
    expect(one).toMatchObject({ txhash: value, code: 0, height: `${chain.session.sim.height}` });
    expect(one.tx.body.messages[0]["@type"]).toBe(type);
    const remote = ["--grpc-addr", grpc, "--output", "json"];
    const other = JSON.parse((await chainlab("query", "tx", value, ...remote)).stdout);
    expect(other.tx.body.messages[0]["@type"]).toBe(type);
    const sent = ["--query", `message.action='${type}'`, "--order-by", "desc"];
    const found = JSON.parse((await chainlab("query", "txs", ...sent, ...json)).stdout);
    expect(found).toMatchObject({ total_count: "1", page_number: "1", txs: [{ txhash: value }] });
    const waited = await chainlab("query", "wait-tx", value, ...json);
    expect(JSON.parse(waited.stdout)).toMatchObject({ txhash: value });
    const late = await chainlab("query", "wait-tx", "AB".repeat(32), "--timeout", "0s", ...json);
    expect([late.status, late.stderr]).toEqual([
      1,
      expect.stringContaining("it is in no block after 0s"),
    ]);
    const none = await chainlab("query", "tx", "AB".repeat(32), "--node", address);
    expect(none.stderr).toBe(`${address}: tx not found: ${"AB".repeat(32)}\n`);
  },
);

test("what the chain refuses is said in its own words, with where it was asked", async () => {
  const { address } = await served();
  const refused = await chainlab("query", "evidence", "AB".repeat(32), "--node", address);
  expect(refused).toEqual({
    status: 1,
    stdout: "",
    stderr: `${address}: evidence ${"AB".repeat(32)} not found\n`,
  });
  const late = await chainlab("query", "staking", "pool", "--height", "99999", "--node", address);
  expect(late.stderr).toContain("cannot query with height in the future");
  const nobody = await chainlab("query", "bank", "balances", "nobody", "--node", address);
  expect(nobody.stderr).toContain("there is no account nobody");
  const both = await chainlab("query", "nodes", "--node", address, "--data", "x");
  expect(both.stderr).toMatch(/^expected --scenario FILE, --node ADDRESS/);
});

test("the node of a home is found by what it wrote down", async () => {
  const { address } = await served();
  const home = mkdtempSync(join(tmpdir(), "chainlab-test-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const before = await chainlab("query", "nodes", "--home", home);
  const nowhere = `${home}: no node was ever started here: there is no config/client.toml\n`;
  expect(before.stderr).toBe(nowhere);
  const unsent = await chainlab("tx", "gov", "vote", "1", "yes", "--from", "me", "--home", home);
  expect(unsent.stderr).toBe(nowhere);
  mkdirSync(join(home, "config"));
  writeFileSync(join(home, "config", "client.toml"), `node = "tcp://${address}"\n`);
  expect((await chainlab("query", "nodes", "--home", home)).status).toBe(0);
  const client = ["config", "get", "client"];
  const found = await chainlab("--home", home, ...client, "node");
  expect(found).toEqual({ status: 0, stdout: `"tcp://${address}"\n`, stderr: "" });
  const unknown = await chainlab(...client, "colour", "--home", home);
  expect([unknown.status, unknown.stderr]).toEqual([
    1,
    expect.stringContaining("there is no colour: expected node"),
  ]);
  const set = (key: string, value: string) =>
    chainlab("config", "set", "client", key, value, "--home", home);
  expect((await set("node", "tcp://127.0.0.1:1")).status).toBe(0);
  const view = await chainlab("config", "view", "client", "--home", home);
  expect(view.stdout).toBe('node = "tcp://127.0.0.1:1"\n');
  expect((await set("colour", "red")).stderr).toContain("there is no colour: expected node");
  expect((await set("node", `tcp://${address}`)).status).toBe(0);
  const other = mkdtempSync(join(tmpdir(), "chainlab-test-"));
  onTestFinished(() => rmSync(other, { recursive: true, force: true }));
  const early = await chainlab("config", "set", "client", "chain-id", "lab-1", "--home", other);
  expect(early.status).toBe(0);
  const form = await chainlab("config", "set", "client", "output", "xml", "--home", other);
  expect(form.stderr).toContain('output: expected text or json, found "xml"');
  const place = await set("node", "not an address");
  expect([place.status, place.stderr]).toEqual([
    1,
    'node: expected an address such as tcp://127.0.0.1:26657, found "not an address"\n',
  ]);
  expect((await chainlab(...client, "node", "--home", home)).stdout).toBe(found.stdout);
  const backend = await set("keyring-backend", "os");
  expect(backend.stderr).toContain("there is no keyring-backend: expected node");
  const os = await chainlab("config", "set", "client", "keyring-backend", "os", "--home", other);
  expect(os.stderr).toContain(
    'keyring-backend: expected test, found "os": keys are only kept openly, in files',
  );
  const requested = async (...line: string[]) =>
    (await chainlab("query", "nodes", "--node", address, ...line)).stdout.startsWith("{");
  const output = (value: string) =>
    chainlab("config", "set", "client", "output", value, "--home", other);
  expect(await requested("--home", other)).toBe(false);
  expect((await output("json")).status).toBe(0);
  expect(await requested("--home", other)).toBe(true);
  expect(await requested(`--home=${other}`)).toBe(true);
  expect(await requested("--home", other, "-o", "text")).toBe(false);
  const keys = await chainlab("keys", "list", "--home", other);
  expect(keys.stdout).toBe("[]\n");
  const toml = join(other, "config", "client.toml");
  writeFileSync(toml, 'output = "xml"\n');
  const odd = await chainlab("keys", "list", "--home", other);
  expect([odd.status, odd.stderr]).toEqual([
    1,
    `${toml}: output: expected text or json, found "xml"\n`,
  ]);
  writeFileSync(toml, 'node = "a b"\n');
  const spaced = await chainlab("lab", "pause", "--home", other);
  expect([spaced.status, spaced.stderr]).toEqual([
    1,
    `${toml}: node: expected an address such as tcp://127.0.0.1:26657, found "a b"\n`,
  ]);
  writeFileSync(toml, 'output = "xml"\n');
  for (const line of [["-o", "text"], ["--output=json"], ["--help"]]) {
    expect((await chainlab("keys", "list", "--home", other, ...line)).status).toBe(0);
  }
  writeFileSync(toml, "keyring-backend = 'os' # none such\n output='json'\r\n");
  expect(await requested("--home", other)).toBe(true);
  expect((await chainlab("config", "get", "client", "output", "--home", other)).stdout).toBe(
    "'json'\n",
  );
  expect((await chainlab("keys", "list", "--home", other)).stderr).toBe(
    `${toml}: keyring-backend: expected test, found "os": keys are only kept openly, in files\n`,
  );
  const plain = ["keys", "list", "--home", other, "--keyring-backend", "test"];
  expect(await chainlab(...plain)).toEqual({ status: 0, stdout: "[]\n", stderr: "" });
  const equals = join(other, "a=b");
  mkdirSync(join(equals, "config"), { recursive: true });
  writeFileSync(join(equals, "config", "client.toml"), 'output = "json"\n');
  expect(await requested(`--home=${equals}`)).toBe(true);
  // Two commands in one process, each with its own home's format.
  expect(await Promise.all([requested(`--home=${equals}`), requested("--home", home)])).toEqual([
    true,
    false,
  ]);
  const key = JSON.parse((await chainlab("comet", "show-validator", "--home", home)).stdout);
  const set5 = ["query", "comet-validator-set", "5", "--home", home, "--output", "json"];
  const { block_height, validators } = JSON.parse((await chainlab(...set5)).stdout);
  expect(block_height).toBe("5");
  expect(validators.map(({ pub_key }: { pub_key: { key: string } }) => pub_key.key)).toContain(
    key.key,
  );
  const block = async (...line: string[]) => {
    const { stdout, stderr } = await chainlab(
      "query",
      "block",
      ...line,
      "--home",
      home,
      "-o",
      "json",
    );
    return stderr || JSON.parse(stdout);
  };
  const fifth = await block("--type=height", "5");
  expect(fifth).toMatchObject({ height: 5 });
  expect(await block("--type=hash", fifth.hash)).toEqual(fifth);
  expect(await block("5")).toEqual(fifth);
  expect((await chainlab("query", "comet-validator-set", "--home", home)).status).toBe(0);
  for (const flags of [["--home", home], [`--home=${home}`], ["--node", address, "-o", "json"]]) {
    const { stdout, stderr, status } = await chainlab(...flags, "status");
    expect([stderr, status]).toEqual(["", 0]);
    expect(JSON.parse(stdout)).toHaveProperty("node_info");
  }
});

test("where no node is, or something else answers, that is said", async () => {
  const nothing = await chainlab("query", "nodes", "--node", "127.0.0.1:1");
  expect([nothing.status, nothing.stderr]).toEqual([
    1,
    "127.0.0.1:1: no node answers there: clients of HTTP may not use its port\n",
  ]);
  const closed = await chainlab("query", "nodes", "--grpc-addr", "127.0.0.1:1");
  expect(closed.stderr).toBe("127.0.0.1:1: no node answers there: ECONNREFUSED\n");
  const steered = await chainlab("lab", "advance", "1", "--grpc-addr", "127.0.0.1:1");
  expect([steered.status, steered.stderr]).toEqual([1, closed.stderr]);
  const status = await chainlab("--node", "127.0.0.1:1", "status");
  expect([status.status, status.stderr]).toEqual([
    1,
    "http://127.0.0.1:1: no node answers there: ECONNREFUSED\n",
  ]);
  const other = await listen(
    createServer((_, response) => response.end("<html>")),
    ANY_PORT,
  );
  onTestFinished(() => other.close());
  const { stderr } = await chainlab("query", "nodes", "--node", other.address);
  expect(stderr).toBe(`${other.address}: it is no answer of a node\n`);
  const wrong = await chainlab("query", "nodes", "--node", "http://:");
  expect(wrong.stderr).toContain("expected an address such as 127.0.0.1:26657");
});
