import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromBinary } from "@bufbuild/protobuf";
import { expect, onTestFinished, test } from "vitest";
import { decidedBlock } from "../engine/simulation/decided-blocks.ts";
import { QueryProposalsResponseSchema } from "../gen/chain/gov/v1beta1/query_pb.ts";
import { parseScenario } from "../scenario/parse.ts";
import type { Origin } from "../session/running-world.ts";
import { chainlab } from "./command-line.testing.ts";
import { newFolder, reached, runChain } from "./server/chain.testing.ts";
import { openGrpc } from "./server/grpc/server.ts";
import { readBind } from "./server/listen.ts";
import { openRpc } from "./server/rpc.ts";

const ANY_PORT = readBind("127.0.0.1:0");
const WORDS = `${"abandon ".repeat(11)}about`.split(" ");

/** A chain that is served, with a key `me` whose account has coins; blocks are made on demand. */
async function served(token = "", minGasPrices = "", origin?: Origin) {
  const chain = await runChain({ speed: "paused", minGasPrices, ...(origin && { origin }) });
  const how = {
    chain,
    namespace: "both",
    cors: "*",
    ...(token && { token, wrongTokenMs: 0 }),
  } as const;
  const rpc = await openRpc(how, ANY_PORT);
  onTestFinished(() => rpc.close());
  const grpc = await openGrpc(how, ANY_PORT);
  onTestFinished(() => grpc.close());
  const home = newFolder();
  await chainlab("keys", "import", "me", ...WORDS, "--home", home);
  const keys = await chainlab("keys", "show", "me", "--address", "--home", home);
  const at = ["--node", rpc.address, "--home", home];
  const lab = ["--grpc-addr", grpc.address, "--home", home];
  const block = async () => {
    const { height } = chain.session.sim;
    await chain.session.runStep('{"run":1}');
    await reached(chain, height + 1);
  };
  /** Runs a command and parses the printed JSON. */
  const json = async (...line: readonly string[]) => {
    const { stdout, stderr, status } = await chainlab(...line, "--output", "json");
    expect([stderr, status]).toEqual(["", 0]);
    return JSON.parse(stdout);
  };
  /** Sends a transaction, makes the block with it, and queries its result. */
  const done = async (...line: readonly string[]) => {
    const { txhash } = await json("tx", ...line, "--yes");
    await block();
    return json("query", "tx", txhash, "--node", rpc.address);
  };
  return { chain, home, address: keys.stdout.trim(), at, lab, block, json, done };
}

test("a transaction is signed for the chain id of the client's settings, and the lab's accounts know their own", async () => {
  const { home, at, lab, done } = await served();
  await done("bank", "send", "val-0", "me", "5000000stake", ...lab);
  const send = (from: string, ...more: readonly string[]) =>
    chainlab("tx", "bank", "send", from, "val-1", "7stake", "--yes", ...more);
  await chainlab("config", "set", "client", "chain-id", "other", "--home", home);
  const signed = await send("me", ...at);
  expect([signed.status, signed.stderr]).toEqual([
    1,
    expect.stringMatching(/signature verification failed.*chain-id \(lab-1\)/s),
  ]);
  const named = await send("me", ...at, "--chain-id", "lab-1");
  expect([named.status, named.stderr]).toEqual([0, ""]);
  const unsigned = await send("val-0", ...lab);
  const file = join(home, "config", "client.toml");
  expect([unsigned.status, unsigned.stdout, unsigned.stderr]).toEqual([
    1,
    "",
    expect.stringContaining(`${file}: chain-id: expected lab-1, the id of this chain, found other`),
  ]);
  const flag = await send("val-0", ...lab, "--chain-id", "another");
  expect(flag.stderr).toContain("--chain-id: expected lab-1, the id of this chain, found another");
});

