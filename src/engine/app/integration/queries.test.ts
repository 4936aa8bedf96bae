import { describe, expect, test } from "vitest";
import { DAY } from "../../../base/time.ts";
import { thrownBy } from "../../framework/testing.ts";
import { acc, cons, consText, POWER, StakingChain, stake, val } from "./testing.ts";

const chain = new StakingChain({
  validators: { a: 10, b: 8, c: 6 },
  accounts: { dan: 50n * POWER, eve: 50n * POWER },
  staking: { maxValidators: 2 },
});
chain.next({
  txs: (ctx) => {
    chain.delegate(ctx, "dan", "a", 9n);
    chain.delegate(ctx, "eve", "a", 4n);
    chain.redelegate(ctx, "dan", "a", "b", 3n);
    chain.undelegate(ctx, "dan", "a", 2n);
  },
});
chain.next();

const staking = <T>(name: string, request: Record<string, unknown> = {}): T =>
  chain.query<T>(`chain.staking.v1beta1.Query/${name}`, request);
const slashing = <T>(name: string, request: Record<string, unknown> = {}): T =>
  chain.query<T>(`chain.slashing.v1beta1.Query/${name}`, request);

interface Validators {
  validators: { operatorAddress: string }[];
  pagination: { total: bigint; nextKey: Uint8Array };
}

type Refused = [name: string, request: Record<string, unknown>, code: number, message: string];
const NO_BECH32 = "decoding bech32 failed: invalid separator index -1";

