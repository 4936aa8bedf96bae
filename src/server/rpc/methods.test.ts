import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  iavlSpec,
  ics23,
  tendermintSpec,
  verifyMembership,
  verifyNonMembership,
} from "@confio/ics23";
import { describe, expect, test } from "vitest";
import { accAddress } from "../../base/bech32.ts";
import { toHex, toHexUpper } from "../../base/bytes.ts";
import { lastResultsHash } from "../../engine/consensus/hashes.ts";
import { Simulation } from "../../engine/simulation/simulation.ts";
import {
  install,
  pass,
  runRounds,
  softwareUpgrade,
  worldSpec,
} from "../../engine/simulation/testing.ts";
import {
  QueryBalanceRequestSchema,
  QueryBalanceResponseSchema,
} from "../../gen/chain/bank/v1beta1/query_pb.ts";
import { QueryEvidenceRequestSchema } from "../../gen/chain/evidence/v1beta1/query_pb.ts";
import {
  QueryValidatorsRequestSchema,
  QueryValidatorsResponseSchema,
} from "../../gen/chain/staking/v1beta1/query_pb.ts";
import { PairsSchema } from "../../gen/cosmos/store/internal/kv/v1beta1/kv_pb.ts";
import { fromBase64 } from "../../view/base64.ts";
import type { Json } from "../../view/json.ts";
import { lazyObserver } from "../../view/lab/frame/observed.ts";
import { WorldQueries } from "../../view/lab/world-queries.ts";
import { handleRest } from "../../view/rest.ts";
import { answerRequest } from "./answer.ts";
import { nodeOf, rpcWorld } from "./testing.ts";

const HASH = expect.stringMatching(/^[0-9A-F]{64}$/);
const ADDRESS = expect.stringMatching(/^[0-9A-F]{40}$/);
const BASE64 = expect.stringMatching(/^[A-Za-z0-9+/]+=*$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+(\.\d{1,9})?Z$/);
const BLOCK_ID = { hash: HASH, parts: { total: 1, hash: HASH } };
const KEY = { type: "tendermint/PubKeyEd25519", value: BASE64 };

