import { describe, expect, test } from "vitest";
import { STANDING, STOPPED } from "../../scenario/search/families.testing.ts";
import { JOBS } from "../../scenario/search/jobs.ts";
import { turnsUntil } from "../testing.ts";
import { checkExpressions } from "./expression-check.ts";
import { checkFamily } from "./family-check.ts";
import type { SearchWorkers } from "./search-workers.ts";
import { Searching } from "./searching.ts";

/** Timeout for a search without progress, in ms. */
const TIMEOUT_MS = 30_000;

const FAMILY = `scenario: 1
name: stopped
genesis: { validators: 4 }
vary:
  - { at: "steps[1].nodes.which", subset: [val-0, val-1, val-2], least: 1, most: 2 }
  - { at: "steps[2].run", range: [1, 9] }
steps:
  - run: 3
  - nodes: { which: [val-0], stop: true }
  - run: 2
  - expect: { chain: running }
`;
const family = { text: FAMILY, file: "stopped.yaml" };
const HOLDS = FAMILY.replace("most: 2", "most: 1");

/** Runs each job in this thread, after the other tasks of the event loop. */
function workersHere(change: Partial<SearchWorkers> = {}): SearchWorkers {
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    size: 2,
    async run(batch) {
      await turn();
      return JOBS.run(batch);
    },
    async shrink(request) {
      await turn();
      return JOBS.shrink(request);
    },
    async do(does, request) {
      await turn();
      return JOBS[does](request as never) as never;
    },
    close: async () => {},
    ...change,
  };
}