test("coins come from an account of the lab, and go on by a signed transaction", async () => {
  const { at, lab, json, done, address } = await served();
  const input = await done("bank", "send", "val-0", "me", "5000000stake", ...lab);
  expect(input).toMatchObject({ code: 0 });
  const [, rpc = ""] = at;
  const balance = await json("query", "bank", "balance", address, "stake", "--node", rpc);
  expect(balance.balance.amount).toBe("5000000");
  expect(await json("query", "bank", "balance", "me", "stake", ...at)).toEqual(balance);
  const [, , , home = ""] = at;
  await chainlab("keys", "import", "my.key", ...WORDS, "--home", home);
  expect(await json("query", "bank", "balance", "my.key", "stake", ...at)).toEqual(balance);
  const none = await chainlab("query", "staking", "validator", "my.key", ...at);
  expect(none.stderr).toContain("validator chainvaloper1");
  const sent = await done(
    ...["bank", "send", "me", "val-1", "7stake", ...at],
    ...["--fees", "10stake", "--gas", "90000", "--memo", "hi", "--chain-id", "lab-1"],
  );
  expect(sent).toMatchObject({ code: 0, gas_wanted: "90000", tx: { body: { memo: "hi" } } });
  const amino = await done(
    "bank",
    "send",
    "me",
    "val-1",
    "7stake",
    ...at,
    "--sign-mode",
    "amino-json",
  );
  expect(amino).toMatchObject({
    code: 0,
    tx: { auth_info: { signer_infos: [{ sequence: "1" }] } },
  });
});

test("staking, gov, upgrade, slashing and evidence are written as the chain takes them", async () => {
  const { at, lab, done, json, home } = await served();
  await done("bank", "send", "val-0", "me", "500000000stake", ...lab);
  const ok = async (...line: readonly string[]) =>
    expect(await done(...line, ...at, "--from", "me"), line.join(" ")).toMatchObject({ code: 0 });
  await ok("staking", "delegate", "val-0", "3000000stake");
  await ok("staking", "redelegate", "val-0", "val-1", "1000000stake");
  await ok("staking", "unbond", "val-0", "500000stake");
  const [, rpc = ""] = at;
  const upgrade = ["upgrade", "software-upgrade", "v2", "--upgrade-height", "99", "--title", "v2"];
  await ok(...upgrade, "--summary", "why", "--deposit", "5000000stake");
  await ok("gov", "deposit", "1", "20000000stake");
  await ok("gov", "vote", "1", "yes");
  await ok("gov", "weighted-vote", "1", "yes=0.6,no=0.4");
  const { proposal } = await json("query", "gov", "proposal", "1", "--node", rpc);
  expect(proposal).toMatchObject({
    title: "v2",
    summary: "why",
    messages: [
      { "@type": "/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade", plan: { name: "v2", height: "99" } },
    ],
  });
  for (const command of [
    ["software-upgrade", "v3", "--upgrade-height", "99"],
    ["cancel-software-upgrade"],
  ]) {
    const empty = ["--title", "", "--summary", "", "--from", "me", "--yes", ...at];
    const refused = await chainlab("tx", "upgrade", ...command, ...empty);
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining("proposal title cannot be empty"),
    ]);
  }
  await ok("upgrade", "cancel-software-upgrade", "--title", "stay", "--deposit", "5000000stake");
  const cancelling = await json("query", "gov", "proposal", "2", "--node", rpc);
  expect(cancelling.proposal).toMatchObject({ title: "stay", summary: "stay" });
  await ok("gov", "cancel-proposal", "2");
  const file = join(home, "proposal.json");
  const { address: authority } = await json("query", "upgrade", "authority", "--node", rpc);
  const messages = [{ "@type": "/cosmos.upgrade.v1beta1.MsgCancelUpgrade", authority }];
  const fields = { messages, deposit: "5000000stake", title: "stay", summary: "why" };
  writeFileSync(file, JSON.stringify(fields));
  await ok("gov", "submit-proposal", file);
  const named = { name: "v15", height: "1500", info: "upgrade", upgraded_client_state: null };
  const legacy = {
    "@type": "/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal",
    ...{ title: "v15", description: "v15", plan: { ...named, time: "0001-01-01T00:00:00Z" } },
  };
  for (const message of [
    { "@type": "/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade", authority, plan: named },
    { "@type": "/cosmos.gov.v1.MsgExecLegacyContent", authority, content: legacy },
  ]) {
    writeFileSync(file, JSON.stringify({ ...fields, metadata: "ipfs://CID", messages: [message] }));
    await ok("gov", "submit-proposal", file);
  }
  const path = "/cosmos.gov.v1beta1.Query/Proposals";
  const old = await (await fetch(`http://${rpc}/abci_query?path="${path}"`)).json();
  const { value } = old.result.response;
  const { proposals } = fromBinary(QueryProposalsResponseSchema, Buffer.from(value, "base64"));
  expect(proposals.map(({ content }) => content?.typeUrl.split(".").at(-1))).toEqual([
    "MsgSoftwareUpgrade",
    "MsgCancelUpgrade",
    "MsgSoftwareUpgrade",
    "SoftwareUpgradeProposal",
  ]);
  writeFileSync(file, JSON.stringify({ ...fields, summary: "" }));
  const { stderr } = await chainlab("tx", "gov", "submit-proposal", file, ...at, "--from", "me");
  expect(stderr).toContain("proposal summary cannot be empty");
  const unjail = await done("slashing", "unjail", "--from", "val-0", ...lab);
  expect(unjail).toMatchObject({
    codespace: "slashing",
    raw_log: expect.stringContaining("not jailed"),
  });
  const evidence = join(home, "evidence.json");
  const equivocation = {
    "@type": "/cosmos.evidence.v1beta1.Equivocation",
    height: "2",
    time: "2026-01-01T00:00:05Z",
    power: "1",
    consensus_address: "x",
  };
  writeFileSync(evidence, JSON.stringify(equivocation));
  const submitted = await done("evidence", "submit", evidence, "--from", "me", ...at);
  expect(submitted.code).not.toBe(0);
  expect(submitted.tx.body.messages[0]["@type"]).toBe("/cosmos.evidence.v1beta1.MsgSubmitEvidence");
});

