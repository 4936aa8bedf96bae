import { create, type Message } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { moduleAddress } from "../base/address.ts";
import { accAddress, consAddress, valAddress } from "../base/bech32.ts";
import { formatRfc3339 } from "../base/time.ts";
import { ChainError, plainError, STATUS, StatusError } from "../engine/framework/errors.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { worldSpec } from "../engine/simulation/testing.ts";
import type { NodeView } from "../engine/simulation/views.ts";
import { QueryAllEvidenceResponseSchema } from "../gen/chain/evidence/v1beta1/query_pb.ts";
import { QueryProposalsResponseSchema } from "../gen/chain/gov/v1/query_pb.ts";
import { GetTxsEventResponseSchema } from "../gen/chain/tx/v1beta1/service_pb.ts";
import {
  QueryCurrentPlanResponseSchema,
  QueryUpgradedConsensusStateResponseSchema,
} from "../gen/chain/upgrade/v1beta1/query_pb.ts";
import { BlockSchema, FileViewSchema } from "../gen/lab/v1/lab_pb.ts";
import { lazyObserver } from "./lab/frame/observed.ts";
import { WorldQueries } from "./lab/world-queries.ts";
import { QUERY_ROUTES } from "./query-routes.ts";
import { handleRest, type QueryableChain } from "./rest.ts";

type Call = { name: string; request: Message; height: number | undefined };

/** A chain at height 30 that records its queries. */
function chain(answer: () => Message): QueryableChain & { calls: Call[] } {
  const calls: Call[] = [];
  return {
    calls,
    height: 30,
    // biome-ignore lint/correctness/useYield: it has it all
    *reading(name, request, height) {
      calls.push({ name, request, height });
      return answer();
    },
  };
}

const evidence = () => create(QueryAllEvidenceResponseSchema, { pagination: { total: 0n } });
const failing = (error: Error) =>
  chain(() => {
    throw error;
  });

