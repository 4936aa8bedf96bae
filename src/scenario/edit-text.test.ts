import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../base/property.testing.ts";
import type { Edit } from "./edit.ts";
import { edited, readText } from "./edit-text.ts";

const FILE = `# My file
scenario: 1
name: mine # its name
genesis: { validators: 4 }
steps:
  # First of all.
  - run: 3
    note: Four validators make blocks.

  # Then
  - upgrade: { name: v2, at: 20 } # soon
    as: plan
  - run: { until: halted, within: 5 }
`;

/** Traps: texts that look like comments and steps, and keys and comments after the list. */
const TRAPS = `scenario: 1
name: mine
"steps": # what is done
  - run: 3
    note: |
      Title
      # no comment
      #~ - no: step
      - nor this
  # Of the second.
  - as: plan
    upgrade: { name: v2, at: 20 }
  - { run: 2, note: "# nor this" }

# Of the binaries.
binaries:
  v2: {}
...
`;

const changed = (edit: Edit, text = FILE): string => edited(text, "mine.yaml", edit);
const titles = (text: string): string[] =>
  readText(text, "mine.yaml").steps.map(
    ({ verb, title, index }) => `${index < 0 ? "off " : ""}${verb} ${title}`,
  );

describe("the steps of a text", () => {
  test("are listed with their lines, in a few words", () => {
    const { problems, steps } = readText(FILE, "mine.yaml");
    expect(problems).toEqual([]);
    expect(steps).toMatchObject([
      { index: 0, from: 6, line: 7, to: 10, verb: "run", title: "3 blocks" },
      { index: 1, from: 10, line: 11, to: 13, title: "v2 at 20" },
      { index: 2, from: 13, line: 13, to: 14, title: "until halted" },
    ]);
    expect(steps[0]?.note).toBe("Four validators make blocks.");
  });

  test("are moved with the comments above them; all else stays as it is", () => {
    const text = changed({ kind: "move", at: 1, to: 0 });
    expect(text.split("\n").slice(5, 9)).toEqual([
      "  # Then",
      "  - upgrade: { name: v2, at: 20 } # soon",
      "    as: plan",
      "  # First of all.",
    ]);
    expect(changed({ kind: "move", at: 0, to: 1 }, text)).toBe(FILE);
  });

  test("that are switched off are comments to everything else, and come back as they were", () => {
    const off = changed({ kind: "disable", at: 1 });
    expect(off).toContain(
      "  #~ # Then\n  #~ - upgrade: { name: v2, at: 20 } # soon\n  #~   as: plan\n",
    );
    expect(titles(off)).toEqual(["run 3 blocks", "off upgrade v2 at 20", "run until halted"]);
    expect(readText(off, "mine.yaml").problems).toEqual([]);
    expect(changed({ kind: "enable", at: 1 }, off)).toBe(FILE);
  });

  test("are duplicated without their names, removed, replaced and cut", () => {
    const twice = changed({ kind: "duplicate", at: 1 });
    expect(titles(twice)).toHaveLength(4);
    expect(twice.match(/as: plan/g)).toHaveLength(1);
    expect(titles(changed({ kind: "remove", at: 0 }))).toEqual([
      "upgrade v2 at 20",
      "run until halted",
    ]);
    const replaced = changed({ kind: "replace", at: 0, json: '{"run":5,"note":"More."}' });
    expect(replaced).toContain("  # First of all.\n  - run: 5\n    note: More.\n");
    expect(titles(changed({ kind: "cut", at: 1 }))).toEqual(["run 3 blocks"]);
    const none = changed({ kind: "cut", at: 0 });
    expect(readText(none, "mine.yaml")).toMatchObject({ problems: [], steps: [] });
  });

  test.each(["steps: []\n", "", "steps: [{ run: 3 }]\n", "# none\nsteps:\n"])(
    "are added to %j",
    (steps) => {
      const text = `scenario: 1\nname: mine\n${steps}`;
      const { length } = readText(text, "mine.yaml").steps;
      const json = '{"nodes":{"which":["val-0"],"stop":true}}';
      const added = changed({ kind: "insert", at: length, json }, text);
      const found = readText(added, "mine.yaml");
      expect(found.problems).toEqual([]);
      expect(found.steps.at(-1)?.title).toBe("val-0: stop");
      expect(added).toContain("nodes: { which: [ val-0 ], stop: true }");
    },
  );

  test("have of what stands around them only comments that are theirs", () => {
    expect(readText(TRAPS, "mine.yaml").problems).toEqual([]);
    expect(titles(TRAPS)).toEqual(["run 3 blocks", "upgrade v2 at 20", "run 2 blocks"]);
    const [, ...after] = TRAPS.split('note: "# nor this" }');
    const without = changed({ kind: "remove", at: 1 }, TRAPS);
    expect(without).toContain("      - nor this\n  - { run: 2");
    expect(without).not.toContain("Of the second");
    for (const edit of [{ kind: "remove", at: 2 } as const, { kind: "cut", at: 0 } as const]) {
      expect(changed(edit, TRAPS).endsWith(after.join(""))).toBe(true);
    }
    expect(changed({ kind: "cut", at: 0 }, TRAPS)).toContain('"steps": [] # what is done\n');
    const moved = changed({ kind: "move", at: 2, to: 0 }, TRAPS);
    expect(titles(moved)).toEqual(["run 2 blocks", "run 3 blocks", "upgrade v2 at 20"]);
    expect(changed({ kind: "move", at: 0, to: 2 }, moved)).toBe(TRAPS);
  });

  test("are duplicated without a name that stands beside other keys", () => {
    expect(titles(changed({ kind: "duplicate", at: 1 }, TRAPS))).toHaveLength(4);
    const flow =
      "scenario: 1\nname: mine\nsteps:\n  - { upgrade: { name: v2, at: 20 }, as: plan }\n";
    for (const text of [
      changed({ kind: "duplicate", at: 0 }, flow),
      changed({ kind: "duplicate", at: 1 }, TRAPS),
    ]) {
      expect(readText(text, "mine.yaml").problems).toEqual([]);
      expect(text.match(/as: plan/g)).toHaveLength(1);
    }
  });

  test.each([
    "steps: [] # none yet\n",
    '"steps": []\n',
    "steps: ~\n",
    "steps: [\n]\n",
    "steps: []\nbinaries: {}\n",
  ])("begin below the key in %j, once", (steps) => {
    const text = `scenario: 1\nname: mine\n${steps}`;
    const added = changed({ kind: "insert", at: 0, json: '{"run":3}' }, text);
    expect(readText(added, "mine.yaml").problems).toEqual([]);
    expect(titles(added)).toEqual(["run 3 blocks"]);
    expect(added.match(/steps/g)).toHaveLength(1);
    if (steps.includes("#")) expect(added).toContain("steps: # none yet\n");
  });

  test("that are changed keep whether they are switched off, and the blank lines after them", () => {
    const json = '{"run":9}';
    const off = changed({ kind: "disable", at: 0 });
    const replaced = changed({ kind: "replace", at: 0, json }, off);
    expect(titles(replaced)[0]).toBe("off run 9 blocks");
    expect(replaced).toContain("  #~ - run: 9\n\n  # Then");
  });

  test("are listed with what their aliases stand for", () => {
    const text = "scenario: 1\nname: mine\nsteps:\n  - run: &n { to: 20 }\n  - run: *n\n";
    expect(readText(text, "mine.yaml").steps.map(({ json }) => json)).toEqual([
      '{"run":{"to":20}}',
      '{"run":{"to":20}}',
    ]);
  });

  test("are not there where the text cannot be read; it is said why", () => {
    const { problems, steps } = readText("steps: [", "mine.yaml");
    expect(steps).toEqual([]);
    expect(problems[0]?.message).toContain("expected YAML");
    expect(() => changed({ kind: "remove", at: 0 }, "steps: [")).toThrow("expected YAML");
    expect(() => changed({ kind: "remove", at: 9 })).toThrow("there is no step at position 9");
  });

  test("are the same as the file's whatever is done to the list", () => {
    const edit = fc.record({
      kind: fc.constantFrom(
        ...(["move", "remove", "duplicate", "disable", "enable", "insert", "replace"] as const),
      ),
      at: fc.nat(5),
      to: fc.nat(5),
      json: fc.constantFrom(
        '{"run":1}',
        '{"run":2,"note":"a\\n# b\\n#~ - run: 3\\n- c"}',
        '{"double_sign":{"node":"val-1"},"note":"a\\nb: #~ c"}',
      ),
    });
    fc.assert(
      fc.property(
        fc.array(edit, { maxLength: 12 }),
        fc.constantFrom(FILE, TRAPS),
        (edits, file) => {
          let text: string = file;
          for (const one of edits) {
            const before = readText(text, "mine.yaml").steps.map(({ json, index }) => ({
              json,
              off: index < 0,
            }));
            if (one.at >= before.length) continue;
            text = changed(one as Edit, text);
            const found = readText(text, "mine.yaml");
            expect(found.problems).toEqual([]);
            expect(found.steps.map(({ json, index }) => ({ json, off: index < 0 }))).toEqual(
              model(before, one as Edit),
            );
          }
          const kept =
            file === FILE
              ? "name: mine # its name\n"
              : "# Of the binaries.\nbinaries:\n  v2: {}\n...\n";
          expect(text).toContain(kept);
        },
      ),
      { numRuns: propertyRuns(200) },
    );
  });
});