test("gas has a price, rounded up, also gas that is estimated; a fee beside it is refused", async () => {
  const { at, json, address, lab, done, block } = await served();
  await done("bank", "send", "val-0", "me", "5000000stake", ...lab);
  const send = ["bank", "send", "me", address, "1stake", ...at];
  const drafted = async (...line: string[]) =>
    (await json("tx", ...send, "--generate-only", ...line)).auth_info.fee.amount;
  expect(await drafted("--gas", "100001", "--gas-prices", "0.025stake")).toEqual([
    { denom: "stake", amount: "2501" },
  ]);
  expect(await drafted("--gas-prices", "0stake")).toEqual([]);
  const line = ["tx", ...send, "--gas", "auto", "--gas-prices", "0.1stake", "--yes", "-o", "json"];
  const { txhash } = JSON.parse((await chainlab(...line)).stdout);
  await block();
  const sent = await json("query", "tx", txhash, ...at.slice(0, 2));
  const { amount, gas_limit } = sent.tx.auth_info.fee;
  expect(amount).toEqual([{ denom: "stake", amount: `${Math.ceil(Number(gas_limit) / 10)}` }]);
  for (const [line, why] of [
    [["--gas-prices", "stake"], "expected prices such as 0.025stake"],
    [["--gas-prices", ""], '--gas-prices: expected prices such as 0.025stake, found ""'],
    [["--gas-prices", "1stake", "--fees", "1stake"], "expected --fees or --gas-prices, found both"],
  ] as const) {
    expect((await chainlab("tx", ...send, "--generate-only", ...line)).stderr).toContain(why);
  }
});