describe("what a node says of itself", () => {
  test("status, all but empty, with the version by which clients choose", async () => {
    const { result, sim } = rpcWorld();
    expect(await result("status")).toEqual({
      node_info: {
        protocol_version: { p2p: "8", block: "11", app: "0" },
        id: expect.stringMatching(/^[0-9a-f]{40}$/),
        listen_addr: expect.any(String),
        network: sim.spec.chainId,
        version: expect.stringMatching(/^0\.38\./),
        channels: expect.any(String),
        moniker: "val-0",
        other: { tx_index: "on", rpc_address: "tcp://127.0.0.1:1" },
      },
      sync_info: {
        latest_block_hash: toHexUpper(sim.block(5)?.hash ?? new Uint8Array()),
        latest_app_hash: HASH,
        latest_block_height: "5",
        latest_block_time: TIME,
        earliest_block_hash: HASH,
        earliest_app_hash: HASH,
        earliest_block_height: "1",
        earliest_block_time: TIME,
        catching_up: false,
      },
      validator_info: { address: ADDRESS, pub_key: KEY, voting_power: "100" },
      note: expect.stringMatching(/^Commits are compact: .* Block\.ValidateBasic refuses/),
    });
    const full = nodeOf(Simulation.create(worldSpec({ commits: "full" })));
    const answer = await answerRequest(full, { id: 1, method: "status", params: {} });
    expect(JSON.stringify(answer)).not.toContain("compact");
  });

  test("status says of the node what REST says", async () => {
    const { sim, result } = rpcWorld();
    const { node_info } = (await result("status")) as { node_info: Record<string, unknown> };
    const path = "/chain/base/tendermint/v1beta1/node_info";
    const { body } = handleRest(new WorldQueries(sim, lazyObserver(sim)), "GET", path);
    const { id, protocol_version, listen_addr, network, version, moniker } = node_info;
    expect(body).toMatchObject({
      default_node_info: {
        default_node_id: id,
        protocol_version,
        listen_addr,
        network,
        version,
        moniker,
        channels: Buffer.from(`${node_info.channels}`, "hex").toString("base64"),
        other: { tx_index: "on" },
      },
    });
  });

  test("status has no empty hash before the first block", async () => {
    const { result } = rpcWorld(0);
    const { sync_info } = (await result("status")) as { sync_info: object };
    expect(sync_info).toMatchObject({
      latest_block_height: "0",
      latest_block_hash: HASH,
      latest_app_hash: HASH,
      earliest_block_hash: HASH,
    });
    expect(await result("abci_info")).toMatchObject({ response: { last_block_height: "0" } });
  });

  test("at an upgrade the newest block is the one that waits, and states are of the height below", async () => {
    const sim = Simulation.create(worldSpec());
    pass(sim, softwareUpgrade(sim, "v2", 20));
    runRounds(sim, 30);
    const node = nodeOf(sim);
    const result = async (method: string, params: Json = {}) =>
      (await answerRequest(node, { id: 1, method, params })).result as { [key: string]: Json };
    expect(await result("status")).toMatchObject({ sync_info: { latest_block_height: "20" } });
    expect(await result("abci_info")).toMatchObject({ response: { last_block_height: "19" } });
    expect(await result("block")).toMatchObject({ block: { header: { height: "20" } } });
    const query = { path: "/chain.upgrade.v1beta1.Query/CurrentPlan", data: "" };
    expect(await result("abci_query", query)).toMatchObject({ response: { height: "19" } });
    const refused = await answerRequest(node, { id: 1, method: "block_results", params: {} });
    expect(refused.error).toMatchObject({ data: "could not find results for height #20" });
    install(sim, "v2", ...sim.nodes().map(({ name }) => name));
    runRounds(sim, 2);
    expect(await result("abci_info")).toMatchObject({ response: { version: "v2" } });
  });

  test("the genesis, whole and in pieces", async () => {
    const { result, sim } = rpcWorld();
    const { genesis } = (await result("genesis")) as { genesis: { [key: string]: Json } };
    expect(genesis).toMatchObject({
      genesis_time: TIME,
      chain_id: sim.spec.chainId,
      initial_height: "1",
      consensus_params: {
        block: { max_bytes: "22020096", max_gas: "-1" },
        evidence: { max_age_num_blocks: expect.any(String), max_age_duration: expect.any(String) },
        validator: { pub_key_types: ["ed25519"] },
      },
      app_hash: "",
      app_state: { bank: expect.any(Object), staking: expect.any(Object) },
    });
    expect(genesis.validators).toHaveLength(4);
    expect(genesis.validators).toContainEqual({
      address: ADDRESS,
      pub_key: KEY,
      power: "100",
      name: "",
    });
    const piece = (await result("genesis_chunked", { chunk: "0" })) as { data: string };
    expect(piece).toMatchObject({ chunk: "0", total: "1" });
    expect(JSON.parse(new TextDecoder().decode(fromBase64(piece.data)))).toEqual(genesis);
    await expect(result("genesis_chunked", { chunk: "1" })).rejects.toThrow(
      "there are 1 chunks, 1 is invalid",
    );
  });

  test("validators of a past height have the priorities that they had when it was the next", async () => {
    const { sim, result } = rpcWorld();
    const next = await result("validators");
    expect(next).toMatchObject({ block_height: "6" });
    runRounds(sim, 7);
    expect(await result("validators", { height: "6" })).toEqual(next);
  });

  test("validators of the next height with their priorities, by pages", async () => {
    const { result } = rpcWorld();
    const all = (await result("validators")) as { validators: { proposer_priority: string }[] };
    expect(all).toMatchObject({ block_height: "6", count: "4", total: "4" });
    expect(all.validators[0]).toEqual({
      address: ADDRESS,
      pub_key: KEY,
      voting_power: "100",
      proposer_priority: expect.stringMatching(/^-?\d+$/),
    });
    const sum = all.validators.reduce((left, one) => left + Number(one.proposer_priority), 0);
    expect(Math.abs(sum)).toBeLessThan(4);
    const page = { height: "2", page: "2", per_page: "3" };
    expect(await result("validators", page)).toMatchObject({
      block_height: "2",
      count: "1",
      total: "4",
    });
    await expect(result("validators", { page: "3", per_page: "3" })).rejects.toThrow(
      "page should be within [1, 2] range, given 3",
    );
  });

  test("validator sets of the service have the priorities of the RPC, at any height", async () => {
    const { sim, result } = rpcWorld();
    runRounds(sim, 3);
    const base = "/chain/base/tendermint/v1beta1/validatorsets";
    const ask = (path: string) =>
      handleRest(new WorldQueries(sim, lazyObserver(sim)), "GET", `${base}/${path}`);
    const priorities = (list: unknown): string[] =>
      (list as { validators: { proposer_priority: string }[] }).validators.map(
        (one) => one.proposer_priority,
      );
    const all: string[] = [];
    for (const [path, height] of [
      ["latest", sim.height],
      ["1", 1],
      ["3", 3],
      [`${sim.height}`, sim.height],
    ] as const) {
      const { body } = ask(path);
      const expected = priorities(await result("validators", { height: `${height}` }));
      expect([path, ...priorities(body)]).toEqual([path, ...expected]);
      all.push(...expected);
      expect(body).toMatchObject({ block_height: `${height}`, pagination: { total: "4" } });
    }
    expect(new Set(all).size).toBeGreaterThan(2);
    const second = ask("3?pagination.offset=2&pagination.limit=2").body;
    expect(priorities(second)).toEqual(priorities(ask("3").body).slice(2));
    // The page in which the offset lies, and nothing but a total.
    const odd = ask("3?pagination.offset=1&pagination.limit=2").body;
    expect(priorities(odd)).toEqual(priorities(ask("3").body).slice(0, 2));
    expect(odd).toMatchObject({ pagination: { next_key: null, total: "4" } });
    expect(ask("3?pagination.offset=4&pagination.limit=2").body).toMatchObject({
      message: "page should be within [1, 2] range, given 3",
    });
  });

  test("the round that is being tried", async () => {
    const { result } = rpcWorld();
    expect(await result("consensus_state")).toEqual({
      round_state: {
        "height/round/step": "6/0/1",
        start_time: TIME,
        proposal_block_hash: "",
        locked_block_hash: "",
        valid_block_hash: "",
        height_vote_set: [
          {
            round: 0,
            prevotes: ["nil-Vote", "nil-Vote", "nil-Vote", "nil-Vote"],
            prevotes_bit_array: "BA{4:____} 0/400 = 0.00",
            precommits: ["nil-Vote", "nil-Vote", "nil-Vote", "nil-Vote"],
            precommits_bit_array: "BA{4:____} 0/400 = 0.00",
          },
        ],
        proposer: { address: ADDRESS, index: expect.any(Number) },
      },
    });
    expect(await result("dump_consensus_state")).toMatchObject({
      round_state: { height: "6", round: 0, validators: { validators: { length: 4 } } },
      peers: [],
    });
  });

  test("the rest of it", async () => {
    const { result } = rpcWorld();
    expect(await result("health")).toEqual({});
    expect(await result("net_info")).toMatchObject({ listening: true, n_peers: "0", peers: [] });
    const none = { n_txs: "0", total: "0", total_bytes: "0" };
    expect(await result("num_unconfirmed_txs")).toEqual({ ...none, txs: null });
    expect(await result("unconfirmed_txs", { limit: "5" })).toEqual({ ...none, txs: [] });
    expect(await result("consensus_params")).toMatchObject({
      block_height: "6",
      consensus_params: { version: { app: "0" } },
    });
  });
});

