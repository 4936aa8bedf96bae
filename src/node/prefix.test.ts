import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DirectSecp256k1HdWallet } from "@cosmjs/proto-signing";
import { SigningStargateClient } from "@cosmjs/stargate";
import { bech32 } from "@scure/base";
import { expect, onTestFinished, test } from "vitest";
import { prefixesOf } from "../base/address-prefix.ts";
import { prefixOf } from "../base/prefix-text.ts";
import { newWorldSpec } from "../engine/simulation/genesis/new-world.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { chainlab } from "./command-line.testing.ts";
import { dataOf, writeClientConfig } from "./home.ts";
import { fund, newFolder, reached } from "./server/chain.testing.ts";
import { RunningChain } from "./server/chain.ts";
import { openRest } from "./server/doors.ts";
import { openGrpc } from "./server/grpc/server.ts";
import { readBind } from "./server/listen.ts";
import { openRpc } from "./server/rpc.ts";

const ANY_PORT = readBind("127.0.0.1:0");
const MNEMONIC = `${"abandon ".repeat(11)}about`;

const toBech32 = (prefix: string, bytes: Uint8Array): string =>
  bech32.encode(prefix, bech32.toWords(bytes));

/** A home with a prefix, and its node. */
async function served(prefix: string) {
  const home = join(newFolder(), "home");
  const { status, stderr } = await chainlab("init", "--home", home, "--prefix", prefix);
  expect([status, stderr]).toEqual([0, ""]);
  const chain = await RunningChain.open(dataOf(home), "this-build", { speed: 20 });
  const how = { chain, namespace: "both", cors: "*" } as const;
  const rpc = await openRpc(how, ANY_PORT);
  const grpc = await openGrpc(how, ANY_PORT);
  const servers = { rpc: rpc.address, grpc: grpc.address };
  const rest = await openRest({ ...how, page: "", endpoints: servers }, ANY_PORT);
  writeClientConfig(home, { chainId: "lab-1", ...servers, rest: rest.address });
  let ended: Promise<unknown> | undefined;
  const end = () => {
    ended ??= Promise.all([rpc.close(), grpc.close(), rest.close()]).then(() => chain.close());
    return ended;
  };
  onTestFinished(async () => void (await end()));
  return { home, chain, rpc, grpc, rest, end };
}