test("a transaction is only printed, or estimated; printed, it is signed and sent later", async () => {
  const { at, lab, done, json, home, block } = await served();
  await done("bank", "send", "val-0", "me", "5000000stake", ...lab);
  const send = ["tx", "bank", "send", "me", "val-1", "7stake", ...at];
  const draft = await chainlab(...send, "--generate-only");
  expect(JSON.parse(draft.stdout)).toMatchObject({ signatures: [] });
  const estimate = await chainlab(...send, "--dry-run");
  expect(estimate).toMatchObject({ status: 0, stdout: "" });
  expect(estimate.stderr).toMatch(/^gas estimate: \d+\n$/);
  const file = join(home, "tx.json");
  writeFileSync(file, draft.stdout);
  const signed = await chainlab("tx", "sign", file, "--from", "me", ...at);
  writeFileSync(file, signed.stdout);
  const bytes = (await chainlab("tx", "encode", file)).stdout.trim();
  const hex = Buffer.from(bytes, "base64").toString("hex");
  for (const line of [[bytes], ["--hex", hex], ["-x", hex.toUpperCase()]]) {
    expect(await chainlab("tx", "decode", ...line)).toEqual(signed);
  }
  const { txhash } = await json("tx", "broadcast", file, ...lab);
  expect(createHash("sha256").update(hex, "hex").digest("hex").toUpperCase()).toBe(txhash);
  await block();
  const [, rpc = ""] = at;
  expect(await json("query", "tx", txhash, "--node", rpc)).toMatchObject({ code: 0 });
  const gas = ["--gas", "auto", "--gas-adjustment", "1.4", "--gas-prices", "0stake"];
  const auto = await chainlab(...send, ...gas, "--yes", "--output", "json");
  expect([auto.status, JSON.parse(auto.stdout).code]).toEqual([0, 0]);
});

test("what the node refuses is printed, and said on stderr with exit status 1", async () => {
  const { at, lab, done } = await served();
  await done("bank", "send", "val-0", "me", "5000000stake", ...lab);
  const send = ["tx", "bank", "send", "me", "val-1", "7stake", ...at, "--yes"];
  const other = await chainlab(...send, "--chain-id", "other-1");
  expect(other.status).toBe(1);
  expect(other.stdout).toContain("code: 4\n");
  expect(other.stderr).toContain("signature verification failed; please verify account number");
  const early = await chainlab(...send, "--account-number", "0", "--sequence", "9");
  expect(early.stderr).toContain("account sequence mismatch, expected 0, got 9");
});

test("a transaction is waited for until the block with it is made", async () => {
  const { lab, block, json } = await served();
  const { txhash } = await json("tx", "bank", "send", "val-0", "me", "5stake", "--yes", ...lab);
  const waiting = json("query", "wait-tx", txhash, "--timeout", "10m", ...lab);
  const early = await chainlab("query", "tx", txhash, ...lab);
  expect(early.stderr).toContain(`tx not found: ${txhash}`);
  await block();
  expect(await waiting).toMatchObject({ txhash, code: 0 });
});

test.each([
  [["bank", "send", "me", "val-1", "stake"], "expected coins such as 100stake"],
  [["bank", "send", "nobody", "val-1", "1stake"], "there is no account nobody"],
  [["gov", "vote", "1", "maybe", "--from", "me"], "expected yes, no, no_with_veto or abstain"],
  [["gov", "submit-proposal", "/nowhere.json", "--from", "me"], "/nowhere.json: cannot be read"],
  [["staking", "delegate", "val-0", "1stake"], "--from: expected the name"],
  [
    ["bank", "send", "me", "val-1", "1stake"],
    "no terminal is here to ask whether to send it: expected --yes",
  ],
  [["bank", "send", "val-0", "val-1", "1stake", "--yes"], "--grpc-addr ADDRESS or --home DIR"],
])("tx %j is refused with a reason", async (line, reason) => {
  const { at, lab, done } = await served();
  await done("bank", "send", "val-0", "me", "5stake", ...lab);
  const known = line.includes("me") || !line.includes("send") ? at : at.slice(0, 2);
  const { status, stdout, stderr } = await chainlab("tx", ...line, ...known);
  expect([status, stdout, stderr]).toEqual([1, "", expect.stringContaining(reason)]);
});

test("a node with --min-gas-prices takes what offers as much, at each of its doors", async () => {
  const { at, lab, done } = await served("", "0.025stake");
  await done("bank", "send", "val-0", "me", "5000000stake", ...lab);
  const send = ["tx", "bank", "send", "me", "val-1", "7stake", "--yes", "--gas", "100000"];
  for (const place of [at, lab]) {
    const refused = await chainlab(...send, ...place, "--fees", "2499stake");
    expect(refused.stdout).toContain("code: 13\n");
    expect(refused.stderr).toContain("insufficient fees; got: 2499stake required: 2500stake");
  }
  expect((await chainlab(...send, ...at, "--fees", "2500stake")).status).toBe(0);
  const wrong = await chainlab("start", "--ephemeral", "--min-gas-prices", "cheap");
  expect([wrong.status, wrong.stderr]).toEqual([
    2,
    expect.stringContaining("expected prices such as 0.025stake"),
  ]);
});

