import { describe, expect, test } from "vitest";
import { HaltError } from "../../framework/halt.ts";
import { appliedAt, decide, ledgerOf, nodesOf, setOf } from "../testing.ts";
import type { Node } from "./node.ts";
import {
  BLANK_SIGNER_STATE,
  fileOf,
  filesOf,
  lastSignedPosition,
  refusal,
  SIGNER_STATE,
  setSignerState,
  signerState,
  signerStateJson,
} from "./signer-state.ts";

function chain() {
  const [a, b] = nodesOf(2) as [Node, Node];
  const ledger = ledgerOf(setOf([a, b]));
  const index = ledger.voting.list.indexOf(b.consensusAddress);
  return { a, b, ledger, index };
}

describe("a signer's file", () => {
  test("is blank before the first vote", () => {
    const { a, ledger } = chain();
    expect(signerState(a, ledger)).toBe(BLANK_SIGNER_STATE);
    expect(BLANK_SIGNER_STATE).toBe('{\n  "height": "0",\n  "round": 0,\n  "step": 0\n}');
  });

  test("names the last block that the node signed, with its round", () => {
    const { a, b, ledger, index } = chain();
    decide(ledger, [], 2);
    ledger.commit(appliedAt(1));
    decide(ledger, [index], 1);
    for (const node of [a, b]) node.setApplied(appliedAt(1));
    expect(signerState(a, ledger)).toBe(signerStateJson(2, 1, 3));
    expect(signerState(b, ledger)).toBe(signerStateJson(1, 2, 3));
  });

  test("names no block above the first that the node has not applied", () => {
    const { a, ledger } = chain();
    for (let height = 1; height <= 3; height++) {
      decide(ledger);
      ledger.commit(appliedAt(height));
    }
    expect(signerState(a, ledger)).toBe(signerStateJson(1, 0, 3));
  });

  test("names a later failed round that the node voted in, if it is a validator there", () => {
    const { a, b, ledger } = chain();
    const lastFailedRound = { height: 1, round: 4, silent: [] };
    for (const node of [a, b]) {
      node.share({ applied: appliedAt(0), lastFailedRound });
      expect(signerState(node, ledger)).toBe(signerStateJson(1, 4, 3));
    }
    const [, , stranger] = nodesOf(3) as [Node, Node, Node];
    stranger.share({ applied: appliedAt(0), lastFailedRound });
    expect(signerState(stranger, ledger)).toBe(BLANK_SIGNER_STATE);
    decide(ledger, [], 5);
    expect(signerState(a, ledger)).toBe(signerStateJson(1, 5, 3));
  });

  test("that was placed or deleted holds until the next vote", () => {
    const { a, ledger } = chain();
    decide(ledger);
    ledger.commit(appliedAt(1));
    a.setApplied(appliedAt(1));
    setSignerState(a, "{}", ledger);
    expect(signerState(a, ledger)).toBe("{}");
    expect(fileOf(a, ledger, SIGNER_STATE)).toBe("{}");
    setSignerState(a, undefined, ledger);
    expect(signerState(a, ledger)).toBeUndefined();
    decide(ledger);
    expect(signerState(a, ledger)).toBe(signerStateJson(2, 0, 3));
  });

  test("that was placed after a failed round hides the vote there, but not a later one", () => {
    const { a, ledger } = chain();
    const progress = {
      applied: appliedAt(0),
      lastFailedRound: { height: 1, round: 0, silent: [] },
    };
    a.share(progress);
    setSignerState(a, BLANK_SIGNER_STATE, ledger);
    expect(signerState(a, ledger)).toBe(BLANK_SIGNER_STATE);
    a.share({ ...progress, lastFailedRound: { height: 1, round: 1, silent: [] } });
    expect(signerState(a, ledger)).toBe(signerStateJson(1, 1, 3));
  });

  test("stands among the node's files unless it was deleted", () => {
    const { a, ledger } = chain();
    a.writeFile("x", "1");
    expect([...filesOf(a, ledger)]).toEqual([
      ["x", "1"],
      [SIGNER_STATE, BLANK_SIGNER_STATE],
    ]);
    expect(fileOf(a, ledger, "x")).toBe("1");
    expect(fileOf(a, ledger, "y")).toBeUndefined();
    setSignerState(a, undefined, ledger);
    expect([...filesOf(a, ledger).keys()]).toEqual(["x"]);
  });
});

describe("what a signer remembers", () => {
  test("is the height and round of its file, 0 if they are missing", () => {
    expect(lastSignedPosition(signerStateJson(7, 2, 3))).toEqual({ height: 7, round: 2 });
    expect(lastSignedPosition("{}")).toEqual({ height: 0, round: 0 });
    expect(lastSignedPosition("null")).toEqual({ height: 0, round: 0 });
  });

  test.each([
    [undefined, /no such file or directory/],
    ["{", /Error reading PrivValidator state/],
    ['{"height": 7}', /invalid 64-bit integer encoding 7, expected string/],
    ['{"height": "x"}', /invalid 64-bit integer encoding/],
    ['{"height": "0x5"}', /invalid 64-bit integer encoding/],
    ['{"height": {"toString": 1, "valueOf": 1}}', /invalid 64-bit integer encoding {"toString":1/],
    ['{"height": []}', /invalid 64-bit integer encoding \[\], expected string/],
    [`{"height": ${"[".repeat(999)}${"]".repeat(999)}}`, /invalid 64-bit integer encoding/],
    ['{"round": {"toString": 1, "valueOf": 1}}', /cannot unmarshal object into .* type int32/],
    ['{"round": "1"}', /cannot unmarshal string into Go value of type int32/],
    ['{"round": 1.5}', /cannot unmarshal number 1.5 into Go value of type int32/],
    ["[1]", /cannot unmarshal array into Go value of type map/],
  ])("cannot be read from %s", (content, message) => {
    expect(() => lastSignedPosition(content)).toThrow(HaltError);
    expect(() => lastSignedPosition(content)).toThrow(message);
  });

  test("makes it refuse lower heights and another vote at the same one", () => {
    expect(refusal(8, 7)).toBe("height regression. Got 7, last height 8");
    expect(refusal(7, 7)).toBe("conflicting data");
    expect(refusal(6, 7)).toBeUndefined();
  });
});
