import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "../gen/endpoints.ts";
import { queryCommandOf } from "./query-line.ts";

const words = (method: string, fields: Record<string, string> = {}, height = "") =>
  queryCommandOf(method)?.arguments(fields, height)?.join(" ");

describe("a query on the command line", () => {
  test.each([
    ["chain.bank.v1beta1.Query/AllBalances", { address: "a" }, "", "query bank balances a"],
    ["chain.bank.v1beta1.Query/TotalSupply", {}, "7", "query bank total-supply --height 7"],
    ["chain.evidence.v1beta1.Query/Evidence", { evidence_hash: "AB" }, "", "query evidence AB"],
    ["chain.upgrade.v1beta1.Query/AppliedPlan", { name: "v2" }, "", "query upgrade applied v2"],
    ["chain.evidence.v1beta1.Query/AllEvidence", {}, "", "query evidence"],
    [
      "chain.gov.v1.Query/Proposals",
      { proposal_status: "PROPOSAL_STATUS_PASSED", "pagination.limit": "2", voter: "" },
      "",
      "query gov proposals --proposal-status PROPOSAL_STATUS_PASSED --limit 2",
    ],
    [
      "chain.staking.v1beta1.Query/Validators",
      { "pagination.count_total": "true", "pagination.reverse": "false", "pagination.key": "AA==" },
      "",
      "query staking validators --page-key AA== --count-total",
    ],
    [
      "chain.upgrade.v1beta1.Query/ModuleVersions",
      { module_name: "bank" },
      "",
      "query upgrade module_versions bank",
    ],
    ["lab.v1.Lab/GetChainStatus", {}, "", "query chain-status"],
    [
      "lab.v1.Lab/CompareWorlds",
      { "a.height": "6", "b.world": "lab-1", "b.height": "7" },
      "",
      "query compare --a-height 6 --b-world lab-1 --b-height 7",
    ],
    [
      "lab.v1.Lab/CompareWorlds",
      { "b.world": "lab-1", link: "time" },
      "",
      "query compare --b-world lab-1 --link time",
    ],
  ])("%s %o at height %s", (method, fields, height, line) => {
    expect(words(method, fields, height)).toBe(line);
  });

  test.each([
    ["a method that no command asks", "chain.gov.v1.Query/Constitution", {}],
    [
      "a field that the command does not take",
      "chain.bank.v1beta1.Query/AllBalances",
      { address: "a", resolve_denom: "true" },
    ],
    ["what must be given", "chain.bank.v1beta1.Query/AllBalances", {}],
    [
      "what would stand in another place",
      "chain.staking.v1beta1.Query/Redelegations",
      { delegator_addr: "a", dst_validator_addr: "b" },
    ],
  ])("there is none: %s", (_, method, fields) => {
    expect(words(method, fields)).toBeUndefined();
  });

  test("nearly every query of a module has one", () => {
    // Gov v1beta1 is an older format of v1.
    const modules = /^chain\.(evidence|upgrade|gov(?=\.v1\.)|slashing|staking)\./;
    const without = ENDPOINTS.filter(({ name }) => modules.test(name) && !queryCommandOf(name));
    expect(BY_PATH_ALONE).toEqual(expect.arrayContaining(without.map(({ name }) => name)));
  });
});

const BY_PATH_ALONE = [
  "chain.gov.v1.Query/Constitution",
  "chain.staking.v1beta1.Query/HistoricalInfo",
  "chain.upgrade.v1beta1.Query/UpgradedConsensusState",
];