describe("REST routes", () => {
  test("the list of evidence takes pagination from the query string", () => {
    const lab = chain(evidence);
    const response = handleRest(
      lab,
      "GET",
      "/chain/evidence/v1beta1/evidence?pagination.limit=2&pagination.count_total=true&pagination.key=AQI%3D&pagination.reverse=1",
    );
    expect(response).toEqual({
      status: 200,
      body: { evidence: [], pagination: { next_key: null, total: "0" } },
    });
    expect(lab.calls[0]?.name).toBe("chain.evidence.v1beta1.Query/AllEvidence");
    expect(lab.calls[0]?.request).toMatchObject({
      pagination: { limit: 2n, countTotal: true, key: new Uint8Array([1, 2]), reverse: true },
    });
  });

  test("of several values of a parameter the first is taken, and none for what the path says", () => {
    const lab = chain(evidence);
    const path = "/chain/evidence/v1beta1/evidence";
    handleRest(lab, "GET", `${path}?pagination.limit=2&pagination.limit=x&pagination.limit=3`);
    expect(lab.calls[0]?.request).toMatchObject({ pagination: { limit: 2n } });
    const balances = chain(() => create(QueryCurrentPlanResponseSchema));
    handleRest(balances, "GET", "/chain/bank/v1beta1/balances/a?address=b");
    expect(balances.calls[0]?.request).toMatchObject({ address: "a" });
  });

  test("a request too long to be one is refused before it is read", () => {
    const lab = chain(evidence);
    const path = `/chain/evidence/v1beta1/evidence?${"a=&".repeat(1_000_000)}`;
    expect(handleRest(lab, "GET", path)).toMatchObject({
      status: 400,
      body: { code: 3, message: expect.stringContaining("at most 8192 characters, found 3000") },
    });
    expect(lab.calls).toEqual([]);
  });

  test("path parameters are unescaped; one segment each", () => {
    const lab = chain(() => create(QueryCurrentPlanResponseSchema));
    handleRest(lab, "GET", "/chain/upgrade/v1beta1/applied_plan/my%20plan");
    expect(lab.calls[0]?.request).toMatchObject({ name: "my plan" });
    expect(handleRest(lab, "GET", "/chain/upgrade/v1beta1/applied_plan/a/b").status).toBe(501);
    expect(handleRest(lab, "GET", "/chain/upgrade/v1beta1/applied_plan/%E0%A4%A").status).toBe(400);
  });

  test("a path within a path is taken whole", () => {
    const lab = chain(() => create(FileViewSchema));
    handleRest(lab, "GET", "/lab/v1/nodes/val-0/files/data/upgrade%2Dinfo.json");
    expect(lab.calls[0]).toMatchObject({
      name: "lab.v1.Lab/GetNodeFile",
      request: { node: "val-0", path: "data/upgrade-info.json" },
    });
    handleRest(lab, "GET", "/lab/v1/nodes/val-0/files");
    expect(lab.calls[1]?.name).toBe("lab.v1.Lab/GetNodeFiles");
    expect(lab.calls).toHaveLength(2);
  });

  test("an empty segment is the empty value of its parameter", () => {
    const lab = chain(evidence);
    handleRest(lab, "GET", "/chain/evidence/v1beta1/evidence/");
    expect(lab.calls[0]).toMatchObject({
      name: "chain.evidence.v1beta1.Query/Evidence",
      request: { hash: "" },
    });
    expect(handleRest(lab, "GET", "/chain/gov/v1/proposals/").body).toMatchObject({
      message:
        'type mismatch, parameter: proposal_id, error: strconv.ParseUint: parsing "": invalid syntax',
    });
  });

  test("a parameter that is a list takes all of its values", () => {
    const lab = chain(() => create(GetTxsEventResponseSchema));
    const path = "/chain/tx/v1beta1/txs";
    handleRest(lab, "GET", `${path}?events=tx.height=5&events=a.b='c'&limit=2&limit=3`);
    expect(lab.calls[0]?.request).toMatchObject({
      events: ["tx.height=5", "a.b='c'"],
      limit: 2n,
    });
  });

  test.each([
    ["[]", "expected a map of SimulateRequest's fields, found a list"],
    ["null", "expected a map of SimulateRequest's fields, found null"],
    ['{"tx": ', "not JSON at character 8: expected a value, found the end"],
    ["[".repeat(100_000), "not JSON at character 65: expected at most 64 levels of lists and maps"],
  ])("a body of %s is refused", (body, message) => {
    const { status, body: text } = handleRest(
      chain(evidence),
      "POST",
      "/chain/tx/v1beta1/simulate",
      {},
      body,
    );
    expect([status, text]).toEqual([400, { code: 3, message, details: [] }]);
  });

  test.each([
    ["t", true],
    ["TRUE", true],
    ["1", true],
    ["f", false],
    ["0", false],
  ])("%s is a boolean", (source, countTotal) => {
    const lab = chain(evidence);
    const path = "/chain/evidence/v1beta1/evidence";
    handleRest(lab, "GET", `${path}?pagination.count_total=${source}`);
    expect(lab.calls[0]?.request).toMatchObject({ pagination: { countTotal } });
  });

  test("one query may have two paths", () => {
    const lab = chain(() => create(BlockSchema));
    handleRest(lab, "GET", "/lab/v1/blocks/7");
    handleRest(lab, "GET", "/lab/v1/blocks/by_hash/AB");
    expect(lab.calls.map(({ name }) => name)).toEqual([
      "lab.v1.Lab/GetBlock",
      "lab.v1.Lab/GetBlock",
    ]);
    expect(lab.calls.map(({ request }) => request)).toMatchObject([{ height: 7 }, { hash: "AB" }]);
  });

  test("what steers the lab has no path", () => {
    expect(QUERY_ROUTES.map(({ name }) => name)).not.toContain("lab.v1.Lab/Control");
  });

  test("a number in the path and an enum in the query string", () => {
    const lab = chain(() => create(QueryProposalsResponseSchema));
    handleRest(lab, "GET", "/chain/gov/v1/proposals/7");
    handleRest(lab, "GET", "/chain/gov/v1/proposals?proposal_status=PROPOSAL_STATUS_PASSED");
    expect(lab.calls[0]?.request).toMatchObject({ proposalId: 7n });
    expect(lab.calls[1]?.request).toMatchObject({ proposalStatus: 3 });
  });

  test("an integer may have as many digits as its type has", () => {
    const lab = chain(() => create(QueryUpgradedConsensusStateResponseSchema));
    const path = "/chain/upgrade/v1beta1/upgraded_consensus_state";
    expect(handleRest(lab, "GET", `${path}/9223372036854775807`).status).toBe(200);
    expect(lab.calls[0]?.request).toMatchObject({ lastHeight: 9223372036854775807n });
    expect(handleRest(lab, "GET", `${path}/9223372036854775808`)).toMatchObject({
      status: 400,
      body: {
        message: expect.stringContaining('parsing "9223372036854775808": value out of range'),
      },
    });
  });

  test.each([
    [
      "/chain/gov/v1/proposals/seven",
      'type mismatch, parameter: proposal_id, error: strconv.ParseUint: parsing "seven": invalid syntax',
    ],
    [
      "/chain/evidence/v1beta1/evidence?pagination.limit=-1",
      'strconv.ParseUint: parsing "-1": invalid syntax',
    ],
    [
      "/chain/evidence/v1beta1/evidence?pagination.reverse=perhaps",
      'strconv.ParseBool: parsing "perhaps": invalid syntax',
    ],
    ["/chain/evidence/v1beta1/evidence?pagination.key=%25", '"%" is not key: expected base64'],
    [
      "/lab/v1/blocks/4294967296",
      'type mismatch, parameter: height, error: strconv.ParseUint: parsing "4294967296": value out of range',
    ],
  ])("%s is refused as an invalid argument", (target, message) => {
    expect(handleRest(chain(evidence), "GET", target)).toEqual({
      status: 400,
      body: { code: 3, message, details: [] },
    });
  });

  test("parameters a request does not have are passed over", () => {
    expect(
      handleRest(chain(evidence), "GET", "/chain/evidence/v1beta1/evidence?x=1&y.z=2").status,
    ).toBe(200);
  });

  test("an unmatched route or another method is not implemented", () => {
    const notImplemented = {
      status: 501,
      body: { code: 12, message: "Not Implemented", details: [] },
    };
    expect(handleRest(chain(evidence), "GET", "/chain/evidence/v1/evidence")).toEqual(
      notImplemented,
    );
    expect(handleRest(chain(evidence), "GET", "")).toEqual(notImplemented);
    expect(handleRest(chain(evidence), "POST", "/chain/evidence/v1beta1/evidence")).toEqual(
      notImplemented,
    );
  });
});