interface Listed {
  readonly json: string;
  readonly off: boolean;
}

function model(list: readonly Listed[], edit: Edit): Listed[] {
  const next = [...list];
  const own = next[edit.at] as Listed;
  const { as: _, ...unnamed } = JSON.parse(own.json);
  switch (edit.kind) {
    case "move":
      next.splice(edit.at, 1);
      next.splice(Math.min(edit.to, next.length), 0, own);
      break;
    case "remove":
      next.splice(edit.at, 1);
      break;
    case "duplicate":
      next.splice(edit.at + 1, 0, { ...own, json: JSON.stringify(unnamed) });
      break;
    case "disable":
      next[edit.at] = { ...own, off: true };
      break;
    case "enable":
      next[edit.at] = { ...own, off: false };
      break;
    case "insert":
      next.splice(edit.at, 0, { json: edit.json, off: false });
      break;
    case "replace":
      next[edit.at] = { ...own, json: edit.json };
      break;
  }
  return next;
}

test("references are told by what they mean in the title of a step", () => {
  const steps = [
    "{ propose: { from: val-0, title: Remark, messages: [], metadata: a }, as: p }",
    "{ vote: { proposal: $p, option: yes } }",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: references of scenarios
    "{ expect: { get: '/chain/gov/v1/proposals/${p}/votes/${val-1.valoper}', json: {} } }",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: references of scenarios
    "{ expect: { get: '/x/${constructor}/${val-2.vote@6}/${time@5}/${gov}/${$}{a}', json: {} } }",
  ];
  const text = `scenario: 1\nname: mine\nsteps:\n${steps.map((step) => `  - ${step}\n`).join("")}`;
  expect(titles(text)).toEqual([
    "propose val-0: Remark",
    "vote all: yes to ‹p›",
    "expect /chain/gov/v1/proposals/‹p›/votes/‹val-1’s operator address›",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what is no reference
    "expect /x/‹constructor›/‹val-2’s vote at 6›/‹time of block 5›/‹governance’s account›/${a}",
  ]);
});

test("what references can name is known of a text without problems", () => {
  const text =
    "scenario: 1\nname: mine\ngenesis: { validators: 2, accounts: { ann: 5stake } }\nbinaries: { v9: { handlers: [v9] } }\nsteps: [{ double_sign: { node: val-1 }, as: twice }]\n";
  expect(readText(text, "mine.yaml").names).toMatchObject({
    nodes: ["val-0", "val-1"],
    results: ["twice"],
  });
  expect(readText(text, "mine.yaml").names?.binaries).toContain("v9");
  expect(readText(text, "mine.yaml").names?.plans).toContain("v9");
  expect(readText(text, "mine.yaml").names?.accounts).toContain("ann");
  expect(readText(`${text}x: 1\n`, "mine.yaml").names).toBeUndefined();
});

test("a title that is cut leaves no half of a pair", () => {
  const title = `${"x".repeat(81)}😀😀😀😀`;
  const text = `scenario: 1\nname: mine\nsteps:\n  - pass: { title: ${title}, messages: [] }\n`;
  for (const more of ["", "a"]) {
    const [shown = ""] = titles(text.replace("xx", `xx${more}`));
    expect(shown.isWellFormed()).toBe(true);
  }
});
