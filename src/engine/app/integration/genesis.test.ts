import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { DAY, SECOND } from "../../../base/time.ts";
import { GenesisStateSchema as BankGenesis } from "../../../gen/chain/bank/v1beta1/bank_pb.ts";
import {
  GenesisStateSchema as SlashingGenesis,
  type GenesisState as SlashingState,
} from "../../../gen/chain/slashing/v1beta1/slashing_pb.ts";
import {
  GenesisStateSchema as StakingGenesis,
  type GenesisState as StakingState,
} from "../../../gen/chain/staking/v1beta1/staking_pb.ts";
import {
  DEFAULT_PARAMS as SLASHING_DEFAULTS,
  paramsToMessage as slashingParams,
} from "../../modules/slashing/types.ts";
import { paramsToMessage, validatorToMessage } from "../../modules/staking/codec.ts";
import { DEFAULT_PARAMS } from "../../modules/staking/types.ts";
import {
  cons,
  consText,
  genesisValidator,
  POWER,
  pubKey,
  StakingChain,
  stake,
  val,
} from "./testing.ts";

/** A chain with every kind of state: unbonding, redelegating, jailed, tombstoned, missed blocks. */
function lived(
  versions: { staking?: number; slashing?: number; bank?: number } = {},
): StakingChain {
  const chain = new StakingChain({
    validators: { a: 10, b: 8, c: 6, d: 4 },
    accounts: { dan: 50n * POWER, eve: 50n * POWER },
    versions,
  });
  chain.next({
    txs: (ctx) => {
      chain.delegate(ctx, "dan", "a", 9n * POWER);
      chain.delegate(ctx, "eve", "b", 5n * POWER);
    },
  });
  chain.next();
  chain.next({ absent: ["b", "c"] });
  chain.next({
    absent: ["c"],
    txs: (ctx) => {
      chain.undelegate(ctx, "dan", "a", 2n * POWER);
      chain.redelegate(ctx, "dan", "a", "b", 3n * POWER);
    },
  });
  chain.next({
    begin: (ctx) => {
      const { keeper } = chain.slashing;
      keeper.slashWithInfractionReason(ctx, cons("d"), 10n ** 17n, 4, 3, "double_sign");
      keeper.jail(ctx, cons("d"));
      keeper.jailUntil(ctx, cons("d"), 253_402_300_799n * SECOND);
      keeper.tombstone(ctx, cons("d"));
    },
  });
  chain.runTo(10);
  return chain;
}

const exported = (chain: StakingChain) =>
  [chain.bank, chain.staking, chain.slashing].map((module) =>
    module.genesis.export(chain.context()),
  );

/** A chain that starts from another one's export, at its height and time. */
function imported(from: StakingChain): StakingChain {
  const chain = new StakingChain({ validators: {} });
  chain.height = from.height;
  chain.time = from.time;
  const states = exported(from);
  const modules = [chain.bank, chain.staking, chain.slashing];
  for (const [i, module] of modules.entries()) {
    const state = states[i];
    if (state === undefined) throw new Error("missing genesis state");
    module.genesis.validate(state);
    const updates = module.genesis.init(chain.context(), state);
    if (updates.length > 0) chain.startSet(updates);
  }
  return chain;
}

describe("export and import", () => {
  test("give back the same state, and the same set with its powers", () => {
    const chain = lived();
    const other = imported(chain);
    expect(exported(other)).toEqual(exported(chain));
    const set = (c: StakingChain, height: number) => c.sets.get(height);
    expect(set(other, 11)).toEqual(set(chain, 12));
  });

  test("give the same behaviour ever after", () => {
    const chain = lived();
    const other = imported(chain);
    // The first block of a chain has no last commit: exactly one vote fewer is counted.
    chain.next();
    other.next();
    for (const c of [chain, other]) {
      c.next({ absent: ["b"], txs: (ctx) => c.delegate(ctx, "eve", "c", 9n * POWER) });
      c.wait(22n * DAY);
    }
    expect(chain.next()).toEqual(other.next());
    expect(chain.updates).toEqual(other.updates);
    const [bank, staking] = exported(chain);
    expect(exported(other).slice(0, 2)).toEqual([bank, staking]);
  });
});

describe("staking genesis is refused", () => {
  const { staking } = new StakingChain({ validators: {} });
  const state = (init: object): StakingState =>
    create(StakingGenesis, { params: paramsToMessage(DEFAULT_PARAMS), ...init });
  const message = (change: object) =>
    validatorToMessage({ ...genesisValidator("a", POWER), ...change });

  test.each([
    [
      [message({}), message({ operator: genesisValidator("b", 1n).operator })],
      `duplicate validator in genesis state: moniker a, address ${consText("a")}`,
    ],
    [
      [message({ jailed: true, status: "bonded" })],
      `validator is bonded and jailed in genesis state: moniker a, address ${consText("a")}`,
    ],
    [
      [message({ delegatorShares: 0n })],
      `bonded/unbonded genesis validator cannot have zero delegator shares, validator: moniker a, address ${consText("a")}`,
    ],
    [[{ ...message({}), tokens: "many" }], "invalid integer: many"],
    [
      [{ ...message({}), operatorAddress: "x" }],
      "decoding bech32 failed: invalid bech32 string length 1",
    ],
  ])("%#: %s", (validators, text) => {
    expect(() => staking.genesis.validate(state({ validators }))).toThrow(text);
  });

  test("for parameters out of their bounds", () => {
    const params = paramsToMessage({ ...DEFAULT_PARAMS, maxValidators: 0 });
    expect(() => staking.genesis.validate(state({ params }))).toThrow(
      "max validators must be positive: 0",
    );
  });

  test("with a panic if a pool does not hold what the validators have", () => {
    const chain = new StakingChain({ validators: {} });
    const validators = [message({})];
    expect(() => chain.staking.genesis.init(chain.context(), state({ validators }))).toThrow(
      "not bonded pool balance is different from not bonded coins:  <-> 1000000stake",
    );
  });
});