test("what was signed before an export cannot be sent again to the chain that goes on from it", async () => {
  const before = await served();
  await before.done("bank", "send", "val-0", "me", "5000000stake", ...before.lab);
  const tx = join(before.home, "tx.json");
  const send = ["tx", "bank", "send", "me", "val-1", "7stake", ...before.at];
  writeFileSync(tx, (await chainlab(...send, "--generate-only")).stdout);
  writeFileSync(tx, (await chainlab("tx", "sign", tx, "--from", "me", ...before.at)).stdout);
  await before.json("tx", "broadcast", tx, ...before.at);
  await before.block();
  const account = ["query", "auth", "account", before.address];
  const known = await before.json(...account, ...before.at.slice(0, 2));
  expect(known.account.sequence).toBe("1");

  const { file: text } = await before.chain.session.query((requested) =>
    requested.labReading("getGenesis", {}),
  );
  const read = parseScenario(text, "genesis.json");
  if (!("scenario" in read)) throw new Error(read.problems[0]?.message);
  const origin = { scenario: read.scenario, file: "genesis.json", text };
  const after = await served("", "", origin);
  expect(await after.json(...account, ...after.at.slice(0, 2))).toEqual(known);
  const again = await chainlab("tx", "broadcast", tx, ...after.at);
  expect(again.stderr).toContain("account sequence mismatch, expected 1, got 0");
  expect(await after.done("bank", "send", "me", "val-1", "7stake", ...after.at)).toMatchObject({
    code: 0,
    tx: { auth_info: { signer_infos: [{ sequence: "1" }] } },
  });
});

test("accounts of the lab act only for one who may steer", async () => {
  const { lab } = await served("otter");
  const send = ["tx", "bank", "send", "val-0", "val-1", "5stake", "--yes", ...lab];
  expect((await chainlab(...send)).stderr).toContain("control needs the chain's token");
  expect((await chainlab(...send, "--lab-token", "other")).status).toBe(1);
  expect((await chainlab(...send, "--lab-token", "otter")).status).toBe(0);
});

test("after a scenario an account of the lab acts, and the block with it is made", async () => {
  const file = "public/scenarios/upgrade-halts-and-recovers.yaml";
  const sent = await chainlab("tx", "bank", "send", "val-0", "val-1", "5stake", "--scenario", file);
  expect([sent.status, sent.stderr]).toEqual([0, ""]);
  expect(sent.stdout).toContain("/chain.bank.v1beta1.MsgSend");
  const much = ["tx", "bank", "send", "val-0", "val-1", "5000000000000000stake"];
  const refused = await chainlab(...much, "--scenario", file);
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining("insufficient funds"),
  ]);
});

test.each([
  [["decode", "!"], "base64"],
  [["decode", "/////w=="], "the bytes are no transaction"],
  [["decode", "--hex", "abc"], "expected bytes in hex, two digits each"],
  [["encode", "/nowhere.json"], "/nowhere.json: cannot be read: there is no such file"],
])("tx %j is refused", async (line, reason) => {
  const { status, stdout, stderr } = await chainlab("tx", ...line);
  expect([status, stdout, stderr]).toEqual([1, "", expect.stringContaining(reason)]);
});

test("bytes of a block are decoded, also those that an account of the lab has sent", async () => {
  const { chain, lab, done } = await served();
  const { height } = await done("bank", "send", "val-0", "me", "5stake", "--memo", "hi", ...lab);
  const [tx = new Uint8Array()] = decidedBlock(chain.session.sim, Number(height))?.txs ?? [];
  const { stdout } = await chainlab("tx", "decode", Buffer.from(tx).toString("base64"));
  expect(JSON.parse(stdout)).toMatchObject({ body: { memo: "hi" }, signatures: [""] });
});