test.each(["osmo", "iaa,iva,ica"])(
  "a chain of prefix %s is that for CosmJS, for every door and for keys, and stays so",
  async (prefix) => {
    const { account: word, validator, consensus } = prefixesOf(prefix);
    const { home, chain, rpc, grpc, rest, end } = await served(prefix);
    const wallet = await DirectSecp256k1HdWallet.fromMnemonic(MNEMONIC, { prefix: word });
    const [account] = await wallet.getAccounts();
    const address = account?.address ?? "";
    await chainlab("keys", "import", "me", ...MNEMONIC.split(" "), "--home", home);
    const key = await chainlab("keys", "show", "me", "--address", "--home", home);
    expect(key.stdout.trim()).toBe(address);

    await fund(chain, bech32.decodeToBytes(address).bytes);
    const client = await SigningStargateClient.connectWithSigner(`http://${rpc.address}`, wallet, {
      broadcastPollIntervalMs: 20,
    });
    onTestFinished(() => client.disconnect());
    const operator = chain.session.sim.account("val-1") ?? new Uint8Array();
    const to = toBech32(word, operator);
    const fee = { amount: [], gas: "200000" };
    const coins = [{ denom: "stake", amount: "5" }];
    const sent = await client.sendTokens(address, to, coins, fee);
    expect([sent.code, sent.rawLog]).toEqual([0, ""]);
    expect((await client.getBalance(address, "stake")).amount).toBe("999995");
    expect(await client.searchTx([{ key: "message.sender", value: address }])).toHaveLength(1);

    const requested = [
      ["--node", rpc.address],
      ["--grpc-addr", grpc.address],
      ["--home", home],
    ].map((place) =>
      chainlab("query", "staking", "validator", "val-1", ...place, "--output", "json"),
    );
    for (const { stdout } of await Promise.all(requested)) {
      expect(JSON.parse(stdout).validator.operator_address).toBe(toBech32(validator, operator));
    }
    const get = async (path: string) => (await fetch(`http://${rest.address}${path}`)).json();
    expect(await get("/cosmos/auth/v1beta1/bech32")).toEqual({ bech32_prefix: word });
    expect(await get(`/cosmos/bank/v1beta1/balances/${address}`)).toMatchObject({
      balances: [{ denom: "stake", amount: "999995" }],
    });
    const other = toBech32("chain", operator);
    expect(await get(`/cosmos/bank/v1beta1/balances/${other}`)).toMatchObject({
      code: 3,
      message: expect.stringContaining(`expected '${word}' got 'chain'`),
    });
    const drawn = await get("/lab/v1/validators");
    expect(prefixOf(drawn.validators[0].consensus_address)).toBe(consensus);
    expect((await get("/keplr.json")).bech32Config).toEqual({
      bech32PrefixAccAddr: word,
      bech32PrefixAccPub: `${word}pub`,
      bech32PrefixValAddr: validator,
      bech32PrefixValPub: `${validator}pub`,
      bech32PrefixConsAddr: consensus,
      bech32PrefixConsPub: `${consensus}pub`,
    });
    for (const [bech, kind] of [
      ["val", validator],
      ["cons", consensus],
    ] as const) {
      const shown = await chainlab("keys", "show", "me", "-a", "--bech", bech, "--home", home);
      expect(shown.stdout).toBe(`${toBech32(kind, bech32.decodeToBytes(address).bytes)}\n`);
    }

    const tx = ["tx", "bank", "send", "me", "val-1", "7stake", "--home", home, "--yes"];
    const { stdout, stderr, status } = await chainlab(...tx, "--output", "json");
    expect([status, stderr]).toEqual([0, ""]);
    const { height } = chain.session.sim;
    await reached(chain, height + 2);
    const found = await chainlab("query", "tx", JSON.parse(stdout).txhash, "--home", home);
    expect(found.stdout).toContain(`to_address: ${to}`);

    await end();
    const exported = await chainlab("export", "--home", home);
    const genesis = JSON.parse(exported.stdout);
    expect(genesis.lab.prefix).toBe(prefix);
    expect(JSON.stringify(genesis.app_state)).not.toContain('"chain1');
    const file = join(home, "exported.json");
    delete genesis.lab.prefix;
    writeFileSync(file, JSON.stringify(genesis));
    expect(await chainlab("genesis", "validate", file)).toMatchObject({ status: 0, stderr: "" });
    const fresh = join(home, "fresh");
    const init = await chainlab("init", "--home", fresh, "--genesis", file);
    expect([init.status, init.stderr]).toEqual([0, ""]);
    const again = await chainlab("export", "--home", fresh);
    expect(JSON.parse(again.stdout).lab.prefix).toBe(prefix);
  },
);

test("a chain begins with full commits where that is asked for, and keeps them", async () => {
  const home = join(newFolder(), "home");
  expect(await chainlab("init", "--home", home, "--commits", "full")).toMatchObject({ status: 0 });
  expect(JSON.parse((await chainlab("export", "--home", home)).stdout).lab.commits).toBe("full");
  const again = await chainlab("init", "--home", home, "--commits", "compact");
  expect(again.status).toBe(1);
  expect(again.stderr).toContain("has full commits, not compact");
});

test.each([
  [["--prefix", "Osmo"], 2, "--prefix: expected 1 to 20 small letters and digits"],
  [["--prefix", ""], 2, "--prefix: expected 1 to 20 small letters"],
  [["--prefix", "juno"], 1, "begin with osmo, not juno"],
])("init %j is refused where a chain begins with osmo", async (flags, expected, reason) => {
  const home = join(newFolder(), "home");
  await chainlab("init", "--home", home, "--prefix", "osmo");
  const { status, stdout, stderr } = await chainlab("init", "--home", home, ...flags);
  expect([status, stdout, stderr]).toEqual([expected, "", expect.stringContaining(reason)]);
});

test("worlds of two prefixes beside each other are what each is alone", () => {
  const end = (sims: readonly Simulation[]) => {
    for (let round = 0; round < 20; round++) {
      for (const sim of sims) {
        if (round === 3) sim.apply({ type: "double_sign", node: "val-1" });
        sim.advance();
      }
    }
    return sims.map((sim) => [sim.lastBlock.appHash, sim.height]);
  };
  const specs = [newWorldSpec(), newWorldSpec({ prefix: "osmo" })];
  const alone = specs.flatMap((spec) => end([Simulation.create(spec)]));
  expect(end(specs.map((spec) => Simulation.create(spec)))).toEqual(alone);
  expect(alone[0]?.[0]).not.toEqual(alone[1]?.[0]);
});