test("staking genesis panics for the last power of a validator that it does not have", () => {
  const chain = new StakingChain({ validators: {} });
  const state = create(StakingGenesis, {
    params: paramsToMessage(DEFAULT_PARAMS),
    lastValidatorPowers: [{ address: val("x"), power: 1n }],
    exported: true,
  });
  expect(() => chain.staking.genesis.init(chain.context(), state)).toThrow(
    `validator ${val("x")} not found`,
  );
});

describe("no module begins with what it would not validate", () => {
  const chain = new StakingChain({ validators: {} });
  const ctx = chain.context();

  test("bank", () => {
    const state = create(BankGenesis, { supply: [stake(1)] });
    expect(() => chain.bank.genesis.init(ctx, state)).toThrow(
      "genesis supply is incorrect, expected 1stake, got ",
    );
  });

  test("staking", () => {
    const params = paramsToMessage({ ...DEFAULT_PARAMS, maxValidators: 0 });
    expect(() => chain.staking.genesis.init(ctx, create(StakingGenesis, { params }))).toThrow(
      "max validators must be positive: 0",
    );
  });

  test("slashing", () => {
    const params = slashingParams({ ...SLASHING_DEFAULTS, signedBlocksWindow: 0 });
    expect(() => chain.slashing.genesis.init(ctx, create(SlashingGenesis, { params }))).toThrow(
      "signed blocks window must be positive: 0",
    );
  });
});

describe("slashing genesis is refused", () => {
  const { slashing } = new StakingChain({ validators: {} });
  const state = (init: object): SlashingState =>
    create(SlashingGenesis, { params: slashingParams(SLASHING_DEFAULTS), ...init });

  test("if a counter disagrees with the list of missed blocks", () => {
    const info = { address: consText("a"), missedBlocksCounter: 2n };
    const signingInfos = [{ address: consText("a"), validatorSigningInfo: info }];
    const missedBlocks = [{ address: consText("a"), missedBlocks: [{ index: 1n, missed: true }] }];
    expect(() => slashing.genesis.validate(state({ signingInfos, missedBlocks }))).toThrow(
      `missed blocks counter of ${consText("a")} is 2, but 1 missed blocks are listed`,
    );
    expect(() => slashing.genesis.validate(state({ missedBlocks }))).toThrow(
      `missed blocks of ${consText("a")} have no signing info`,
    );
  });
});

describe("migrations", () => {
  test("staking 5 → 6 writes shares into the index of a validator's delegations; version 6 keeps it so", () => {
    const old = lived({ staking: 5 });
    const fresh = lived({ staking: 6 });
    expect(old.test.dump("staking")).not.toEqual(fresh.test.dump("staking"));
    fresh.staking.migrations[0]?.run(old.context());
    expect(old.test.dump("staking")).toEqual(fresh.test.dump("staking"));
  });

  test("slashing 4 → 5 takes the addresses out of the signing infos; queries show them all the same", () => {
    const old = lived({ slashing: 4 });
    const fresh = lived({ slashing: 5 });
    const before = exported(old);
    expect(old.test.dump("slashing")).not.toEqual(fresh.test.dump("slashing"));
    fresh.slashing.migrations[0]?.run(old.context());
    expect(old.test.dump("slashing")).toEqual(fresh.test.dump("slashing"));
    expect(exported(old)).toEqual(before);
  });

  test("bank 4 → 5 gives what version 5 would have written", () => {
    const old = lived({ bank: 4 });
    const fresh = lived({ bank: 5 });
    fresh.bank.migrations[0]?.run(old.context());
    expect(old.test.dump("bank")).toEqual(fresh.test.dump("bank"));
  });
});

test("the first validators are the strongest of genesis, ordered by power", () => {
  const chain = new StakingChain({
    validators: { a: 1, b: 3, c: 2 },
    staking: { maxValidators: 2 },
  });
  expect(chain.sets.get(1)?.map((member) => [member.pubKey, member.power])).toEqual([
    [pubKey("b"), 3],
    [pubKey("c"), 2],
  ]);
  expect(chain.validator("a").status).toBe("unbonded");
  expect(chain.slashing.keeper.getSigningInfo(chain.context(), cons("b"))?.startHeight).toBe(0);
  expect(chain.slashing.keeper.getPubkey(chain.context(), cons("a"))).toEqual(pubKey("a"));
});
