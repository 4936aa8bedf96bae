import * as v from "valibot";
import { expect, test } from "vitest";
import { integerOrReference, map } from "./fields.ts";
import { problemsOf } from "./problems.ts";

const schema = map({ to: integerOrReference(1, 9), name: v.string("text") });
const found = (input: unknown) => {
  const { issues = [] } = v.safeParse(schema, input);
  return problemsOf(issues, ["run"]);
};

test("what may be a reference says so in a file, and not in a form", () => {
  expect(found({ to: "soon", name: "a" })).toEqual([
    {
      path: ["run", "to"],
      message: 'expected a whole number from 1 to 9, or a reference such as $p, found "soon"',
      inForm: 'expected a whole number from 1 to 9, found "soon"',
    },
  ]);
});

test("an empty field of a form holds nothing", () => {
  expect(found({ to: "", name: "a" })).toEqual([
    {
      path: ["run", "to"],
      message: 'expected a whole number from 1 to 9, or a reference such as $p, found ""',
      inForm: "expected a whole number from 1 to 9, found nothing",
    },
  ]);
});

test("what is no reference anywhere says the same in both", () => {
  const same = "expected a whole number from 1 to 9, found 10";
  expect(found({ to: 10, name: "a" })).toEqual([
    { path: ["run", "to"], message: same, inForm: same },
  ]);
  expect(found({ to: 1, name: 2 })).toEqual([
    {
      path: ["run", "name"],
      message: "expected text, found 2",
      inForm: "expected text, found 2",
    },
  ]);
});
