import { describe, expect, test } from "vitest";
import { parseScenario } from "./parse.ts";
import { runScenario } from "./report.ts";

const ref = (inside: string): string => `\${${inside}}`;

/**
 * Evidence of two votes, submitted after block 4, and the outcome: problems of the file, or
 * messages of its steps.
 */
function submitted(voteA: string, voteB: string): readonly string[] {
  const text = `
scenario: 1
name: votes
title: Votes
genesis: { validators: 4, accounts: { alice: 1000000000stake } }
steps:
  - run: 4
  - tx:
      from: alice
      msgs:
        - "@type": /chain.evidence.v1beta1.MsgSubmitEvidence
          submitter: "\${alice}"
          evidence: { "@type": /chain.evidence.v1beta1.CounterfactualSigning, consensus_address: "\${val-2.valcons}", power: 100, vote_a: "${voteA}", vote_b: "${voteB}" }
`;
  const read = parseScenario(text, "votes.yaml");
  if ("problems" in read) return read.problems.map(({ message }) => message);
  return runScenario(read.scenario, { file: "votes.yaml" }).steps.map(({ message }) => message);
}

describe("a public key as a reference", () => {
  const created = (key: string): readonly string[] => {
    const text = `
scenario: 1
name: keys
genesis: { validators: 2, accounts: { alice: 1000000000stake } }
steps:
  - tx:
      from: alice
      msgs:
        - "@type": /chain.staking.v1beta1.MsgCreateValidator
          description: { moniker: alice }
          commission: { rate: "0.1", max_rate: "0.2", max_change_rate: "0.01" }
          min_self_delegation: "1"
          validator_address: "\${alice.valoper}"
          pubkey: { "@type": /chain.crypto.ed25519.PubKey, key: "${key}" }
          value: { denom: stake, amount: "1000000" }
  - expect:
      get: "/chain/staking/v1beta1/validators/\${alice.valoper}"
      json: { validator: { consensus_pubkey: { key: "${key}" } } }
`;
    const read = parseScenario(text, "keys.yaml");
    if ("problems" in read) return read.problems.map(({ message }) => message);
    return runScenario(read.scenario, { file: "keys.yaml" }).steps.map(({ message }) => message);
  };

  test("is the key that goes by a name: of a validator, or one that is not in use yet", () => {
    expect(created(ref("alice.pub_key"))).toEqual(["", ""]);
    expect(created(ref("val-1.pub_key"))[0]).toContain(
      "validator already exist for this pubkey; must use new validator pubkey",
    );
  });

  test("of an unknown name is a problem of the file", () => {
    expect(created(ref("carol.pub_key"))[0]).toBe(
      'there is no validator or account "carol" that could have a key',
    );
  });
});

describe("a vote as a reference", () => {
  test("is the precommit that a node's key gives for a block of this chain, or for one that is not on it", () => {
    expect(submitted(ref("val-2.vote@3"), ref("val-2.other_vote@3"))).toEqual(["", ""]);
  });

  test.each([
    [ref("val-9.vote@3"), 'there is no node "val-9"'],
    [`see ${ref("val-2.vote@3")}`, '"val-2.vote@3": after the point comes'],
    [ref("val-2.votes@3"), '"val-2.votes@3": after the point comes'],
  ])("%s is a fault of the file", (vote, message) => {
    expect(submitted(vote, ref("val-2.other_vote@3"))[0]).toContain(message);
  });

  test.each([
    [ref("val-2.vote@9"), "there is no block 9 yet to vote on"],
    [ref("val-2.vote@0"), "there is no block 0 yet to vote on"],
    [ref("alice"), "vote_a: expected a map of Vote's fields"],
  ])("%s is known to be wrong when its step runs", (vote, message) => {
    expect(submitted(vote, ref("val-2.other_vote@3"))[1]).toContain(message);
  });
});