describe("staking", () => {
  test("Validators by status and by page", () => {
    const addresses = (request: object) =>
      staking<Validators>("Validators", { ...request }).validators.map((v) => v.operatorAddress);
    expect(addresses({})).toEqual([val("a"), val("b"), val("c")]);
    expect(addresses({ status: "BOND_STATUS_BONDED" })).toEqual([val("a"), val("b")]);
    expect(addresses({ status: "BOND_STATUS_UNBONDED" })).toEqual([val("c")]);
    const first = staking<Validators>("Validators", { pagination: pageRequest({ limit: 2n }) });
    expect(first.validators).toHaveLength(2);
    const { nextKey: key } = first.pagination;
    expect(addresses({ pagination: pageRequest({ key, limit: 2n }) })).toEqual([val("c")]);
  });

  test.each([
    ["Validators", { status: "BONDED" }, 3, "invalid validator status BONDED"],
    ["Validator", { validatorAddr: "" }, 3, "validator address cannot be empty"],
    ["Validator", { validatorAddr: val("x") }, 5, `validator ${val("x")} not found`],
    [
      "Delegation",
      { delegatorAddr: "", validatorAddr: val("a") },
      3,
      "delegator address cannot be empty",
    ],
    [
      "Delegation",
      { delegatorAddr: acc("eve"), validatorAddr: val("b") },
      5,
      `delegation with delegator ${acc("eve")} not found for validator ${val("b")}`,
    ],
    [
      "Redelegations",
      { delegatorAddr: acc("eve"), srcValidatorAddr: val("a"), dstValidatorAddr: val("b") },
      5,
      `redelegation not found for delegator address ${acc("eve")} from validator address ${val("a")}`,
    ],
    [
      "UnbondingDelegation",
      { delegatorAddr: acc("eve"), validatorAddr: val("a") },
      5,
      `unbonding delegation with delegator ${acc("eve")} not found for validator ${val("a")}`,
    ],
    [
      "ValidatorUnbondingDelegations",
      { validatorAddr: "" },
      3,
      "validator address cannot be empty",
    ],
    ["DelegatorValidators", { delegatorAddr: "" }, 3, "delegator address cannot be empty"],
    ...["Delegation", "UnbondingDelegation", "DelegatorValidator"].map(
      (name): Refused => [
        name,
        { delegatorAddr: "nonsense", validatorAddr: "" },
        3,
        "validator address cannot be empty",
      ],
    ),
    ["Validator", { validatorAddr: "nonsense" }, 3, NO_BECH32],
    ["Redelegations", { delegatorAddr: "nonsense" }, 3, NO_BECH32],
    ["Redelegations", {}, 3, "empty address string is not allowed"],
  ] satisfies Refused[])("%s with %j answers status %i", (name, request, code, message) => {
    expect(thrownBy(() => staking(name, request))).toMatchObject({ code, message });
  });

  test("Delegation and its lists give what shares are worth today", () => {
    const one = {
      delegation: { validatorAddress: val("a"), shares: "4000000000000000000" },
      balance: stake(4n),
    };
    const request = { delegatorAddr: acc("dan"), validatorAddr: val("a") };
    expect(staking("Delegation", request)).toMatchObject({ delegationResponse: one });
    expect(
      staking<{ delegationResponses: unknown[] }>("ValidatorDelegations", {
        validatorAddr: val("a"),
      }).delegationResponses,
    ).toHaveLength(3);
    expect(
      staking<{ delegationResponses: unknown[] }>("DelegatorDelegations", {
        delegatorAddr: acc("dan"),
      }),
    ).toMatchObject({ delegationResponses: [one, { delegation: { validatorAddress: val("b") } }] });
  });

  test("what unbonds and what is redelegated", () => {
    const delegatorAddr = acc("dan");
    expect(staking("DelegatorUnbondingDelegations", { delegatorAddr })).toMatchObject({
      unbondingResponses: [
        { validatorAddress: val("a"), entries: [{ balance: "2", creationHeight: 1n }] },
      ],
    });
    const red = { validatorSrcAddress: val("a"), validatorDstAddress: val("b") };
    const entries = [{ balance: "3", redelegationEntry: { initialBalance: "3" } }];
    const expected = { redelegationResponses: [{ redelegation: red, entries }] };
    expect(staking("Redelegations", { delegatorAddr })).toMatchObject(expected);
    expect(staking("Redelegations", { srcValidatorAddr: val("a") })).toMatchObject(expected);
    const all = { delegatorAddr, srcValidatorAddr: val("a"), dstValidatorAddr: val("b") };
    expect(staking("Redelegations", all)).toMatchObject(expected);
    const { redelegationResponses } = staking<{
      redelegationResponses: { redelegation: { entries: unknown[] } }[];
    }>("Redelegations", { delegatorAddr });
    expect(redelegationResponses[0]?.redelegation.entries).toEqual([]);
  });

  test("who unbonds from a validator, and what one of them does", () => {
    const dan = {
      delegatorAddress: acc("dan"),
      validatorAddress: val("a"),
      entries: [{ balance: "2" }],
    };
    const validatorAddr = val("a");
    expect(staking("ValidatorUnbondingDelegations", { validatorAddr })).toMatchObject({
      unbondingResponses: [dan],
    });
    expect(staking("ValidatorUnbondingDelegations", { validatorAddr: val("b") })).toMatchObject({
      unbondingResponses: [],
    });
    const both = { delegatorAddr: acc("dan"), validatorAddr };
    expect(staking("UnbondingDelegation", both)).toMatchObject({ unbond: dan });
  });

  test("the validators that an account delegates to", () => {
    const delegatorAddr = acc("dan");
    expect(
      staking<Validators>("DelegatorValidators", { delegatorAddr }).validators.map(
        (v) => v.operatorAddress,
      ),
    ).toEqual([val("a"), val("b")]);
    expect(staking("DelegatorValidator", { delegatorAddr, validatorAddr: val("b") })).toMatchObject(
      {
        validator: { operatorAddress: val("b"), tokens: (8n * POWER + 3n).toString() },
      },
    );
    const none = { delegatorAddr, validatorAddr: val("c") };
    expect(thrownBy(() => staking("DelegatorValidator", none))).toMatchObject({
      code: 5,
      message: "no delegation for (address, validator) tuple",
    });
  });

  describe("a redelegation is worth nothing", () => {
    const redelegations = (other: StakingChain) =>
      other.query("chain.staking.v1beta1.Query/Redelegations", { delegatorAddr: acc("dan") });
    const nothing = {
      redelegationResponses: [
        {
          redelegation: { validatorDstAddress: val("b") },
          entries: [{ balance: "0", redelegationEntry: { initialBalance: "3" } }],
        },
      ],
    };
    const everybodyLeaves = (other: StakingChain): void => {
      other.next({
        txs: (ctx) => {
          other.redelegate(ctx, "dan", "a", "b", 3n);
          other.undelegate(ctx, "dan", "b", 3n);
          other.undelegate(ctx, "b", "b", 8n * POWER);
        },
      });
    };
    const options = { validators: { a: 10, b: 8 }, accounts: { dan: 50n * POWER } };

    test("at a destination without shares, and is no error", () => {
      const other = new StakingChain(options);
      other.next({ txs: (ctx) => other.delegate(ctx, "dan", "a", 9n) });
      everybodyLeaves(other);
      expect(other.validator("b")).toMatchObject({ status: "unbonding", delegatorShares: 0n });
      expect(redelegations(other)).toMatchObject(nothing);
    });

    test("nor at one that is gone", () => {
      const other = new StakingChain(options);
      other.next({ txs: (ctx) => other.delegate(ctx, "dan", "a", 9n) });
      other.next({ begin: (ctx) => other.staking.keeper.jail(ctx, cons("b")) });
      other.runTo(other.height + 3);
      other.wait(22n * DAY);
      other.next();
      everybodyLeaves(other);
      expect(() => other.validator("b")).toThrow("validator does not exist");
      expect(redelegations(other)).toMatchObject(nothing);
    });
  });

  test("Pool and Params", () => {
    expect(staking("Pool")).toMatchObject({
      pool: {
        bondedTokens: (18n * POWER + 11n).toString(),
        notBondedTokens: (6n * POWER + 2n).toString(),
      },
    });
    expect(staking("Params")).toMatchObject({
      params: {
        unbondingTime: { seconds: (21n * DAY) / 10n ** 9n },
        maxValidators: 2,
        bondDenom: "stake",
      },
    });
  });
});