describe("blocks", () => {
  test("a block names the one below, whose commit it carries", async () => {
    const { result } = rpcWorld();
    const below = (await result("block", { height: "3" })) as { block_id: Json };
    const block = await result("block", { height: "4" });
    expect(block).toEqual({
      block_id: BLOCK_ID,
      block: {
        header: {
          version: { block: "11", app: "0" },
          chain_id: expect.any(String),
          height: "4",
          time: TIME,
          last_block_id: below.block_id,
          last_commit_hash: HASH,
          data_hash: HASH,
          validators_hash: HASH,
          next_validators_hash: HASH,
          consensus_hash: HASH,
          app_hash: HASH,
          last_results_hash: HASH,
          evidence_hash: HASH,
          proposer_address: ADDRESS,
        },
        data: { txs: [] },
        evidence: { evidence: [] },
        last_commit: {
          height: "3",
          round: 0,
          block_id: below.block_id,
          signatures: Array.from({ length: 4 }, () => ({
            block_id_flag: 2,
            validator_address: ADDRESS,
            timestamp: TIME,
            signature: BASE64,
          })),
        },
      },
    });
    const { last_commit } = (block as { block: { last_commit: Json } }).block;
    expect(await result("commit", { height: "3" })).toMatchObject({
      signed_header: { header: { height: "3" }, commit: last_commit },
      canonical: true,
    });
    expect(await result("commit")).toMatchObject({ canonical: false });
    expect(await result("header", { height: "4" })).toEqual({
      header: (block as { block: { header: Json } }).block.header,
    });
  });

  test("the first block carries no commit", async () => {
    const { result } = rpcWorld();
    expect(await result("block", { height: "1" })).toMatchObject({
      block: {
        header: { last_block_id: { hash: "", parts: { total: 0, hash: "" } } },
        last_commit: { height: "0", round: 0, signatures: [] },
      },
    });
    await expect(result("block", { height: "0" })).rejects.toThrow(
      "height must be greater than 0, but got 0",
    );
  });

  test("who did not vote is absent in the commit, with Go's zero time", async () => {
    const sim = Simulation.create(worldSpec());
    runRounds(sim, 2);
    sim.apply({ type: "fault", node: "val-3", kind: "mute" });
    runRounds(sim, 3);
    const { result } = await answerRequest(nodeOf(sim), {
      id: 1,
      method: "commit",
      params: { height: "4" },
    });
    const { commit } = (result as { signed_header: { commit: { signatures: Json[] } } })
      .signed_header;
    expect(commit.signatures).toContainEqual({
      block_id_flag: 1,
      validator_address: "",
      timestamp: "0001-01-01T00:00:00Z",
      signature: null,
    });
  });

  test("headers newest first, twenty at most", async () => {
    const { result } = rpcWorld(30);
    const all = (await result("blockchain", {})) as {
      block_metas: { header: { height: string } }[];
    };
    expect(all.block_metas.map(({ header }) => header.height)).toEqual(
      Array.from({ length: 20 }, (_, i) => `${30 - i}`),
    );
    expect(all).toMatchObject({ last_height: "30" });
    expect(all.block_metas[0]).toMatchObject({
      block_id: BLOCK_ID,
      block_size: expect.stringMatching(/^\d+$/),
      num_txs: "0",
    });
    const some = (await result("blockchain", ["3", "4"])) as { block_metas: object[] };
    expect(some.block_metas).toHaveLength(2);
    await expect(result("blockchain", ["9", "4"])).rejects.toThrow(
      "min height 9 can't be greater than max height 4",
    );
    await expect(result("blockchain", ["-1", "4"])).rejects.toThrow("heights must be non-negative");
  });

  test("a double sign is in a block as CometBFT writes it", async () => {
    const sim = Simulation.create(worldSpec());
    runRounds(sim, 3);
    sim.apply({ type: "double_sign", node: "val-2" });
    runRounds(sim, 4);
    const node = nodeOf(sim);
    const heights = [4, 5, 6, 7];
    const blocks = await Promise.all(
      heights.map((height) =>
        answerRequest(node, { id: 1, method: "block", params: { height: `${height}` } }),
      ),
    );
    const pieces = blocks.flatMap(
      ({ result }) =>
        (result as { block: { evidence: { evidence: Json[] } } }).block.evidence.evidence,
    );
    const vote = {
      type: 2,
      round: 0,
      block_id: BLOCK_ID,
      timestamp: TIME,
      validator_address: ADDRESS,
      signature: BASE64,
    };
    expect(pieces).toEqual([
      {
        type: "tendermint/DuplicateVoteEvidence",
        value: {
          vote_a: expect.objectContaining(vote),
          vote_b: expect.objectContaining(vote),
          TotalVotingPower: "400",
          ValidatorPower: "100",
          Timestamp: TIME,
        },
      },
    ]);
    const results = await Promise.all(
      heights.map((height) =>
        answerRequest(node, { id: 1, method: "block_results", params: { height: `${height}` } }),
      ),
    );
    const updates = results.flatMap(
      ({ result }) => (result as { validator_updates: Json[] | null }).validator_updates ?? [],
    );
    expect(updates).toEqual([
      {
        pub_key: {
          Sum: { type: "tendermint.crypto.PublicKey_Ed25519", value: { ed25519: BASE64 } },
        },
        power: "0",
      },
    ]);
  });

  test("results with nothing to tell are null, as Go writes them", async () => {
    const { result } = rpcWorld();
    expect(await result("block_results", { height: "3" })).toEqual({
      height: "3",
      txs_results: null,
      finalize_block_events: null,
      validator_updates: null,
      consensus_param_updates: null,
      app_hash: BASE64,
    });
  });

  test("results add up to the hash in the next header, gas included", async () => {
    const { sim, result } = rpcWorld();
    sim.apply({ type: "tx", signer: "val-0", messages: [] });
    sim.apply({
      type: "tx",
      signer: "val-1",
      messages: [{ $typeName: "google.protobuf.Any", typeUrl: "/x", value: Uint8Array.of(1) }],
    });
    runRounds(sim, 2);
    type Shown = Record<"code" | "data" | "gas_wanted" | "gas_used", string>;
    const { txs_results } = (await result("block_results", { height: "6" })) as unknown as {
      txs_results: readonly Shown[];
    };
    expect(txs_results.map(({ gas_used }) => gas_used)).not.toContain("0");
    const shown = txs_results.map(({ code, data, gas_wanted, gas_used }) => ({
      code: Number(code),
      data: new Uint8Array(Buffer.from(data ?? "", "base64")),
      gasWanted: BigInt(gas_wanted),
      gasUsed: BigInt(gas_used),
    }));
    const { block } = (await result("block", { height: "7" })) as {
      block: { header: { last_results_hash: string } };
    };
    expect(block.header.last_results_hash).toBe(toHexUpper(lastResultsHash(shown)));
  });

  test("a transaction is found by its hash, in base64", async () => {
    const { sim, result } = rpcWorld();
    const { txHash = new Uint8Array() } = sim.apply({
      type: "tx",
      signer: "val-0",
      messages: [],
    });
    expect(await result("num_unconfirmed_txs")).toMatchObject({ n_txs: "1", total: "1" });
    runRounds(sim, 1);
    const hash = Buffer.from(txHash).toString("base64");
    const tx = (await result("tx", { hash, prove: true })) as { tx: string };
    expect(tx).toEqual({
      hash: toHexUpper(txHash),
      height: "6",
      index: 0,
      tx_result: expect.objectContaining({
        info: "",
        gas_wanted: "0",
        codespace: expect.any(String),
      }),
      tx: BASE64,
    });
    expect(await result("block", { height: "6" })).toMatchObject({
      block: { data: { txs: [tx.tx] } },
    });
    await expect(result("tx", { hash: "qw==" })).rejects.toThrow("tx (AB) not found");
  });
});

