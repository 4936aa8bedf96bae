import { describe, expect, test } from "vitest";
import { type Beat, beatsOf } from "./beats.ts";
import { parseScenario } from "./parse.ts";

function beats(...steps: string[]): readonly Beat[] {
  const head = ["scenario: 1", "name: told", "genesis: { validators: 4 }", "steps:"];
  const read = parseScenario([...head, ...steps.map((step) => `  - ${step}`)].join("\n"), "x.yaml");
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  return beatsOf(read.scenario.steps);
}

const RUNNING = "expect: { chain: running }";
const run = (note = "", show = ""): string =>
  ["run: 1", ...(note && [`note: ${note}`]), ...(show && [`show: ${show}`])].join("\n    ");
const parts = (all: readonly Beat[]) =>
  all.map(({ sentence, first, end }) => [sentence, first, end]);

describe("the beats of a story", () => {
  test("begin with a sentence, which keeps the checks after it", () => {
    expect(parts(beats(run("one"), RUNNING, RUNNING, run("two")))).toEqual([
      ["one", 0, 3],
      ["two", 3, 4],
    ]);
  });

  test("lead up to a sentence with what is done without one, and what is checked on the way", () => {
    expect(parts(beats(run("one"), RUNNING, run(), RUNNING, run(), run("two")))).toEqual([
      ["one", 0, 2],
      ["two", 2, 6],
    ]);
    expect(parts(beats(RUNNING, run(), run("one")))).toEqual([["one", 0, 3]]);
  });

  test("end with the last sentence, whatever is done after it", () => {
    expect(parts(beats(run("one"), run(), RUNNING, run()))).toEqual([["one", 0, 4]]);
  });

  test("are one for each thing done where nothing has a sentence", () => {
    expect(parts(beats(run(), RUNNING, run(), run(), RUNNING))).toEqual([
      ["", 0, 2],
      ["", 2, 3],
      ["", 3, 5],
    ]);
    expect(parts(beats(RUNNING))).toEqual([["", 0, 1]]);
    expect(beatsOf([])).toEqual([]);
  });

  test("show what an earlier one has shown, but for the frame and the drawer", () => {
    const all = beats(
      run("one"),
      run("two", "{ view: evidence, select: val-2, highlight: evidence }"),
      run("three", "{ drawer: why }"),
      run("four", "{ view: upgrades }"),
    );
    expect(all.map(({ show }) => show)).toEqual([
      { view: "network" },
      { view: "evidence", select: "val-2", highlight: "evidence" },
      { view: "evidence", select: "val-2", drawer: "why" },
      { view: "upgrades", select: "val-2" },
    ]);
  });

  test("show the chain itself, with nothing selected any more", () => {
    const all = beats(run("one", "{ select: val-1 }"), run("two", "{ select: { chain: true } }"));
    expect(all[1]?.show).toEqual({ view: "network", select: { chain: true } });
  });

  test("show nothing of their own in a story that does not say what it shows", () => {
    expect(beats(run("one"), run("two")).map(({ show }) => show)).toEqual([{}, {}]);
  });
});

describe("what a step shows", () => {
  const problems = (show: string, before: readonly string[] = []) => {
    try {
      beats(...before, run("one", show));
      return [];
    } catch (error) {
      return (JSON.parse((error as Error).message) as { path: string; message: string }[]).map(
        ({ path, message }) => `${path}: ${message}`,
      );
    }
  };

  test.each([
    [
      "{ view: moon }",
      'steps[0].show.view: expected one of network, evidence, upgrades, governance, charts, found "moon"',
    ],
    [
      "{ select: val-9 }",
      'steps[0].show.select: there is no account "val-9": expected val-0, val-1, val-2, val-3',
    ],
    [
      "{ select: 7 }",
      "steps[0].show.select: expected a validator or node, or a map with one of block, proposal, evidence, chain, found 7",
    ],
    [
      "{ select: { block: 0 } }",
      "steps[0].show.select.block: expected a whole number from 1 to 1000000000, found 0",
    ],
    ["{ select: { chain: false } }", "steps[0].show.select.chain: expected true, found false"],
    [
      "{ select: { proposal: $p } }",
      'steps[0].show.select.proposal: there is nothing called "p" at this step: expected height, time, gov, val-0, val-1, val-2, val-3',
    ],
    [
      "{ drawer: attic }",
      'steps[0].show.drawer: expected one of why, events, logs, node_log, found "attic"',
    ],
    [
      "{ highlight: it }",
      'steps[0].show.highlight: expected one of timeline, ring, validators, round, evidence, waterfall, plan, binaries, modules, proposals, sidecars, drawer, found "it"',
    ],
    [
      "{ look: here }",
      'steps[0].show.look: unknown key "look", expected a map with view, select, drawer, highlight',
    ],
    [
      "evidence",
      'steps[0].show: expected a map with view, select, drawer, highlight, found "evidence"',
    ],
  ])("is refused with its place: %s", (show, problem) => {
    expect(problems(show)).toEqual([problem]);
  });

  test.each([
    "{ select: val-2-twin }",
    "{ select: { block: 4 } }",
    "{ view: charts, highlight: ring }",
    "{}",
  ])("may be %s", (show) => {
    expect(problems(show)).toEqual([]);
  });

  test("may be the result of an earlier step, or of the step itself", () => {
    const propose = (show = "") =>
      `propose: { from: val-0, title: t, messages: [], deposit: 10000000stake }\n    as: p${show && `\n    show: ${show}`}`;
    expect(problems("{ select: { proposal: $p } }", [propose()])).toEqual([]);
    expect(beats(propose("{ select: { proposal: $p } }"))[0]?.show.select).toEqual({
      proposal: "$p",
    });
  });
});