describe("slashing", () => {
  test("SigningInfo shows the votes counted so far, though no block wrote them", () => {
    const info = {
      address: consText("a"),
      indexOffset: 1n,
      startHeight: 0n,
      missedBlocksCounter: 0n,
    };
    expect(slashing("SigningInfo", { consAddress: consText("a") })).toMatchObject({
      valSigningInfo: info,
    });
    const { info: infos } = slashing<{ info: { address: string }[] }>("SigningInfos");
    expect(infos.map(({ address }) => address).sort()).toEqual(["a", "b"].map(consText).sort());
    expect(slashing("Params")).toMatchObject({ params: { signedBlocksWindow: 100n } });
  });

  test.each([
    ["", 3, "invalid request"],
    [consText("c"), 5, `SigningInfo not found for validator ${consText("c")}`],
  ])("SigningInfo of %j answers status %i", (consAddress, code, message) => {
    expect(thrownBy(() => slashing("SigningInfo", { consAddress }))).toMatchObject({
      code,
      message,
    });
  });

  test("a tombstoned one says so", () => {
    const ctx = chain.context();
    chain.slashing.keeper.tombstone(ctx, cons("b"));
    expect(slashing("SigningInfo", { consAddress: consText("b") })).toMatchObject({
      valSigningInfo: { tombstoned: true },
    });
  });
});

test.each([
  ["staking.v1beta1.Query/Validators", {}],
  ["staking.v1beta1.Query/ValidatorDelegations", { validatorAddr: val("a") }],
  ["staking.v1beta1.Query/ValidatorUnbondingDelegations", { validatorAddr: val("a") }],
  ["staking.v1beta1.Query/DelegatorValidators", { delegatorAddr: acc("dan") }],
  ["staking.v1beta1.Query/DelegatorDelegations", { delegatorAddr: acc("dan") }],
  ["staking.v1beta1.Query/DelegatorUnbondingDelegations", { delegatorAddr: acc("dan") }],
  ["staking.v1beta1.Query/Redelegations", { delegatorAddr: acc("dan") }],
  ["slashing.v1beta1.Query/SigningInfos", {}],
  ["bank.v1beta1.Query/AllBalances", { address: acc("dan") }],
  ["bank.v1beta1.Query/SpendableBalances", { address: acc("dan") }],
  ["bank.v1beta1.Query/TotalSupply", {}],
])("%s pages, and takes no offset beside a key", (name, request) => {
  const ask = (init: object) =>
    chain.query<{ pagination: { total: bigint; nextKey: Uint8Array } }>(`chain.${name}`, {
      ...request,
      pagination: pageRequest(init),
    });
  const { total } = ask({}).pagination;
  expect(total).toBeGreaterThan(0n);
  const first = ask({ limit: 1n, countTotal: true }).pagination;
  expect(first.total).toBe(total);
  expect(first.nextKey.length > 0).toBe(total > 1n);
  expect(ask({ offset: total, countTotal: true, limit: 1n }).pagination.nextKey).toHaveLength(0);
  expect(() => ask({ offset: 1n, key: Uint8Array.of(1) })).toThrow(
    "invalid request, either offset or key is expected, got both",
  );
});

