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

test("of two values the fields that differ are told as they are now, also as false, 0, none and not set", () => {
  const before = JSON.parse(VALIDATOR);
  const now = { ...before, tokens: "95", jailed: true, ids: [], description: undefined };
  const after = JSON.stringify(now);
  expect(changedFields(VALIDATOR, after)).toEqual([
    { name: "jailed", value: "true" },
    { name: "tokens", value: "95" },
    { name: "ids", value: "none" },
    { name: "description", value: "not set" },
  ]);
  expect(changedFields(after, VALIDATOR)).toContainEqual({ name: "jailed", value: "false" });
  const left = JSON.stringify({ ...before, tokens: "0", operatorAddress: "", unbondingHeight: 0 });
  expect(changedFields(VALIDATOR, left)).toEqual([
    { name: "operator address", value: "empty" },
    { name: "tokens", value: "0" },
    { name: "unbonding height", value: "0" },
  ]);
  expect(changedFields("1", "2")).toEqual([{ name: "", value: "2" }]);
  expect(changedFields("1", "1")).toEqual([]);
});

test("a number is read from a field, or from a value that is one", () => {
  expect(numberIn(VALIDATOR, "tokens")).toBe(100);
  expect(numberIn(VALIDATOR, "operator address")).toBeUndefined();
  expect(numberIn("400", "")).toBe(400);
});
