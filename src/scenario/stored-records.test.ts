import { readFileSync } from "node:fs";
import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { AnySchema, Int64ValueSchema, StringValueSchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { describeEntry } from "../engine/app/describe.ts";
import { decodePlainly, encodePlainly } from "../engine/framework/records.ts";
import * as gov from "../gen/chain/gov/v1/gov_pb.ts";
import * as slashing from "../gen/chain/slashing/v1beta1/slashing_pb.ts";
import * as staking from "../gen/chain/staking/v1beta1/staking_pb.ts";
import { NamedTxSchema, TxMsgDataSchema } from "../gen/chain/tx/v1beta1/named_tx_pb.ts";
import { PlanSchema } from "../gen/chain/upgrade/v1beta1/upgrade_pb.ts";
import { RECORDS } from "../gen/records.ts";
import { registry } from "../gen/registry.ts";
import { createContext } from "./create-context.ts";
import { parseScenario } from "./parse.ts";
import { drain } from "./report.ts";
import { runStep } from "./runner.ts";

const FOLDER = new URL("../../public/scenarios/", import.meta.url);

/** Every kind of entry that is a message. */
const MESSAGES: Readonly<Record<string, DescMessage>> = {
  "evidence: evidence": AnySchema,
  "gov: deposit": gov.DepositSchema,
  "gov: params": gov.ParamsSchema,
  "gov: proposal": gov.ProposalSchema,
  "gov: vote": gov.VoteSchema,
  "slashing: params": slashing.ParamsSchema,
  "slashing: public key": AnySchema,
  "slashing: signing info": slashing.ValidatorSigningInfoSchema,
  "staking: delegation": staking.DelegationSchema,
  "staking: last power": Int64ValueSchema,
  "staking: last total power": StringValueSchema,
  "staking: params": staking.ParamsSchema,
  "staking: redelegation": staking.RedelegationSchema,
  "staking: redelegation queue": staking.DVVTripletsSchema,
  "staking: unbonding": staking.UnbondingDelegationSchema,
  "staking: unbonding queue": staking.DVPairsSchema,
  "staking: validator": staking.ValidatorSchema,
  "staking: validator queue": staking.ValAddressesSchema,
  "upgrade: plan": PlanSchema,
};

/** Every other kind: texts, numbers, addresses, bits, or nothing. */
const OTHERS = [
  "bank: balance",
  "bank: denom owner",
  "bank: supply",
  "gov: end of deposit period",
  "gov: end of voting",
  "gov: in voting period",
  "gov: next proposal id",
  "oracle: version",
  "slashing: missed blocks",
  "staking: delegation by validator",
  "staking: power index",
  "staking: redelegation by destination",
  "staking: redelegation by source",
  "staking: unbonding by validator",
  "staking: validator by consensus address",
  "upgrade: done",
  "upgrade: protocol version",
  "upgrade: version",
];

/** Together they store a message of every kind. */
const FILES = [
  "double-sign-then-redelegate",
  "downtime-jail-and-unjail",
  "removed-validator",
  "upgrade-with-handler",
  "veto-burns-deposit",
];

test("what stores keep is written and read without the library", () => {
  const seen = new Set<string>();
  for (const file of FILES) {
    const text = readFileSync(new URL(`${file}.yaml`, FOLDER), "utf8");
    const read = parseScenario(text, file);
    if ("problems" in read) throw new Error(JSON.stringify(read.problems));
    const context = createContext(read.scenario);
    for (const [i, step] of read.scenario.steps.entries()) drain(runStep(context, step, i));
    const { sim } = context;
    for (let height = sim.initialHeight; height <= sim.height; height++) {
      const state = sim.state(height);
      const app = sim.read((_, found) => found, height);
      for (const store of state.storeNames) {
        for (const { key, value, version } of state.reader(store).iterate()) {
          if (version !== height) continue;
          const kind = `${store}: ${describeEntry(app, store, key, value).kind}`;
          seen.add(kind);
          const schema = MESSAGES[kind];
          if (schema === undefined) continue;
          const message = decodePlainly(schema, value);
          if (message === undefined) throw new Error(`${kind} of ${file} is read by the library`);
          const init = message as MessageInitShape<DescMessage>;
          expect(encodePlainly(schema, init)).toEqual(value);
        }
      }
    }
  }
  expect([...seen].filter((kind) => kind in MESSAGES).sort()).toEqual(Object.keys(MESSAGES));
  expect([...seen].filter((kind) => !(kind in MESSAGES || OTHERS.includes(kind)))).toEqual([]);
});

test("every message of the modules, its answer and what a transaction is can be so too", () => {
  const services = [...registry].filter((desc) => desc.kind === "service" && desc.name === "Msg");
  const messages = services.flatMap((desc) =>
    desc.kind === "service" ? desc.methods.flatMap(({ input, output }) => [input, output]) : [],
  );
  expect(messages.length).toBeGreaterThan(30);
  const names = [...messages, NamedTxSchema, TxMsgDataSchema].map(({ typeName }) => typeName);
  expect(names.filter((name) => RECORDS[name] === undefined)).toEqual([]);
});
