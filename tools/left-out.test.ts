import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { V1 } from "../src/engine/app/binary.ts";
import { STATUS, StatusError } from "../src/engine/framework/errors.ts";
import { Simulation } from "../src/engine/simulation/simulation.ts";
import { runTo, worldSpec } from "../src/engine/simulation/testing.ts";
import { registry } from "../src/gen/registry.ts";
import { RPC_METHODS } from "../src/server/rpc/methods.ts";
import { lazyObserver } from "../src/view/lab/frame/observed.ts";
import { WorldQueries } from "../src/view/lab/world-queries.ts";
import { ruleNumbers } from "./citations.ts";
import { rulesOf } from "./measure.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const LEFT_OUT = readFileSync(`${ROOT}docs/left-out.md`, "utf8").replace(/\s+/g, " ");

/** The messages of upstream's modules of these names, Cosmos SDK 0.53. */
const UPSTREAM: Readonly<Record<string, string>> = {
  bank: "Send MultiSend UpdateParams SetSendEnabled",
  evidence: "SubmitEvidence",
  gov: "SubmitProposal ExecLegacyContent Vote VoteWeighted Deposit UpdateParams CancelProposal",
  slashing: "Unjail UpdateParams",
  staking:
    "CreateValidator EditValidator Delegate BeginRedelegate Undelegate CancelUnbondingDelegation UpdateParams",
  upgrade: "SoftwareUpgrade CancelUpgrade",
};

/** The modules of upstream's own application, Cosmos SDK 0.53, that have no state here. */
const MODULES =
  "authz bank circuit consensus crisis distribution epochs evidence feegrant genutil gov group mint nft params protocolpool slashing staking upgrade vesting";

/** The methods of CometBFT 0.38's RPC, the unsafe ones too. */
const RPC =
  "health status net_info blockchain genesis genesis_chunked block block_by_hash block_results commit header header_by_hash check_tx tx tx_search block_search validators dump_consensus_state consensus_state consensus_params unconfirmed_txs num_unconfirmed_txs broadcast_tx_commit broadcast_tx_sync broadcast_tx_async abci_query abci_info broadcast_evidence dial_seeds dial_peers unsafe_flush_mempool";

const services = [...registry].flatMap((desc) => (desc.kind === "service" ? [desc] : []));

test("every message of upstream's that a module here does not take is named, and none that one takes", () => {
  for (const [module, messages] of Object.entries(UPSTREAM)) {
    const service = services.find(
      ({ name, typeName }) => name === "Msg" && typeName.startsWith(`chain.${module}.`),
    );
    const taken = new Set(service?.methods.map(({ name }) => name));
    const missing = messages.split(" ").filter((name) => !taken.has(name));
    const paragraph = LEFT_OUT.slice(LEFT_OUT.indexOf("**4.5 "), LEFT_OUT.indexOf("**4.6 "));
    for (const name of missing) expect(paragraph, module).toContain(`\`Msg${name}\``);
    for (const name of taken) {
      if (missing.length === 0) continue;
      expect(paragraph, `${module} takes it`).not.toContain(`${module}'s \`Msg${name}\``);
    }
  }
});

test("every module of upstream's application is one of the binary's, or named as missing", () => {
  const paragraph = LEFT_OUT.slice(LEFT_OUT.indexOf("**4.2 "), LEFT_OUT.indexOf("**4.3 "));
  const missing = MODULES.split(" ").filter((name) => !Object.hasOwn(V1.modules, name));
  const named = missing.filter((name) => new RegExp(`\\b${name}\\b`).test(paragraph));
  expect(named).toEqual(missing);
  const here = LEFT_OUT.slice(LEFT_OUT.indexOf("**4.1 "), LEFT_OUT.indexOf("**4.2 "));
  expect(Object.keys(V1.modules).filter((name) => !here.includes(name))).toEqual([]);
});

test("every method of a service that is known and answered as not implemented is named", () => {
  const sim = Simulation.create(worldSpec());
  runTo(sim, 3);
  const queries = new WorldQueries(sim, lazyObserver(sim));
  const requested = services.filter(({ name }) => name !== "Msg").flatMap(({ methods }) => methods);
  expect(requested.length).toBeGreaterThan(50);
  const unnamed = requested.filter((method) => {
    try {
      queries.query(`${method.parent.typeName}/${method.name}`, create(method.input));
      return false;
    } catch (error) {
      const isMissing = error instanceof StatusError && error.code === STATUS.unimplemented;
      return isMissing && !LEFT_OUT.includes(method.name);
    }
  });
  expect(unnamed.map(({ name }) => name)).toEqual([]);
});

test("every method of CometBFT's RPC is answered, or named as missing", () => {
  const missing = RPC.split(" ").filter((name) => !RPC_METHODS.has(name));
  expect(missing.filter((name) => !LEFT_OUT.includes(`\`${name}\``))).toEqual([]);
  const named = RPC.split(" ").filter((name) =>
    LEFT_OUT.slice(LEFT_OUT.indexOf("All methods but"), LEFT_OUT.indexOf("`net_info`")).includes(
      `\`${name}\``,
    ),
  );
  expect(named).toEqual(missing);
});

test("every rule that is cited is there", () => {
  const rules = rulesOf(ROOT);
  const cited = [...LEFT_OUT.matchAll(/`rules\/([a-z]+) (\d+\.\d+)`/g)];
  expect(cited.length).toBeGreaterThan(20);
  expect(cited.filter(([, name = "", number = ""]) => !rules.get(name)?.has(number))).toEqual([]);
  expect(ruleNumbers(readFileSync(`${ROOT}docs/left-out.md`, "utf8")).size).toBeGreaterThan(35);
});
