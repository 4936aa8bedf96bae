// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references look like template strings
/**
 * Mutated bundled scenarios: each is parsed or refused with a readable message, and a parsed one
 * can start.
 */
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { genesisToJson } from "../view/genesis.ts";
import { createContext } from "./create-context.ts";
import { parseScenario } from "./parse.ts";
import { runStep } from "./runner.ts";
import { readSource } from "./source.ts";
import { take } from "./testing.ts";

const FOLDER = new URL("../../public/scenarios/", import.meta.url);
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith(".yaml"));
const textOf = (file: string): string => readFileSync(new URL(file, FOLDER), "utf8");

/** Text that no message may contain: terms of the language, of its libraries, and of bugs. */
const NO_WORDS =
  /cannot read prop|is not a function|is not iterable|(?<!codespace )undefined|\[object|bug of Chainlab|maximum call|Invalid array|resource exhaustion|stringKeys|Unresolved/i;

function check(text: string): void {
  const read = parseScenario(text, "file.yaml");
  if ("scenario" in read) {
    let context: ReturnType<typeof createContext>;
    try {
      context = createContext(read.scenario);
    } catch (error) {
      expect(String((error as Error).message)).not.toMatch(NO_WORDS);
      return;
    }
    // A few rounds of the first steps.
    for (const [index, step] of read.scenario.steps.slice(0, 3).entries()) {
      const running = runStep(context, step, index);
      for (let rounds = 0; rounds < 12; rounds++) {
        const { done, value } = running.next();
        if (!done) continue;
        expect(value.message.replaceAll(/"[^"]*"/g, "")).not.toMatch(NO_WORDS);
        break;
      }
    }
    return;
  }
  expect(read.problems.length).toBeGreaterThan(0);
  expect(read.problems.length).toBeLessThanOrEqual(51);
  for (const { line, message } of read.problems) {
    expect(line).toBeGreaterThan(0);
    expect(line).toBeLessThanOrEqual(text.split("\n").length);
    expect(message).not.toBe("");
    expect(message.length).toBeLessThanOrEqual(2_000);
    // Quoted words come from the file itself.
    expect(message.replaceAll(/"(?:[^"\\]|\\.)*"?/g, "")).not.toMatch(NO_WORDS);
  }
}

const file = fc.constantFrom(...FILES).map(textOf);
const junk = fc.constantFrom(
  ..."{ } [ ] , : - ? & * ! | > ' \" % @ # \n \t ${ } $x &a *a __proto__ constructor toString null ~ -1 0 1e999 .inf .nan 0x10 true <<: \\ \u202e \ud83d \u0000 \ufeff é 漢".split(
    " ",
  ),
  "\n",
  "  ",
  "99999999999999999999999999",
  "9999-12-31T23:59:59Z",
);

test("a bundled scenario with characters put in, taken out and doubled", () => {
  const edit = fc.record({ at: fc.nat(20_000), take: fc.nat(12), put: junk });
  fc.assert(
    fc.property(file, fc.array(edit, { minLength: 1, maxLength: 4 }), (text, edits) => {
      let changed = text;
      for (const { at, take, put } of edits) {
        const place = at % (changed.length + 1);
        changed = changed.slice(0, place) + put + changed.slice(place + take);
      }
      check(changed);
    }),
  );
});

type Tree = null | boolean | number | string | Tree[] | { [key: string]: Tree };

/** A value of any kind, mostly unexpected by the schema. */
const odd: fc.Arbitrary<Tree> = fc.oneof(
  fc.constantFrom<Tree>(
    null,
    true,
    -1,
    0,
    1.5,
    1e308,
    2 ** 53,
    "",
    "all",
    "$x",
    "${x",
    "${constructor}",
    "${val-0.toString}",
    "__proto__",
    "-1",
    "1e9",
    "10stake",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    [],
    {},
    [[]],
    "5s",
    "-5s",
    "876000h",
    "\u202e",
    "gov",
    "heal",
    "val-0",
    "chain1",
  ),
  fc.jsonValue({ maxDepth: 2 }).map((value) => value as Tree),
);

/** The same tree with an unexpected value at a chosen place. */
function planted(tree: Tree, choice: { left: number }, value: Tree, key: string | undefined): Tree {
  if (choice.left-- === 0) return value;
  if (Array.isArray(tree)) return tree.map((item) => planted(item, choice, value, key));
  if (typeof tree !== "object" || tree === null) return tree;
  const entries = Object.entries(tree).map(([name, item]): [string, Tree] => {
    const renamed = key !== undefined && choice.left-- === 0;
    return [renamed ? key : name, planted(item, choice, value, key)];
  });
  return Object.fromEntries(entries);
}

const treeOf = (text: string, name: string): Tree => {
  const read = readSource(text, name);
  if ("problems" in read) throw new Error(`${name} is not sound`);
  return read.source.value as Tree;
};

test("a bundled scenario with a value or a name of another kind somewhere", () => {
  const tree = fc.constantFrom(...FILES.map((name) => treeOf(textOf(name), name)));
  const key = fc.option(
    fc.constantFrom("__proto__", "constructor", "toString", "", "a b", "run", "as", "is"),
    { nil: undefined },
  );
  fc.assert(
    fc.property(tree, fc.nat(150), odd, key, (whole, left, value, name) => {
      check(JSON.stringify(planted(whole, { left }, value, name)));
    }),
  );
});

/** The genesis file of a chain with a plan, evidence, a proposal and a jailed validator. */
function exported(): Tree {
  const text = textOf("upgrade-cancelled.yaml");
  const read = parseScenario(text, "file.yaml");
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const context = createContext(read.scenario);
  const steps = [
    { propose: { from: "val-0", title: "words", messages: [], metadata: "more" } },
    { double_sign: { node: "val-3" } },
    { run: 6 },
    { upgrade: { name: "later", at: 900 } },
  ];
  for (const step of steps) {
    const result = take(context, step);
    if (!result.ok) throw new Error(result.message);
  }
  return JSON.parse(JSON.stringify(genesisToJson(context.sim.exportGenesis()))) as Tree;
}

test("an exported genesis with a value or a name of another kind somewhere", () => {
  const genesis = exported();
  let size = 0;
  const count = (tree: Tree): void => {
    size += 1;
    if (typeof tree === "object" && tree !== null)
      for (const item of Object.values(tree)) count(item);
  };
  count(genesis);
  const key = fc.option(fc.constantFrom("__proto__", "constructor", "toString", ""), {
    nil: undefined,
  });
  fc.assert(
    fc.property(fc.nat(size), odd, key, (left, value, name) => {
      check(JSON.stringify(planted(genesis, { left }, value, name)));
    }),
  );
});
