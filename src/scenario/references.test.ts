import { describe, expect, test } from "vitest";
import { parseScenario } from "./parse.ts";
import { runScenario } from "./report.ts";

const ref = (inside: string): string => `\${${inside}}`;

/** Evidence of two votes, submitted after block 4, and what becomes of it: faults of the file, or messages of its steps. */
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
  if ("faults" in read) return read.faults.map(({ message }) => message);
  return runScenario(read.scenario, { file: "votes.yaml" }).steps.map(({ message }) => message);
}

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
