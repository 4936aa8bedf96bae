import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { V1 } from "../engine/app/binary.ts";
import {
  PARAMS_MODULES,
  type ParamsModule,
  parametersOf,
  worldParams,
} from "../engine/simulation/genesis/params.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { ABOUT } from "../gen/about.ts";
import { file_chain_gov_v1_gov } from "../gen/chain/gov/v1/gov_pb.ts";
import { file_chain_slashing_v1beta1_slashing } from "../gen/chain/slashing/v1beta1/slashing_pb.ts";
import { file_chain_staking_v1beta1_staking } from "../gen/chain/staking/v1beta1/staking_pb.ts";
import { durationText, paramEntries, readParams } from "./genesis-params.ts";
import { parseScenario } from "./parse.ts";

/** Parameters that no scenario contains, each with its replacement. */
const STATED_AT: Readonly<Record<string, string>> = {
  "staking.historical_entries": "always 0: no header is kept in the state",
  "staking.bond_denom": "genesis.denom",
};

/** A non-default value, as written in a scenario. */
const OTHER: Readonly<Record<string, unknown>> = {
  signed_blocks_window: 42,
  min_signed_per_window: "0.25",
  downtime_jail_duration: "7s",
  slash_fraction_double_sign: 1,
  slash_fraction_downtime: "0.125",
  unbonding_time: "90m",
  max_validators: 3,
  max_entries: 1,
  min_commission_rate: "0.07",
  min_deposit: "12stake",
  max_deposit_period: "1h",
  voting_period: "500ms",
  quorum: "0.4",
  threshold: "0.6",
  veto_threshold: "0.3",
  min_initial_deposit_ratio: "0.2",
  proposal_cancel_ratio: "0.1",
  proposal_cancel_dest: "chain1x",
  expedited_voting_period: "100ms",
  expedited_threshold: "0.9",
  expedited_min_deposit: "13stake",
  burn_vote_quorum: true,
  burn_proposal_deposit_prevote: true,
  burn_vote_veto: false,
  min_deposit_ratio: "0.5",
};

const FILES = [
  file_chain_slashing_v1beta1_slashing,
  file_chain_staking_v1beta1_staking,
  file_chain_gov_v1_gov,
];

/** Every field of every message called Params. */
const fields = FILES.flatMap(({ proto, messages }) =>
  messages
    .filter(({ name }) => name === "Params")
    .flatMap((message) =>
      message.fields.map(
        (field) => [`${proto.package.split(".")[1]}.${field.name}`, field] as const,
      ),
    ),
);

const read = (module: ParamsModule, source: Record<string, unknown>) =>
  worldParams("stake", {
    [module]: readParams(module, v.parse(v.strictObject(paramEntries(module)), source)),
  })[module] as unknown as Record<string, unknown>;

test("every module with parameters is one whose parameters a world states", () => {
  expect(new Set(fields.map(([name]) => name.split(".")[0]))).toEqual(new Set(PARAMS_MODULES));
  expect(Object.keys(V1.modules)).toEqual(expect.arrayContaining([...PARAMS_MODULES]));
});

describe("a parameter", () => {
  test.each(fields)("%s says what it means in its proto", (_, field) => {
    expect(ABOUT[`${field.parent.typeName}.${field.name}`]).toMatch(/^[A-Z].*\.$/);
  });

  test.each(fields)("%s can be written in a scenario, or is stated elsewhere", (name, field) => {
    const [module, key] = name.split(".") as [ParamsModule, string];
    const usual = read(module, {});
    if (name in STATED_AT) {
      expect(() => read(module, { [key]: 1 })).toThrow();
    } else {
      const changed = read(module, { [key]: OTHER[key] });
      expect(changed[field.localName]).not.toEqual(usual[field.localName]);
    }
  });

  test("that depends on others follows them, unless it is given", () => {
    const { gov } = worldParams("mint", {
      gov: readParams(
        "gov",
        v.parse(v.strictObject(paramEntries("gov")), { min_deposit: "7mint" }),
      ),
    });
    expect(gov.expeditedMinDeposit).toMatchObject([{ amount: "35", denom: "mint" }]);
    expect(gov.expeditedVotingPeriod).toMatchObject({ seconds: 30n, nanos: 0 });
    expect(worldParams("mint").gov.minDeposit).toMatchObject([{ denom: "mint" }]);
  });
});

test("what is stated elsewhere says where", () => {
  const all = PARAMS_MODULES.flatMap((module) =>
    parametersOf(module).flatMap(({ field, rule }) =>
      rule.statedAt === undefined ? [] : [`${module}.${field.name}`],
    ),
  );
  expect(all).toEqual(Object.keys(STATED_AT));
});

test.each([
  [7_200_000_000_000n, "2h"],
  [5_400_000_000_000n, "5400s"],
  [500_000_000n, "500ms"],
])("%d ns are written %s", (value, text) => {
  expect(durationText(value)).toBe(text);
});

test("whatever one parameter a file accepts, the modules accept too", () => {
  const extremes = [
    0,
    1,
    "0",
    "1",
    "1ns",
    "2ns",
    "876000h",
    "0stake",
    "1stake",
    "chain1x",
    true,
    false,
  ];
  const writable = PARAMS_MODULES.flatMap((module) =>
    Object.keys(paramEntries(module)).map((key) => [module, key] as const),
  );
  let accepted = 0;
  for (const [module, key] of writable) {
    for (const value of extremes) {
      const file = {
        scenario: 1,
        name: "x",
        seed: 7,
        genesis: { [module]: { [key]: value } },
        steps: [],
      };
      const read = parseScenario(JSON.stringify(file), "x.json");
      if (!("scenario" in read)) continue;
      accepted++;
      const { spec } = read.scenario;
      expect(() => Simulation.create(spec), `${module}.${key}: ${value}`).not.toThrow();
    }
  }
  expect(accepted).toBeGreaterThan(writable.length);
});
