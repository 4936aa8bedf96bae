import { expect, test } from "vitest";
import { changedFields, fieldsOf, lineOf, numberIn } from "./entry-text.ts";

const VALIDATOR = JSON.stringify({
  operatorAddress: "chainvaloper1x",
  jailed: false,
  tokens: "100",
  unbondingHeight: "0",
  description: { moniker: "val-2", website: "" },
  ids: ["1", "2"],
});

test("the fields of a message stand with their words, without those that say nothing", () => {
  expect(fieldsOf(VALIDATOR)).toEqual([
    { name: "operator address", value: "chainvaloper1x" },
    { name: "tokens", value: "100" },
    { name: "description", value: "moniker val-2" },
    { name: "ids", value: "1, 2" },
  ]);
  expect(lineOf(VALIDATOR)).toBe(
    "operator address chainvaloper1x · tokens 100 · description moniker val-2 · ids 1, 2",
  );
});

test("other text is a value without a name, also where it is cut or reads as a number", () => {
  expect(fieldsOf('{"tokens":"10…')).toEqual([{ name: "", value: '{"tokens":"10…' }]);
  expect(lineOf("400")).toBe("400");
  expect(fieldsOf("")).toEqual([]);
});

test("of two values the fields that differ are told, those that are gone too", () => {
  const after = JSON.stringify({ ...JSON.parse(VALIDATOR), tokens: "95", jailed: true, ids: [] });
  expect(changedFields(VALIDATOR, after)).toEqual([
    { name: "jailed", value: "true" },
    { name: "tokens", value: "95" },
    { name: "ids", value: "nothing" },
  ]);
  expect(changedFields("1", "2")).toEqual([{ name: "", value: "2" }]);
});

test("a number is read from a field, or from a value that is one", () => {
  expect(numberIn(VALIDATOR, "tokens")).toBe(100);
  expect(numberIn(VALIDATOR, "operator address")).toBeUndefined();
  expect(numberIn("400", "")).toBe(400);
});