describe("REST heights", () => {
  const at = (height: string) => {
    const lab = chain(evidence);
    const response = handleRest(lab, "GET", "/chain/evidence/v1beta1/evidence", {
      "x-cosmos-block-height": height,
    });
    return { response, pinned: lab.calls[0]?.height };
  };

  test("the header pins a query; zero is the newest height", () => {
    expect(at("12").pinned).toBe(12);
    expect(at("0").pinned).toBeUndefined();
    expect(at("0").response.status).toBe(200);
  });

  test.each([
    ["-1", "cannot query with height < 0; please provide a valid height: invalid request"],
    [
      "31",
      "cannot query with height in the future; please provide a valid height: invalid request",
    ],
    [
      "soon",
      'invalid height header "x-cosmos-block-height": "soon" is not an integer: invalid request',
    ],
  ])("height %s is refused", (height, message) => {
    expect(at(height).response).toEqual({
      status: 400,
      body: { code: 3, message, details: [] },
    });
  });
});

describe("REST errors", () => {
  test.each([
    [new StatusError(5, "evidence AB not found"), 404, 5, "evidence AB not found"],
    [
      new StatusError(3, "invalid request; hash is empty"),
      400,
      3,
      "invalid request; hash is empty",
    ],
    [plainError("invalid evidence hash: x"), 500, 2, "invalid evidence hash: x"],
    [new StatusError(STATUS.cancelled, "given up"), 408, 1, "given up"],
    [new StatusError(STATUS.deadlineExceeded, "too late"), 504, 4, "too late"],
    [new StatusError(STATUS.resourceExhausted, "too many"), 429, 8, "too many"],
    [new StatusError(STATUS.failedPrecondition, "not now"), 400, 9, "not now"],
    [new StatusError(STATUS.internal, "a failure"), 500, 13, "a failure"],
    [new StatusError(STATUS.unavailable, "not there"), 503, 14, "not there"],
    [new StatusError(STATUS.unauthenticated, "no token"), 401, 16, "no token"],
    [
      new ChainError(
        "upgrade",
        2,
        "x/upgrade: QueryModuleVersions module foo not found: module version not found",
      ),
      500,
      2,
      "codespace upgrade code 2: module version not found: x/upgrade: QueryModuleVersions module foo not found",
    ],
    [
      new TypeError("broken"),
      500,
      2,
      "this is a bug of Chainlab (TypeError); please report it, with what led to it",
    ],
  ])("%s", (error, status, code, message) => {
    expect(handleRest(failing(error), "GET", "/chain/upgrade/v1beta1/module_versions")).toEqual({
      status,
      body: { code, message, details: [] },
    });
  });
});