describe("abci_query of a store", () => {
  const ASKED = { path: "/store/upgrade/key", data: "", height: "4", prove: true };
  test("proves a value, and that a key is not there, up to the app hash in the next header", async () => {
    const { sim, result } = rpcWorld();
    const next = sim.header(5)?.appHash ?? new Uint8Array();
    const there = toHex([...sim.state(4).reader("upgrade").iterate()][0]?.key ?? new Uint8Array());
    for (const [data, isThere] of [
      [there, true],
      ["00", false],
      ["017632", false],
      ["ff", false],
    ] as const) {
      const { response } = (await result("abci_query", { ...ASKED, data })) as {
        response: {
          value: string | null;
          proofOps: { ops: { type: string; key: string; data: string }[] };
        };
      };
      const bytes = Buffer.from(data, "hex");
      expect(response).toMatchObject({
        ...{ code: 0, log: "", key: bytes.toString("base64"), height: "4", codespace: "" },
        value: isThere ? BASE64 : null,
        proofOps: {
          ops: [
            { type: "ics23:iavl", key: bytes.toString("base64"), data: BASE64 },
            { type: "ics23:simple", key: Buffer.from("upgrade").toString("base64"), data: BASE64 },
          ],
        },
      });
      const [tree, stores] = response.proofOps.ops.map((op) =>
        ics23.CommitmentProof.decode(fromBase64(op.data)),
      );
      const root = stores?.exist?.value ?? new Uint8Array();
      if (tree === undefined || stores === undefined) throw new Error("no proof");
      const value = fromBase64(response.value ?? "");
      expect(verifyMembership(tree, iavlSpec, root, bytes, value)).toBe(isThere);
      expect(verifyNonMembership(tree, iavlSpec, root, bytes)).toBe(!isThere);
      const name = Buffer.from("upgrade");
      expect(verifyMembership(stores, tendermintSpec, next, name, root)).toBe(true);
    }
  });

  test("without prove there is no proof, and the path may lack its first slash", async () => {
    const { result } = rpcWorld();
    const requested = { ...ASKED, path: "store/upgrade/key", data: "ff", prove: false };
    expect(await result("abci_query", requested)).toMatchObject({
      response: { code: 0, value: null, proofOps: null, key: "/w==" },
    });
  });

  test("all keys with a prefix come with their values as pairs, without a proof, of the height that is asked about", async () => {
    const { result, sim } = rpcWorld();
    const [height, before] = [sim.height, 2];
    for (const at of [before, height]) {
      const requested = {
        path: "/store/slashing/subspace",
        data: "01",
        height: `${at}`,
        prove: true,
      };
      const { response } = (await result("abci_query", requested)) as {
        response: { code: number; value: string | null; proofOps: null; key: string };
      };
      expect(response).toMatchObject({ code: 0, key: "AQ==", proofOps: null });
      const { pairs } = fromBinary(PairsSchema, fromBase64(response.value ?? ""));
      const entries = [...sim.state(at).store("slashing").prefix(Uint8Array.of(1))];
      expect(entries.length).toBeGreaterThan(1);
      expect(pairs.map(({ key, value }) => [toHex(key), toHex(value)])).toEqual(
        entries.map(({ key, value }) => [toHex(key), toHex(value)]),
      );
    }
    const none = { path: "/store/slashing/subspace", data: "ff" };
    expect(await result("abci_query", none)).toMatchObject({ response: { code: 0, value: null } });
    const empty = { path: "/store/slashing/subspace", data: "" };
    expect(await result("abci_query", empty)).toMatchObject({
      response: { code: 3, codespace: "store" },
    });
  });

  test.each([
    [{ path: "/store/ibc/key", data: "01" }, "store", 4, "no such store: ibc: unknown request"],
    [{ path: "/store", data: "01" }, "store", 4, "no such store: : unknown request"],
    [{ data: "" }, "store", 3, "query cannot be zero length: tx parse error"],
    [
      { path: "/store/upgrade/prefix", data: "01" },
      "store",
      4,
      "unexpected query path: /prefix: unknown request",
    ],
    [
      { data: "01", height: "1" },
      "sdk",
      18,
      "cannot query with proof when height <= 1; please provide a valid height: invalid request",
    ],
  ])("%j is refused", async (params, codespace, code, log) => {
    const { result } = rpcWorld();
    expect(await result("abci_query", { ...ASKED, ...params })).toMatchObject({
      response: { code, codespace, log, value: null, proofOps: null },
    });
  });
});

