/**
 * Upstream's Python clients, if they are installed: PYTHON names the interpreter, by default
 * `python3`.
 */
import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { expect, inject, onTestFinished, test } from "vitest";
import { skippedFor } from "../../base/skipped.testing.ts";
import { inTime } from "./chain.testing.ts";
import { openRest } from "./doors.ts";
import { openGrpc } from "./grpc/server.ts";
import { readBind } from "./listen.ts";
import { operatorJobs, outsideChain } from "./outside.testing.ts";

const PYTHON = process.env.PYTHON ?? "python3";
const ANY_PORT = readBind("127.0.0.1:0");
/** The account of the mnemonic that ends with "about". */
const ADDRESSES = {
  cosmos: "cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4",
  osmo: "osmo19rl4cm2hmr8afy4kldpxz3fka4jguq0a5m7df8",
};

const has = (module: string): boolean =>
  spawnSync(PYTHON, ["-c", `import ${module}`], { stdio: "ignore" }).status === 0;

/**
 * Reads a message from each line, signs and sends it with `send`, and prints the results by hash,
 * height and action.
 */
const COMMON = `
import sys, json, importlib
from google.protobuf.json_format import ParseDict
door, host, chain_id, prefix = sys.argv[1:]
words = "abandon " * 11 + "about"
def serve(package, send, search):
    tx_pb2 = lambda name: importlib.import_module(package + ".cosmos." + name)
    for name in ("evidence.v1beta1.evidence_pb2", "gov.v1beta1.gov_pb2", "crypto.ed25519.keys_pb2"): tx_pb2(name)
    for line in sys.stdin:
        job = json.loads(line)
        _, module, version, name = job["typeUrl"].split(".")
        message = getattr(tx_pb2(module + "." + version + ".tx_pb2"), name)()
        tx_hash, height, code = send(ParseDict(job["value"], message), job["typeUrl"])
        found = [search(query) for query in (f"tx.height={height}", f"message.action='{job['action']}'")]
        print(json.dumps({"hash": tx_hash, "code": code, "found": found}), flush=True)
`;

const COSMPY = `${COMMON}
from cosmpy.aerial.client import LedgerClient, NetworkConfig
from cosmpy.aerial.client.utils import prepare_and_broadcast_basic_transaction
from cosmpy.aerial.tx import Transaction, TxFee
from cosmpy.aerial.wallet import LocalWallet
from cosmpy.protos.cosmos.tx.v1beta1.service_pb2 import GetTxsEventRequest
client = LedgerClient(NetworkConfig(chain_id=chain_id, url=f"{door}+http://{host}", fee_minimum_gas_price=0,
    fee_denomination="stake", staking_denomination="stake"))
wallet = LocalWallet.from_mnemonic(words, prefix)
def send(message, type_url):
    # Protobuf's own JSON has a weight as in bytes, which no REST of the SDK reads: it is not simulated.
    fee = TxFee(gas_limit=400000) if type_url.endswith("MsgVoteWeighted") else None
    tx = Transaction().add_message(message)
    sent = prepare_and_broadcast_basic_transaction(client, tx, wallet, fee=fee)
    sent.wait_to_complete(poll_period=0.05)
    answer = client.query_tx(sent.tx_hash)
    return answer.hash, answer.height, answer.code
def search(query):
    return [tx.txhash for tx in client.txs.GetTxsEvent(GetTxsEventRequest(query=query)).tx_responses]
serve("cosmpy.protos", send, search)
`;

const MOSPY = `${COMMON}
import httpx
from cosmospy_protobuf.cosmos.tx.v1beta1 import service_pb2
from mospy import Account, Transaction
from mospy.clients import GRPCClient, HTTPClient
name, port = host.split(":")
rest, grpc = HTTPClient(api=f"http://{host}"), GRPCClient(host=name, port=int(port))
client = rest if door == "rest" else grpc
account = Account(seed_phrase=words, hrp=prefix)
client.load_account_data(account=account)
def send(message, type_url):
    tx = Transaction(account=account, gas=400000, chain_id=chain_id)
    tx.set_fee(1, "stake")
    tx.add_raw_msg(message, type_url=type_url)
    sent = client.broadcast_transaction(transaction=tx)
    if sent["code"] != 0: raise Exception(sent["log"])
    account.increase_sequence()
    answer = client.wait_for_tx(tx_hash=sent["hash"], poll_period=0.05)
    answer = answer["tx_response"] if door == "rest" else answer["txResponse"]
    return answer["txhash"], answer["height"], answer.get("code", 0)
def search(query):
    if door == "rest":
        answer = httpx.get(f"http://{host}/cosmos/tx/v1beta1/txs", params={"query": query}).json()
        return [tx["txhash"] for tx in answer["tx_responses"]]
    stub = grpc._cosmos_tx_service_pb2_grpc.ServiceStub(grpc._connect())
    return [tx.txhash for tx in stub.GetTxsEvent(service_pb2.GetTxsEventRequest(events=[query])).tx_responses]
serve("cosmospy_protobuf", send, search)
`;

const PROGRAMS = [
  ["cosmpy", "cosmpy==0.12.*", COSMPY],
  ["mospy", "mospy-wallet==0.6.*", MOSPY],
] as const;

/** Servers and prefixes: each once, and in a soak all combinations. */
const WAYS = [
  ["rest", "cosmos"],
  ["grpc", "osmo"],
  ...(inject("soak")
    ? ([
        ["rest", "osmo"],
        ["grpc", "cosmos"],
      ] as const)
    : []),
] as const;

for (const [module, install, program] of PROGRAMS) {
  const missing = has(module)
    ? undefined
    : `The tests of ${module} did NOT run: ${PYTHON} has none. Install it (pip install '${install}'), and run npm test again.`;
  test.each(WAYS)(
    `${module} does an operator's whole job over %s where addresses begin with %s`,
    skippedFor(missing),
    async (server, prefix) => {
      const address = ADDRESSES[prefix];
      const chain = await outsideChain(prefix, address);
      const how = { chain, namespace: "both", cors: "*" } as const;
      const open = await (server === "rest" ? openRest(how, ANY_PORT) : openGrpc(how, ANY_PORT));
      onTestFinished(() => open.close());
      const { sim } = chain.session;
      const child = spawn(PYTHON, ["-c", program, server, open.address, sim.spec.chainId, prefix]);
      onTestFinished(() => void child.kill());
      let problem = "";
      child.stderr.on("data", (text) => {
        problem += text;
      });
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      const jobs = operatorJobs(chain, address, (typeUrl, value) => ({
        "@type": typeUrl,
        ...value,
      }));
      for (const { typeUrl, value, action, ready } of jobs) {
        await ready?.();
        child.stdin.write(`${JSON.stringify({ typeUrl, value, action })}\n`);
        const { value: line } = await inTime(lines.next(), `an answer of ${module}`);
        expect([typeUrl, problem, line]).toEqual([typeUrl, "", expect.any(String)]);
        const { hash, code, found } = JSON.parse(line);
        expect([typeUrl, code, found]).toEqual([typeUrl, 0, [[hash], [hash]]]);
        expect(sim.tx(Buffer.from(hash, "hex"))?.code).toBe(0);
      }
    },
  );
}
