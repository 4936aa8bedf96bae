/** Python's clients of the field, where Python has them: PYTHON names one, `python3` unless given. */
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { fromAccAddress, setAddressPrefix } from "../../engine/primitives/bech32.ts";
import { parseScenario } from "../../scenario/parse.ts";
import { fund, reached, runChain } from "./chain.testing.ts";
import { openRest } from "./doors.ts";
import { openGrpc } from "./grpc/server.ts";
import { readBind } from "./listen.ts";

const PYTHON = process.env.PYTHON ?? "python3";
const ANY_PORT = readBind("127.0.0.1:0");
const ADDRESS = "cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4";

const has = (module: string): boolean =>
  spawnSync(PYTHON, ["-c", `import ${module}`], { stdio: "ignore" }).status === 0;
const missing = has("cosmpy")
  ? ""
  : `: skipped, as ${PYTHON} has no cosmpy (pip install cosmpy==0.12.*)`;

/** Sends and delegates with a wallet of words, and reads both back. */
const COSMPY = `
import sys
from cosmpy.aerial.client import LedgerClient, NetworkConfig
from cosmpy.aerial.wallet import LocalWallet
client = LedgerClient(NetworkConfig(chain_id=sys.argv[2], url=sys.argv[1], fee_minimum_gas_price=0,
    fee_denomination="stake", staking_denomination="stake"))
wallet = LocalWallet.from_mnemonic("abandon " * 11 + "about", "cosmos")
validator = client.query_validators()[0].address
for tx in (client.send_tokens(wallet.address(), 7, "stake", wallet),
           client.delegate_tokens(validator, 1000, wallet)):
    tx.wait_to_complete()
    print(tx.tx_hash, client.query_tx(tx.tx_hash).code)
print(client.query_staking_summary(wallet.address()).total_staked)
`;

test.skipIf(missing !== "").each(["rest", "grpc"])(
  `cosmpy sends, delegates and reads back over %s${missing}`,
  async (door) => {
    const text =
      "{ scenario: 1, name: served, genesis: { validators: 4, prefix: cosmos }, steps: [] }";
    const read = parseScenario(text, "served.yaml");
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    const origin = { scenario: read.scenario, file: "served.yaml", text };
    const chain = await runChain({ speed: 20, origin });
    setAddressPrefix("cosmos");
    await fund(chain, fromAccAddress(ADDRESS));
    chain.session.player.play();
    chain.session.player.changed();
    await reached(chain, chain.session.sim.height + 1);
    const how = { chain, namespace: "both", cors: "*" } as const;
    const open = await (door === "rest" ? openRest(how, ANY_PORT) : openGrpc(how, ANY_PORT));
    onTestFinished(() => open.close());
    const { chainId } = chain.session.sim.spec;
    const address = `${door}+http://${open.address}`;
    const { stdout } = await promisify(execFile)(PYTHON, ["-c", COSMPY, address, chainId]);
    const [sent = "", delegated = "", staked] = stdout.trim().split("\n");
    expect(sent).toMatch(/^[0-9A-F]{64} 0$/);
    expect(delegated).toMatch(/^[0-9A-F]{64} 0$/);
    expect(staked).toBe("1000");
    for (const line of [sent, delegated]) {
      const tx = chain.session.sim.tx(Buffer.from(line.slice(0, 64), "hex"));
      expect(tx?.code).toBe(0);
    }
  },
  30_000,
);