function lab(workers: () => SearchWorkers = workersHere) {
  let now = 0;
  const clock = (): number => {
    now += 1;
    return now;
  };
  const searching = new Searching({ workers, clock });
  const ended = async () => {
    let { revision, done } = searching.get({ revision: 0 });
    for (let since = performance.now(); ; ) {
      const search = searching.get({ revision: 0 });
      if (search.state !== "running" && search.state !== "shrinking") return search;
      const now = performance.now();
      if (search.revision !== revision || search.done !== done) since = now;
      ({ revision, done } = search);
      if (now - since > TIMEOUT_MS)
        throw new Error(`it does not end: ${search.state}, ${done} done`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { searching, ended };
}

const bounds = { seed: 1, runs: 0, seconds: 60, all: false };

describe("a search", () => {
  test("ends with the shortest story that breaks a property", async () => {
    const { searching, ended } = lab();
    expect(await searching.start({ family, ...bounds })).toEqual({ problems: [] });
    const search = await ended();
    expect(search).toMatchObject({ state: "found", name: "stopped", seed: 1, violated: 1 });
    const [finding] = search.findings;
    expect(finding?.stepsBefore).toBe(4);
    expect(finding?.steps.length).toBeLessThan(4);
    expect(finding?.scenario).toContain("name:");
    // Once a search is over and its result known, only its end state is returned.
    const again = searching.get({ revision: search.revision });
    expect(again).toMatchObject({ state: "found", revision: search.revision, findings: [] });
    expect(again.family).toBeUndefined();
  });

  test("in which everything holds ends once all its cases have run", async () => {
    const { searching, ended } = lab();
    await searching.start({ family: { text: HOLDS, file: "a.yaml" }, ...bounds, runs: 12 });
    expect(await ended()).toMatchObject({ state: "held", done: 12, of: 12, findings: [] });
  });

  test("that is guided says how far it has learned, and what is not guided says nothing of it", async () => {
    const { searching, ended } = lab();
    // More cases than are counted: with all of them known, nothing is left to learn.
    const many = STOPPED.text
      .replace(/^never:.*\n^sometimes:.*\n/m, "always: [{ app_hash: agreed }]\n")
      .replace("vary:", "vary:\n  - { at: seed, range: [1, 2000000] }");
    const holds = { text: many, file: "a.yaml" };
    await searching.start({ family: holds, ...bounds, runs: 110, guided: true });
    const { guide, done } = await ended();
    expect(done).toBe(110);
    expect(guide).toMatchObject({ generations: 1, quiet: 0 });
    expect(guide?.features).toBeGreaterThan(1);
    expect(guide?.corpus).toBeGreaterThan(0);
    await searching.start({ family: holds, ...bounds, runs: 3 });
    expect((await ended()).guide).toBeUndefined();
  });

  test("says what could be asked in no case, and of the first case that could not go on why", async () => {
    const { searching, ended } = lab();
    const { text, file } = STANDING(
      "never: [{ name: late, from: 5000, chain: halted }, { app_hash: diverged }]",
    );
    await searching.start({ family: { text, file }, ...bounds, runs: 30 });
    const search = await ended();
    expect(search).toMatchObject({ state: "held", unasked: ["late"] });
    expect(search.unfinished).toBeGreaterThan(1);
    expect(search.firstUnfinished).toMatchObject({ step: 1 });
    expect(search.firstUnfinished?.message).toContain("the chain is halted at block 1");
  });

  test("that is stopped begins no other case", async () => {
    const { searching, ended } = lab();
    await searching.start({ family: { text: HOLDS, file: "a.yaml" }, ...bounds, seconds: 0 });
    await searching.stop();
    expect(await ended()).toMatchObject({ state: "stopped", findings: [] });
  });

  test("of a file that is not sound does not begin", async () => {
    const { searching } = lab();
    const text = FAMILY.replace("[1, 9]", "[9, 1]");
    const { problems } = await searching.start({ family: { text, file: "a.yaml" }, ...bounds });
    expect(problems[0]).toMatchObject({ line: 6, path: "vary[1].range" });
    expect(searching.get({ revision: 0 })).toMatchObject({ state: "", revision: 0 });
  });

  test.each([-1, Number.NaN, 1e9])("for %s seconds is refused", async (seconds) => {
    const begun = lab().searching.start({ family, ...bounds, seconds });
    await expect(begun).rejects.toThrow(`from 0 to 86400, found ${seconds}`);
  });

  test("ends with the words of a worker that fails", async () => {
    const run = () => Promise.reject(new Error("out of memory"));
    const { searching, ended } = lab(() => workersHere({ run }));
    await searching.start({ family, ...bounds });
    expect(await ended()).toMatchObject({ state: "failed", problem: "out of memory" });
  });

  test("that begins ends the one before", async () => {
    let closed = 0;
    const close = async () => {
      closed += 1;
    };
    const { searching, ended } = lab(() => workersHere({ close }));
    await searching.start({ family: { text: HOLDS, file: "a.yaml" }, ...bounds, seconds: 0 });
    await searching.start({ family, ...bounds });
    expect(closed).toBe(1);
    expect(await ended()).toMatchObject({ state: "found" });
  });

  test("of two that begin at once one alone goes on", async () => {
    const begun: SearchWorkers[] = [];
    const closed = new Set<SearchWorkers>();
    const { searching, ended } = lab(() => {
      const workers = workersHere({
        close: async () => {
          closed.add(workers);
        },
      });
      begun.push(workers);
      return workers;
    });
    const endless = { family: { text: HOLDS, file: "a.yaml" }, ...bounds, seconds: 0 };
    await searching.start(endless);
    await Promise.all([searching.start(endless), searching.start(endless)]);
    expect([begun.length, closed.size]).toEqual([3, 2]);
    await searching.stop();
    expect(await ended()).toMatchObject({ state: "stopped" });
  });

  test("that was never begun is none", () => {
    expect(lab().searching.get({ revision: 0 })).toMatchObject({ state: "", revision: 0 });
  });
});

describe("the point of no return", () => {
  test("is the same whatever the number of workers", async () => {
    const { searching, ended } = lab();
    await searching.start({ family, ...bounds });
    const [{ seed, number } = { seed: 0, number: 0 }] = (await ended()).findings;
    const requested = { family, seed, number, futures: 6 };
    const found = await searching.noReturn(requested);
    expect(found.points.every(({ futures }) => futures === 6)).toBe(true);
    expect(found.points.at(found.unavoidable)?.command).toBe("makes 3 blocks");
    const alone = lab(() => workersHere({ size: 1 }));
    expect(await alone.searching.noReturn(requested)).toEqual(found);
  });

  test("of a case that holds is none", async () => {
    const requested = { family: { text: HOLDS, file: "a.yaml" }, seed: 1, number: 3, futures: 2 };
    await expect(lab().searching.noReturn(requested)).rejects.toThrow("holds in case 3 of seed 1");
  });

  test.each([0, 1001])("of %s futures is refused", async (futures) => {
    const requested = { family, seed: 1, number: 0, futures };
    await expect(lab().searching.noReturn(requested)).rejects.toThrow("from 1 to 1000");
  });
});

describe("coverage", () => {
  test("says which files reach an outcome, and what would reach the others", async () => {
    const { searching } = lab();
    const text =
      "scenario: 1\nname: a\ngenesis: { validators: 4 }\nsteps:\n  - run: 3\n  - double_sign: { node: val-3 }\n  - run: 4\n";
    const { outcomes, problems } = await searching.coverage({ files: [{ text, file: "a.yaml" }] });
    expect(problems).toEqual([]);
    const reached = outcomes.filter(({ files }) => files > 0);
    expect(reached.some(({ group }) => group === "evidence")).toBe(true);
    for (const { reachedIn } of reached) expect(reachedIn).toEqual(["a.yaml"]);
    expect(outcomes.length).toBeGreaterThan(reached.length);
    for (const { by } of outcomes) expect(by).not.toBe("");
  });

  test("goes on beside a file that cannot be run, and says why", async () => {
    const { searching } = lab();
    const { problems } = await searching.coverage({
      files: [{ text: "scenario: 1\n", file: "bad.yaml" }, family],
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^bad\.yaml, line \d+: missing key "name"/);
  });

  test("of more files than can be run at once is refused", async () => {
    const files = Array.from({ length: 201 }, () => family);
    await expect(lab().searching.coverage({ files })).rejects.toThrow("at most 200, found 201");
  });
});

describe("what is asked beside a search", () => {
  const requested = [
    [
      "the point of no return",
      (lab: Searching) => lab.noReturn({ family, seed: 1, number: 0, futures: 2 }),
    ],
    ["coverage", (lab: Searching) => lab.coverage({ files: [family] })],
    [
      "what expressions are worth",
      (lab: Searching) => lab.series({ file: family, expressions: ["chain"] }),
    ],
  ] as const;

  /** Workers that run until they are closed. */
  function endless(): SearchWorkers {
    const refusals: ((error: Error) => void)[] = [];
    return workersHere({
      do: () => new Promise((_, reject) => refusals.push(reject)),
      async close() {
        for (const refuse of refusals) refuse(new Error("closed"));
      },
    });
  }

  test.each(requested)("is given up when the lab is closed: %s", async (_, ask) => {
    const { searching } = lab(endless);
    const input = expect(ask(searching)).rejects.toThrow("it was stopped before its end");
    await searching.close();
    await input;
  });

  test("is given up under its name, and nothing else is", async () => {
    const { searching } = lab(endless);
    const ask = (question: string) =>
      searching.series({ file: family, expressions: ["chain"], question });
    const input = expect(ask("mine")).rejects.toThrow("it was stopped before its end");
    const others = [ask("theirs"), ask("")].map((other) =>
      other.then(
        () => "answered",
        () => "given up",
      ),
    );
    await searching.stopQuestion({ question: "mine" });
    await input;
    await searching.stopQuestion({ question: "" });
    const first = await Promise.race([...others, new Promise((go) => setImmediate(go, "open"))]);
    expect(first).toBe("open");
    await searching.close();
    expect(await Promise.all(others)).toEqual(["given up", "given up"]);
  });

  /** Workers that start one job at a time, each on request. */
  function inSteps() {
    const waiting: (() => void)[] = [];
    const workers = workersHere({
      size: 1,
      do: async (does, request) => {
        await new Promise<void>((go) => waiting.push(go));
        return JOBS[does](request as never) as never;
      },
    });
    const step = async (): Promise<void> => {
      await turnsUntil(() => waiting.length > 0, "a job waits");
      waiting.shift()?.();
      await new Promise((go) => setImmediate(go));
    };
    return { workers, step };
  }

  test("says how much of it is done, and what is done is the answer when it is stopped", async () => {
    const { workers, step } = inSteps();
    const { searching } = lab(() => workers);
    const question = "mine";
    expect(searching.question({ question })).toEqual({ done: 0, of: 0 });
    const text = STORY.replace("run: 3", "double_sign: { node: val-3 }");
    const files = ["a", "b", "c"].map((file) => ({ text, file }));
    const requested = searching.coverage({ files, question });
    await step();
    expect(searching.question({ question })).toEqual({ done: 1, of: 3 });
    await searching.stopQuestion({ question });
    await step();
    const { files: ran, outcomes } = await requested;
    expect(ran).toBe(2);
    expect(Math.max(...outcomes.map((one) => one.files))).toBe(2);
    expect(searching.question({ question })).toEqual({ done: 0, of: 0 });
  });

  test("keeps of futures those that have run, the same at each point", async () => {
    const { workers, step } = inSteps();
    const whole = lab();
    await whole.searching.start({ family, ...bounds });
    const [{ seed, number } = { seed: 0, number: 0 }] = (await whole.ended()).findings;
    const { searching } = lab(() => workers);
    const requested = { family, seed, number, question: "mine" };
    const part = searching.noReturn({ ...requested, futures: 24 });
    await step();
    await step();
    expect(searching.question({ question: "mine" })).toEqual({ done: 4, of: 24 });
    await searching.stopQuestion({ question: "mine" });
    await step();
    const found = await part;
    expect(found.stopped).toBe(true);
    // As if no more had been requested.
    expect({ ...found, stopped: false }).toEqual(
      await whole.searching.noReturn({ ...requested, futures: 6 }),
    );
  });

  test("is given up where it is stopped once more", async () => {
    const { searching } = lab(endless);
    const question = "mine";
    const requested = expect(searching.coverage({ files: [family], question })).rejects.toThrow(
      "it was stopped before its end",
    );
    await searching.stopQuestion({ question });
    await searching.stopQuestion({ question });
    await requested;
  });

  test("has no more workers than are of use", async () => {
    const begun: (number | undefined)[] = [];
    const searching = new Searching({
      clock: () => 0,
      workers: (most) => {
        begun.push(most);
        return workersHere();
      },
    });
    await searching.series({ file: family, expressions: ["chain"] });
    await searching.coverage({ files: [family, family] });
    expect(begun).toEqual([1, 2]);
  });
});

const STORY = `scenario: 1
name: story
genesis: { validators: 4 }
steps:
  - run: 3
  - nodes: { which: [val-0, val-1], stop: true }
  - run: { rounds: 2 }
  - nodes: { which: [val-0, val-1], start: true }
  - run: { to: 6 }
`;
const story = { text: STORY, file: "story.yaml" };

describe("what expressions are worth", () => {
  test("is said where it becomes another, at the heights that are asked for", async () => {
    const { searching } = lab();
    const expressions = ["chain", "{ events: { type: slash } }", "{ tokens: val-0 }"];
    const whole = await searching.series({ file: story, expressions });
    expect(whole).toMatchObject({ problems: [], wrong: [], beginning: 0, height: 6, failure: "" });
    expect(whole.heights).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const [chain, slashes, tokens] = whole.series;
    expect(chain?.steps).toEqual([
      { height: 0, value: "running" },
      { height: 3, value: "running, halted" },
      { height: 4, value: "running" },
    ]);
    expect(chain?.numbers).toBe(false);
    expect(slashes).toMatchObject({ steps: [{ height: 0, value: "0" }], numbers: true });
    expect(tokens?.steps).toHaveLength(1);
    const part = await searching.series({ file: story, expressions, from: 2, to: 5, every: 2 });
    expect(part.heights).toEqual([2, 4]);
  });

  test("of an account that is no validator is nothing, and why is said", async () => {
    const text = STORY.replace(
      "{ validators: 4 }",
      "{ validators: 4, accounts: { alice: 1stake } }",
    );
    const { series, problems } = await lab().searching.series({
      file: { text, file: "a.yaml" },
      expressions: ["{ tokens: alice }"],
    });
    expect(problems).toEqual([]);
    expect(series[0]).toMatchObject({ steps: [{ height: 0 }], missing: "alice is no validator" });
    expect(series[0]?.steps[0]).not.toHaveProperty("value");
  });

  test("of a step that fails ends there, and says so", async () => {
    const text = `${STORY}  - expect: { chain: halted }\n`;
    const { height, failure } = await lab().searching.series({
      file: { text, file: "a.yaml" },
      expressions: ["chain"],
    });
    expect(height).toBe(6);
    expect(failure).toContain("steps[5]: ");
  });

  test("is not read where the file or an expression is wrong", async () => {
    const { searching } = lab(() => {
      throw new Error("no worker was to begin");
    });
    const expressions = ["chain", "{ tokens: val-9 }", "{ nodes: val-0 }"];
    const { wrong, series } = await searching.series({ file: story, expressions });
    expect(series).toEqual([]);
    expect(wrong.map(({ expression }) => expression)).toEqual([1, 2]);
    expect(wrong[0]?.problem?.message).toContain('there is no account "val-9"');
    const bad = { text: STORY.replace("rounds: 2", "rounds: 0"), file: "a.yaml" };
    const { problems } = await searching.series({ file: bad, expressions });
    expect(problems[0]).toMatchObject({ line: 7 });
  });

  test.each([
    [{ expressions: [] }, "expected at least 1, found 0"],
    [{ expressions: Array.from({ length: 17 }, () => "chain") }, "expected at most 16, found 17"],
    [{ expressions: ["x".repeat(2_001)] }, "expected at most 2000 characters"],
    [{ expressions: ["chain"], from: 5, to: 4 }, "expected a height not below 5, found 4"],
  ])("is refused of %j", async (requested, problem) => {
    await expect(lab().searching.series({ file: story, ...requested })).rejects.toThrow(problem);
  });

  test("is refused at more heights than a page can draw", async () => {
    const text = STORY.replace("to: 6", "to: 5006");
    const requested = { file: { text, file: "a.yaml" }, expressions: ["chain"] };
    const { searching } = lab();
    await expect(searching.series(requested)).rejects.toThrow("at most 5000 heights, found more");
    expect((await searching.series({ ...requested, every: 2 })).heights).toHaveLength(2_504);
  });
});

describe("expressions that are offered", () => {
  test("can all be followed in the file", () => {
    const { offered, wrong, problems } = checkExpressions({ file: story, expressions: [] });
    expect([problems, wrong]).toEqual([[], []]);
    expect(offered.map(({ kind }) => kind).slice(0, 9)).toEqual([
      "chain",
      ...Array.from({ length: 4 }, () => "tokens"),
      ...Array.from({ length: 4 }, () => "node"),
    ]);
    const expressions = offered.map(({ expression }) => expression);
    for (let first = 0; first < expressions.length; first += 16) {
      const some = expressions.slice(first, first + 16);
      expect(checkExpressions({ file: story, expressions: some }).wrong).toEqual([]);
    }
  });

  test("name validators whose names are no plain text of YAML", () => {
    const text = `scenario: 1\nname: a\ngenesis: { validators: [{ name: "true", stake: 9000000 }, { name: a-b, stake: 9000000 }] }\nsteps: [{ run: 1 }]\n`;
    const file = { text, file: "a.yaml" };
    const { offered, problems } = checkExpressions({ file });
    expect(problems).toEqual([]);
    const expressions = offered.slice(1, 5).map(({ expression }) => expression);
    expect(expressions.slice(0, 2)).toEqual(['{ tokens: "true" }', "{ tokens: a-b }"]);
    expect(checkExpressions({ file, expressions }).wrong).toEqual([]);
  });
});

describe("the check of a family", () => {
  test("says what must hold and what may differ", () => {
    const text = `${FAMILY}never:\n  - { name: halted, chain: halted }\ndisturb: { kinds: [crash], most: 2, from: 3 }\n`;
    expect(checkFamily({ text, file: "a.yaml" })).toMatchObject({
      problems: [],
      name: "stopped",
      steps: 4,
      properties: [{ name: "halted", kind: "never" }],
      variations: [
        { what: "steps[1].nodes.which", domain: "1 to 2 of val-0, val-1, val-2" },
        { what: "steps[2].run", domain: "1 to 9" },
        { what: "up to 2: crash", domain: "any node, from 3" },
      ],
    });
  });

  test("refuses what can happen only at heights that the file never comes to, as the search does", async () => {
    const text = `${FAMILY}disturb: { kinds: [crash], from: 900 }\n`;
    const family = { text, file: "a.yaml" };
    const { problems } = checkFamily(family);
    expect(problems).toMatchObject([{ path: "disturb", line: 12 }]);
    expect(problems[0]?.message).toMatch(/^nothing can happen from height 900 on: /);
    expect(await lab().searching.start({ family, seed: 1, runs: 5 })).toEqual({ problems });
  });

  test("says where a file is wrong", () => {
    const { problems, variations } = checkFamily({
      text: FAMILY.replace("[1, 9]", "[]"),
      file: "a",
    });
    expect(problems[0]?.line).toBe(6);
    expect(variations).toEqual([]);
  });
});