test.each([
  ["staking.v1beta1.Query/Validators", {}, 3n],
  ["slashing.v1beta1.Query/SigningInfos", {}, 2n],
  ["bank.v1beta1.Query/AllBalances", { address: acc("dan") }, 0n],
])(
  "%s with an offset beyond the end counts as upstream's store or collection does",
  (name, request, total) => {
    const pagination = pageRequest({ offset: 9n, countTotal: true, limit: 1n });
    expect(chain.query(`chain.${name}`, { ...request, pagination })).toMatchObject({
      pagination: { total },
    });
  },
);

describe("in upstream's profile", () => {
  const upstream = new StakingChain({
    validators: { a: 10, b: 8 },
    accounts: { dan: 50n * POWER },
    profile: { badQueryAddress: "unknown", stakingLookup: "internal" },
  });
  upstream.next({
    txs: (ctx) => {
      upstream.delegate(ctx, "dan", "a", 9n);
      upstream.redelegate(ctx, "dan", "a", "b", 3n);
    },
  });
  const [dan, a, b] = [acc("dan"), val("a"), val("b")];

  test.each([
    ["staking", "Validator", { validatorAddr: "nonsense" }, 2, NO_BECH32],
    ["slashing", "SigningInfo", { consAddress: "nonsense" }, 2, NO_BECH32],
    ["staking", "Redelegations", { delegatorAddr: "nonsense" }, 13, NO_BECH32],
    ["staking", "Redelegations", {}, 13, "empty address string is not allowed"],
    [
      "staking",
      "Redelegations",
      { delegatorAddr: dan, srcValidatorAddr: b, dstValidatorAddr: a },
      13,
      `rpc error: code = NotFound desc = redelegation not found for delegator address ${dan} from validator address ${b}`,
    ],
    [
      "staking",
      "DelegatorValidator",
      { delegatorAddr: acc("eve"), validatorAddr: a },
      13,
      "no delegation for (address, validator) tuple",
    ],
  ])("%s %s with %j answers status %i", (module, name, request, code, message) => {
    const error = thrownBy(() => upstream.query(`chain.${module}.v1beta1.Query/${name}`, request));
    expect(error).toMatchObject({ code });
    expect(error.message).toMatch(message);
  });

  test.each([
    ["staking", "DelegatorDelegations", { delegatorAddr: a }, "chain", "chainvaloper"],
    ["staking", "Validator", { validatorAddr: dan }, "chainvaloper", "chain"],
    ["slashing", "SigningInfo", { consAddress: dan }, "chainvalcons", "chain"],
  ])(
    "%s %s names the registered error of another prefix",
    (module, name, request, expected, got) => {
      expect(
        thrownBy(() => upstream.query(`chain.${module}.v1beta1.Query/${name}`, request)),
      ).toMatchObject({
        codespace: "sdk",
        code: 35,
        message: `hrp does not match bech32 prefix: expected '${expected}' got '${got}': internal logic error`,
      });
    },
  );

  test("Redelegations whose destination is gone are an error", () => {
    upstream.next({ begin: (ctx) => upstream.staking.keeper.jail(ctx, cons("b")) });
    upstream.next({
      txs: (ctx) => {
        upstream.undelegate(ctx, "dan", "b", 3n);
        upstream.undelegate(ctx, "b", "b", 8n * POWER);
      },
    });
    upstream.wait(20n * DAY);
    upstream.next({ txs: (ctx) => upstream.redelegate(ctx, "dan", "a", "b", 1n) });
    upstream.next({ txs: (ctx) => upstream.undelegate(ctx, "dan", "b", 1n) });
    upstream.wait(2n * DAY);
    upstream.next();
    const query = "chain.staking.v1beta1.Query/Redelegations";
    expect(thrownBy(() => upstream.query(query, { delegatorAddr: dan }))).toMatchObject({
      code: 13,
      message: "validator does not exist",
    });
  });
});

function pageRequest(init: object) {
  return {
    $typeName: "chain.base.query.v1beta1.PageRequest",
    key: new Uint8Array(),
    offset: 0n,
    limit: 0n,
    countTotal: false,
    reverse: false,
    ...init,
  };
}