describe("abci_query", () => {
  const balance = (sim: Simulation) =>
    toHex(
      toBinary(
        QueryBalanceRequestSchema,
        create(QueryBalanceRequestSchema, {
          address: accAddress(sim.account("val-0") ?? new Uint8Array()),
          denom: "stake",
        }),
      ),
    );

  test("answers by either name, with the height that was read", async () => {
    const { sim, result } = rpcWorld();
    for (const root of ["chain", "cosmos"]) {
      for (const data of [balance(sim), balance(sim).toUpperCase()]) {
        const answer = await result("abci_query", {
          path: `/${root}.bank.v1beta1.Query/Balance`,
          data,
          height: "0",
          prove: false,
        });
        const { response } = answer as { response: { value: string } };
        expect(response).toEqual({
          code: 0,
          log: "",
          info: "",
          index: "0",
          key: null,
          value: BASE64,
          proofOps: null,
          height: "5",
          codespace: "",
        });
        const read = fromBinary(QueryBalanceResponseSchema, fromBase64(response.value));
        expect(read.balance?.denom).toBe("stake");
      }
    }
  });

  test("names the types in Any under the root of the path", async () => {
    const { result } = rpcWorld();
    const data = toHex(
      toBinary(QueryValidatorsRequestSchema, create(QueryValidatorsRequestSchema)),
    );
    for (const root of ["chain", "cosmos"]) {
      const answer = await result("abci_query", {
        path: `/${root}.staking.v1beta1.Query/Validators`,
        data,
      });
      const { value } = (answer as { response: { value: string } }).response;
      const [first] = fromBinary(QueryValidatorsResponseSchema, fromBase64(value)).validators;
      expect(first?.consensusPubkey?.typeUrl).toBe(`/${root}.crypto.ed25519.PubKey`);
    }
  });

  test.each([
    [
      "/chain.nothing.Query/X",
      "",
      "0",
      6,
      "unknown query path: /chain.nothing.Query/X: unknown request",
    ],
    ["status", "", "0", 6, "unknown query path: status: unknown request"],
    [
      "/chain.upgrade.v1beta1.Query/CurrentPlan",
      "",
      "99",
      18,
      "cannot query with height in the future; please provide a valid height: invalid request",
    ],
    [
      "/chain.upgrade.v1beta1.Query/CurrentPlan",
      "",
      "-1",
      18,
      "cannot query with height < 0; please provide a valid height: invalid request",
    ],
    [
      "/chain.upgrade.v1beta1.Query/CurrentPlan",
      "ff",
      "0",
      18,
      "parse binary: premature EOF: invalid request",
    ],
  ])("%s with %j at %s is refused with code %d", async (path, data, height, code, log) => {
    const { result } = rpcWorld();
    const answer = await result("abci_query", { path, data, height });
    expect(answer).toMatchObject({ response: { code, codespace: "sdk", log, value: null } });
    expect((answer as { response: { height: string } }).response.height).not.toBe("0");
  });

  test("what is not found has the code by which clients know it", async () => {
    const { result } = rpcWorld();
    const data = toHex(
      toBinary(
        QueryEvidenceRequestSchema,
        create(QueryEvidenceRequestSchema, { hash: "AB".repeat(32) }),
      ),
    );
    expect(
      await result("abci_query", { path: "/cosmos.evidence.v1beta1.Query/Evidence", data }),
    ).toMatchObject({
      response: {
        code: 22,
        log: expect.stringMatching(/^rpc error: code = NotFound desc = .*: key not found$/),
      },
    });
  });
});
