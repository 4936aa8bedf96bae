import { expect, test } from "vitest";
import { parseScenario } from "../../scenario/parse.ts";
import { editBeginning } from "./edit-genesis.ts";

const file = {
  file: "a.yaml",
  text: "scenario: 1\nname: a\ngenesis: { validators: 4 }\nsteps: [{ run: 3 }]\n",
};

test("a file has the values that are given, one after another", () => {
  const values = [
    { name: "seed", value: "7" },
    { name: "profile", value: "sdk-0.53" },
  ];
  const { text = "", refused, problems } = editBeginning({ file, values });
  expect([refused, problems]).toEqual([[], []]);
  const read = parseScenario(text, "a.yaml");
  expect(read).toMatchObject({ scenario: { spec: { seed: 7, profile: "sdk-0.53" } } });
});

test.each([
  ["walks", "3", "genesis.walks: "],
  ["profile", "other", "genesis.profile: "],
  ["__proto__.x", "1", "expected seed, binary, or keys with dots between them"],
])("%s=%s is refused by its place, and there is no text", (name, value, why) => {
  const values = [
    { name: "seed", value: "7" },
    { name, value },
  ];
  expect(editBeginning({ file, values })).toMatchObject({
    text: "",
    refused: [{ value: 1, why: expect.stringContaining(why) }],
  });
});

test("what can be other is offered, the seed first, and can be set as it is", () => {
  const { offered } = editBeginning({ file });
  expect(offered.slice(0, 2).map(({ name }) => name)).toEqual(["seed", "binary"]);
  for (const { name, value } of offered) {
    expect(editBeginning({ file, values: [{ name, value }] }).refused, name).toEqual([]);
  }
});

test("a file that is not sound is refused with its line, and too many values are", () => {
  const wrong = { file: "a.yaml", text: "scenario: 1\nname: a\nsteps: [{ walk: 3 }]\n" };
  expect(editBeginning({ file: wrong })).toMatchObject({ offered: [], problems: [{ line: 3 }] });
  const values = Array.from({ length: 17 }, () => ({ name: "seed", value: "1" }));
  expect(() => editBeginning({ file, values })).toThrow("at most 16, found 17");
});
