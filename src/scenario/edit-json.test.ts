import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../base/property.testing.ts";
import type { Edit } from "./edit.ts";
import { edited, readText } from "./edit-text.ts";
import { parseScenario } from "./parse.ts";
import { readSource } from "./source.ts";

const FOLDER = "public/scenarios";
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".yaml"));

type Step = Readonly<Record<string, unknown>>;
interface Written {
  readonly steps: readonly Step[];
}

const storyOf = (file: string): Written => {
  const read = readSource(readFileSync(`${FOLDER}/${file}`, "utf8"), file);
  if ("problems" in read) throw new Error(file);
  return JSON.parse(JSON.stringify(read.source.value));
};

const NEW = { nodes: { which: ["val-0"], stop: true }, note: "A “new” one: [ { , } ]" };

/** Applies an edit to the values. */
function meant(steps: readonly Step[], edit: Edit): readonly Step[] {
  const { at } = edit;
  const own = steps[at] ?? {};
  switch (edit.kind) {
    case "move": {
      const left = steps.toSpliced(at, 1);
      return left.toSpliced(edit.to, 0, own);
    }
    case "remove":
      return steps.toSpliced(at, 1);
    case "cut":
      return steps.slice(0, at);
    case "duplicate": {
      const { as: _, ...unnamed } = own;
      return steps.toSpliced(at + 1, 0, unnamed);
    }
    case "disable":
      return steps.with(at, { ...own, off: true });
    case "enable": {
      const { off: _, ...on } = own;
      return steps.with(at, on);
    }
    case "insert":
      return steps.toSpliced(at, 0, JSON.parse(edit.json));
    case "replace":
      return steps.with(at, { ...JSON.parse(edit.json), ...(own.off === true && { off: true }) });
  }
}

const LAYOUTS: readonly ((value: Written) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, null, 1),
  (value) => `${JSON.stringify(value, null, 2)}\n`,
  (value) => JSON.stringify(value, null, "\t").replaceAll("\n", "\r\n"),
  ({ steps, ...head }) =>
    `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "steps": [\n    ${steps
      .map((step) => JSON.stringify(step))
      .join(" ,\n    ")}\n  ]\n}`,
];

const anyEdits = fc.array(
  fc.record({
    kind: fc.constantFrom(
      ...(["move", "remove", "duplicate", "disable", "enable", "insert", "replace"] as const),
    ),
    at: fc.nat(),
    to: fc.nat(),
  }),
  { minLength: 1, maxLength: 6 },
);

test.each(FILES)(
  "%s as JSON stays JSON that means the same, whatever is done to its list",
  (file) => {
    const value = storyOf(file);
    fc.assert(
      fc.property(anyEdits, fc.constantFrom(...LAYOUTS), (edits, layout) => {
        let text = layout(value);
        let steps = value.steps;
        for (const { kind, at, to } of edits) {
          const { length } = steps;
          if (length === 0 && kind !== "insert") continue;
          const place = kind === "insert" ? at % (length + 1) : at % length;
          const json = JSON.stringify(NEW);
          const edit = { kind, at: place, to: to % Math.max(length, 1), json } as Edit;
          text = edited(text, "mine.json", edit);
          steps = meant(steps, edit);
          expect(JSON.parse(text)).toEqual({ ...value, steps });
          const listed = readText(text, "mine.json").steps;
          expect(listed.map(({ json }) => JSON.parse(json))).toEqual(
            steps.map(({ off: _, ...step }) => step),
          );
          let running = 0;
          for (const [i, step] of steps.entries()) {
            expect(listed[i]?.index).toBe(step.off === true ? -1 : running);
            if (step.off !== true) running += 1;
          }
        }
      }),
      { numRuns: propertyRuns(8) },
    );
  },
);

test("what is not edited of a JSON text stays as it was written", () => {
  const text =
    '{ "scenario": 1,\n  "name": "mine",  "steps": [\n    { "run" : 3 },\n    {"run":2}\n  ] }\n';
  const off = edited(text, "a.json", { kind: "disable", at: 1 });
  expect(off).toBe(text.replace('{"run":2}', '{"run":2,"off":true}'));
  expect(edited(off, "a.json", { kind: "enable", at: 1 })).toBe(text);
  expect(edited(text, "a.json", { kind: "move", at: 0, to: 1 })).toBe(
    '{ "scenario": 1,\n  "name": "mine",  "steps": [\n    {"run":2},\n    { "run" : 3 }\n  ] }\n',
  );
  expect(readText(text, "a.json").steps.map(({ line }) => line)).toEqual([3, 4]);
});

test.each([
  "{}",
  '{"scenario":1}',
  '{\n  "scenario": 1\n}',
  '{"scenario":1,"steps":[]}',
  '{\n  "scenario": 1,\n  "steps": [ ]\n}\n',
])("a step is added to %j", (text) => {
  const added = edited(text, "a.json", { kind: "insert", at: 0, json: "{ run: 3 }" });
  expect(JSON.parse(added)).toEqual({ ...JSON.parse(text), steps: [{ run: 3 }] });
  const again = edited(added, "a.json", { kind: "remove", at: 0 });
  expect(JSON.parse(again).steps).toEqual([]);
});

test("a step that is switched off is neither checked nor run, in JSON as in YAML", () => {
  const text =
    "scenario: 1\nname: mine\nsteps:\n  - { nodes: { which: [val-9], stop: true }, as: x, off: true }\n  - run: 2\n";
  const read = parseScenario(text, "mine.yaml");
  expect("scenario" in read && read.scenario.steps.map(({ verb }) => verb)).toEqual(["run"]);
  const [first, second] = readText(text, "mine.yaml").steps;
  expect([first?.index, second?.index]).toEqual([-1, 0]);
  const on = edited(text, "mine.yaml", { kind: "enable", at: 0 });
  expect(on).not.toContain("off");
  expect(readText(on, "mine.yaml").steps).toHaveLength(2);
  const wrong = parseScenario(text.replace("off: true", "off: 1"), "mine.yaml");
  expect(
    "problems" in wrong && wrong.problems.map(({ path, message }) => `${path} ${message}`),
  ).toContain("steps[0].off expected true, found 1");
});
