import { expect, test } from "vitest";
import { linkedParts } from "./linked-parts.ts";

const HASH = "391DF279693BB9F01EB5168D4D67336A1F480E7F69345C9870450C4E9F0E1649";
const known = { nodes: new Set(["val-1", "val-10", "val-1-twin"]), evidence: new Set([HASH]) };

const links = (text: string) =>
  linkedParts(text, known).flatMap(({ text, to }) => (to ? [[text, to.kind, to.id]] : []));

test("a line links to the validators, proposals and evidence that it names", () => {
  expect(links("validator set: val-1 leaves: jailed")).toEqual([["val-1", "node", "val-1"]]);
  expect(links("val-10, val-1-twin.")).toEqual([
    ["val-10", "node", "val-10"],
    ["val-1-twin", "node", "val-1-twin"],
  ]);
  expect(links("proposal 12: rejected")).toEqual([["proposal 12", "proposal", "12"]]);
  expect(links("submit_proposal proposal_id=3")).toEqual([["proposal_id=3", "proposal", "3"]]);
  expect(links(`persistence: stored under ${HASH}`)).toEqual([[HASH, "evidence", HASH]]);
});

test("what the chain does not have is no link, and no character is lost", () => {
  const text = "slash address=val-1 power=100 reason=double_sign; val-2 is not here";
  const parts = linkedParts(text, known);
  expect(parts.map((part) => part.text).join("")).toBe(text);
  expect(links("val-2 and DEADBEEF")).toEqual([]);
});

test("no part is empty, wherever a link stands", () => {
  const texts = (text: string) => linkedParts(text, known).map((part) => part.text);
  expect(texts("val-1")).toEqual(["val-1"]);
  expect(texts("val-1 and val-10")).toEqual(["val-1", " and ", "val-10"]);
  expect(texts("proposal 3proposal 4")).toEqual(["proposal 3", "proposal 4"]);
  expect(texts("")).toEqual([]);
});