describe("REST over a real chain", () => {
  const sim = Simulation.create(worldSpec({ accounts: [] }));
  const chain = new WorldQueries(sim, lazyObserver(sim));
  for (let i = 0; i < 3; i++) sim.advance();
  const { operatorAddress, consensusAddress } = sim.nodes()[0] as NodeView;
  const account = accAddress(operatorAddress);
  const operator = valAddress(operatorAddress);

  test.each([
    ["/chain/bank/v1beta1/supply", { supply: [{ denom: "stake", amount: "4400000000" }] }],
    [
      "/chain/bank/v1beta1/supply/by_denom?denom=stake",
      { amount: { denom: "stake", amount: "4400000000" } },
    ],
    [`/chain/bank/v1beta1/spendable_balances/${account}`, { pagination: { total: "1" } }],
    [
      `/chain/bank/v1beta1/spendable_balances/${account}/by_denom?denom=stake`,
      { balance: { denom: "stake", amount: "1000000000" } },
    ],
    [`/chain/bank/v1beta1/balances/${account}`, { balances: [{ amount: "1000000000" }] }],
    [
      `/chain/bank/v1beta1/balances/${account}/by_denom?denom=stake`,
      { balance: { denom: "stake", amount: "1000000000" } },
    ],
    [
      "/chain/evidence/v1beta1/evidence",
      { evidence: [], pagination: { next_key: null, total: "0" } },
    ],
    ["/chain/gov/v1/proposals", { proposals: [], pagination: { next_key: null, total: "0" } }],
    ["/chain/gov/v1/params/tallying", { params: { quorum: "0.334000000000000000" } }],
    [
      "/chain/gov/v1/params/voting",
      { voting_params: { voting_period: "60s" }, deposit_params: null, tally_params: null },
    ],
    [
      "/chain/slashing/v1beta1/params",
      {
        params: {
          slash_fraction_double_sign: "0.050000000000000000",
          downtime_jail_duration: "600s",
        },
      },
    ],
    [
      `/chain/slashing/v1beta1/signing_infos/${consAddress(consensusAddress)}`,
      { val_signing_info: { tombstoned: false, jailed_until: "1970-01-01T00:00:00Z" } },
    ],
    ["/chain/slashing/v1beta1/signing_infos", { pagination: { total: "4" } }],
    ["/chain/staking/v1beta1/validators?status=BOND_STATUS_BONDED", { pagination: { total: "4" } }],
    [
      `/chain/staking/v1beta1/validators/${operator}`,
      {
        validator: {
          operator_address: operator,
          delegator_shares: "100000000.000000000000000000",
          consensus_pubkey: { "@type": "/chain.crypto.ed25519.PubKey" },
        },
      },
    ],
    [`/chain/staking/v1beta1/validators/${operator}/delegations`, { pagination: { total: "1" } }],
    [
      `/chain/staking/v1beta1/validators/${operator}/delegations/${account}`,
      { delegation_response: { balance: { amount: "100000000" } } },
    ],
    [
      `/chain/staking/v1beta1/validators/${operator}/unbonding_delegations`,
      { unbonding_responses: [], pagination: { total: "0" } },
    ],
    [`/chain/staking/v1beta1/delegations/${account}`, { pagination: { total: "1" } }],
    [`/chain/staking/v1beta1/delegators/${account}/validators`, { pagination: { total: "1" } }],
    [
      `/chain/staking/v1beta1/delegators/${account}/validators/${operator}`,
      { validator: { operator_address: operator } },
    ],
    [
      `/chain/staking/v1beta1/delegators/${account}/unbonding_delegations`,
      { unbonding_responses: [] },
    ],
    [`/chain/staking/v1beta1/delegators/${account}/redelegations`, { redelegation_responses: [] }],
    [
      "/chain/staking/v1beta1/pool",
      { pool: { not_bonded_tokens: "0", bonded_tokens: "400000000" } },
    ],
    ["/chain/staking/v1beta1/params", { params: { unbonding_time: "1814400s", max_entries: 7 } }],
    ["/chain/upgrade/v1beta1/current_plan", { plan: null }],
    ["/chain/upgrade/v1beta1/applied_plan/v2", { height: "0" }],
    ["/chain/upgrade/v1beta1/upgraded_consensus_state/7", { upgraded_consensus_state: null }],
    [
      "/chain/upgrade/v1beta1/module_versions?module_name=bank",
      { module_versions: [{ name: "bank", version: "4" }] },
    ],
    [
      "/chain/consensus/v1/params",
      {
        params: {
          block: { max_bytes: "22020096", max_gas: "-1" },
          evidence: { max_age_num_blocks: "100000", max_age_duration: "172800s" },
          validator: { pub_key_types: ["ed25519"] },
          version: { app: "0" },
          abci: { vote_extensions_enable_height: "0" },
        },
      },
    ],
    [
      `/chain/distribution/v1beta1/delegators/${account}/rewards`,
      { rewards: [{ validator_address: operator, reward: [] }], total: [] },
    ],
    [`/chain/distribution/v1beta1/delegators/${account}/rewards/${operator}`, { rewards: [] }],
    [
      `/chain/distribution/v1beta1/validators/${operator}/commission`,
      { commission: { commission: [] } },
    ],
    [
      `/chain/distribution/v1beta1/validators/${operator}/outstanding_rewards`,
      { rewards: { rewards: [] } },
    ],
    [
      `/chain/distribution/v1beta1/delegators/${account}/withdraw_address`,
      { withdraw_address: account },
    ],
    ["/chain/distribution/v1beta1/community_pool", { pool: [] }],
    ["/chain/distribution/v1beta1/params", { params: { community_tax: "0.000000000000000000" } }],
    ["/chain/mint/v1beta1/inflation", { inflation: "0.000000000000000000" }],
    ["/chain/mint/v1beta1/annual_provisions", { annual_provisions: "0.000000000000000000" }],
    ["/chain/mint/v1beta1/params", { params: { mint_denom: "stake", blocks_per_year: "6307200" } }],
    [
      "/chain/base/node/v1beta1/config",
      { minimum_gas_price: "0stake", pruning_keep_recent: "0", halt_height: "0" },
    ],
    ["/chain/upgrade/v1beta1/authority", { address: accAddress(moduleAddress("gov")) }],
  ])("GET %s", (path, body) => {
    const response = handleRest(chain, "GET", path);
    expect(response.body).toMatchObject(body);
    expect(response.status).toBe(200);
  });

  test.each([
    ["/chain/evidence/v1beta1/evidence/AB", 404, 5, "evidence AB not found"],
    [
      `/chain/staking/v1beta1/validators/${operator}/delegations/${account}/unbonding_delegation`,
      404,
      5,
      `unbonding delegation with delegator ${account} not found for validator ${operator}`,
    ],
    [
      `/chain/distribution/v1beta1/delegators/${operator}/rewards`,
      400,
      3,
      "hrp does not match bech32 prefix: expected 'chain' got 'chainvaloper': internal logic error",
    ],
    [
      "/chain/evidence/v1beta1/evidence/xy",
      400,
      3,
      "invalid evidence hash: encoding/hex: invalid byte: U+0078 'x'",
    ],
    [
      "/chain/upgrade/v1beta1/module_versions?module_name=foo",
      500,
      2,
      "codespace upgrade code 2: module version not found: x/upgrade: QueryModuleVersions module foo not found",
    ],
  ])("GET %s is refused", (path, status, code, message) => {
    expect(handleRest(chain, "GET", path)).toEqual({
      status,
      body: { code, message, details: [] },
    });
  });

  /** Texts that are not a valid value of any field. */
  const HOSTILE = [
    ...["__proto__", "constructor", "toString", "%00", "%E2%80%AE", "%", "%zz", "%F0%9F"],
    ...["-1", "1e9", "0x10", "1.5", "NaN", "9".repeat(400), "18446744073709551616", "4294967295"],
    ...[
      "ABC",
      "zz",
      "A".repeat(7_000),
      "..%2F..%2Fetc%2Fpasswd",
      "%7B%22a%22%3A",
      "[".repeat(5_000),
    ],
  ];
  const short = (text: string): string =>
    text.length > 40 ? `${text.length} characters like ${text[0]}` : text;
  const hostile = HOSTILE.map((value) => [short(value), value] as const);
  const refusals = (targets: readonly string[], headers?: Readonly<Record<string, string>>) =>
    targets.flatMap((target) => {
      const { status, body } = handleRest(chain, "GET", target, headers);
      const { message = "" } = body as { message?: string };
      const text = status === 200 || (message !== "" && !message.includes("a bug of Chainlab"));
      return text && [200, 400, 404, 500, 501].includes(status) ? [] : [`${target}: ${message}`];
    });

  test.each(hostile)("every path with %s in it is answered or refused in words", (_, value) => {
    const targets = QUERY_ROUTES.flatMap(({ paths }) =>
      paths.flatMap((path) => {
        const names = path.match(/\{[^}]+\}/g) ?? [];
        return names.map((name) => path.replace(name, value).replaceAll(/\{[^}]+\}/g, account));
      }),
    );
    expect(refusals(targets)).toEqual([]);
  });

  test.each(hostile)(
    "every parameter of %s is answered, passed over or refused in words",
    (_, value) => {
      const targets = QUERY_ROUTES.flatMap(({ method, paths: [path = ""] }) => {
        const fields = method.input.fields.map(({ name }) => name);
        const pages = [
          "pagination.limit",
          "pagination.key",
          "pagination",
          "pagination.__proto__.x",
        ];
        const named = path.replaceAll(/\{[^}]+\}/g, account);
        return [...fields, ...pages, "__proto__", "constructor"].map(
          (name) => `${named}?${name}=${value}`,
        );
      });
      expect(refusals(targets)).toEqual([]);
    },
  );

  const REFUSED: readonly (readonly [target: string, status: number, words: string])[] = [
    ["/lab/v1/blocks/4294967295", 404, "there is no block 4294967295"],
    ["/lab/v1/blocks/by_hash/ABC", 400, "encoding/hex: odd length hex string"],
    ["/lab/v1/nodes/__proto__/files", 404, "there is no node __proto__"],
    ["/chain/gov/v1/proposals/__proto__", 400, 'parsing "__proto__": invalid syntax'],
    ["/chain/evidence/v1beta1/evidence/ABC", 400, "encoding/hex: odd length hex string"],
    ["/chain/bank/v1beta1/balances/constructor", 400, "decoding bech32 failed"],
    ["/chain/upgrade/v1beta1/applied_plan/%FF", 400, 'malformed escape in "%FF"'],
    ["/a".repeat(4_000), 501, "Not Implemented"],
    [`/chain/upgrade/v1beta1/applied_plan/${"x".repeat(9_000)}`, 400, "at most 8192 characters"],
  ];
  test.each(REFUSED.map(([target, ...text]) => [short(target), target, ...text] as const))(
    "GET %s is refused with its reason",
    (_, target, status, words) => {
      const response = handleRest(chain, "GET", target);
      expect(response.body).toMatchObject({ message: expect.stringContaining(words) });
      expect(response.status).toBe(status);
    },
  );

  test.each([
    [undefined, 3],
    ["2", 2],
  ] as const)("the status of the node is that at height %s", (requested, height) => {
    const headers = requested === undefined ? {} : { "x-cosmos-block-height": requested };
    const { body } = handleRest(chain, "GET", "/chain/base/node/v1beta1/status", headers);
    const { time } = sim.block(height) ?? {};
    expect(body).toMatchObject({
      height: String(height),
      timestamp: formatRfc3339(time ?? 0n),
      earliest_store_height: "1",
    });
  });

  test.each(["9".repeat(40), "1e3", "0x1", " 5", "NaN", "-0x1", "99999999999999999999", "١"])(
    "a height of %s is refused in words",
    (height) => {
      const headers = { "x-cosmos-block-height": height };
      const { status, body } = handleRest(chain, "GET", "/chain/gov/v1/proposals", headers);
      expect([status, body]).toEqual([
        400,
        expect.objectContaining({ message: expect.stringContaining("is not an integer") }),
      ]);
    },
  );
});
