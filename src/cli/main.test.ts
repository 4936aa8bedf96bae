import { describe, expect, test } from "vitest";
import type { CliContext, ScenarioJob, ScenarioOutline, ScenarioReport } from "./context.ts";
import { main } from "./main.ts";
import type { ScenarioProblem } from "./scenario-problem.ts";

/**
 * A lab whose scenarios have two steps; the text "bad" is invalid, with "fails" the second step
 * fails.
 */
function lab(files: Record<string, string>, columns?: number) {
  const written = { stdout: "", stderr: "" };
  const saved = new Map<string, string>();
  const jobs: ScenarioJob[] = [];
  let most = 0;
  let running = 0;
  const output = (name: "stdout" | "stderr") => ({
    write(text: string) {
      written[name] += text;
    },
    ...(columns === undefined ? {} : { columns }),
  });
  const context: CliContext = {
    stdout: output("stdout"),
    stderr: output("stderr"),
    readFile: async (path) => {
      const text = files[path];
      if (text === undefined) throw new Error("no such file");
      return text;
    },
    checkWritable: async (path) => {
      if (path.includes("/")) throw new Error("there is no such folder");
    },
    writeFile: async (path, text) => void saved.set(path, text),
    scenarios: async () => ({
      cores: 3,
      requestProblems: () => [],
      check: (text, file) => (text === "bad" ? [problem(file)] : OUTLINE),
      chainAfter: () => {
        throw new Error("no command here asks a chain");
      },
      exportGenesis(text, _file, height) {
        if (text === "fails") throw new Error("steps[1]: it failed");
        const genesis = JSON.stringify({ after: height ?? "the last" });
        return { genesis, problem: text === "odd" ? "genesis: it is odd" : undefined };
      },
      open: () => ({
        async run(job, onStep) {
          jobs.push(job);
          most = Math.max(most, ++running);
          await Promise.resolve();
          running -= 1;
          onStep();
          onStep();
          return report(job);
        },
        close: async () => {},
      }),
    }),
  };
  return { context, written, saved, jobs, most: () => most };
}

const problem = (file: string): ScenarioProblem => ({
  file,
  path: "steps[0].run",
  line: 4,
  message: "expected a number",
});

const OUTLINE: ScenarioOutline = {
  name: "story",
  title: "A story",
  seed: 7,
  steps: [{ verb: "run", note: "First\n  this" }, { verb: "expect" }],
  properties: [],
};

function report({ file, text, seed }: ScenarioJob): ScenarioReport {
  const ok = text !== "fails";
  const failed = {
    index: 1,
    verb: "expect",
    ok: false,
    height: 3,
    message: 'expected <1> & "2"',
    path: "expect.is",
  };
  return {
    file,
    name: "story",
    seed,
    ok,
    height: 3,
    time: "2026-01-01T00:00:10Z",
    app_hash: "AB".repeat(32),
    steps: [
      { index: 0, verb: "run", ok: true, height: 3, message: "" },
      ok ? { index: 1, verb: "expect", ok: true, height: 3, message: "" } : failed,
    ],
    ...{ violations: [], reached: [], unasked: [] },
    nodes: [{ name: "val-0", process: "running", binary: "v1", height: 3, reason: "" }],
  };
}

describe("chainlab run", () => {
  test("one line a step, and exit status 0 when all passed", async () => {
    const { context, written: text } = lab({ "a.yaml": "good" });
    expect(await main(["run", "a.yaml"], context)).toBe(0);
    expect(text.stdout.split("\n")).toEqual([
      "story, seed 7: A story",
      "  ✓  0 run     height 3  First this",
      "  ✓  1 expect  height 3",
      "  passed at height 3, app hash ABABABABABABABAB…",
      "",
      "1 passed, 0 failed",
      "",
    ]);
    expect(text.stderr).toBe("");
  });

  test("for a failure what was expected, what was found, the height; exit status 1", async () => {
    const { context, written: text } = lab({ "a.yaml": "good", "b.yaml": "fails" });
    expect(await main(["run", "a.yaml", "b.yaml"], context)).toBe(1);
    expect(text.stdout).toContain(
      [
        "  ✗  1 expect  height 3",
        '       expect.is: expected <1> & "2"',
        "       in b.yaml, steps[1], at height 3",
        "  failed at height 3, app hash ABABABABABABABAB…",
      ].join("\n"),
    );
    expect(text.stdout).toContain("1 passed, 1 failed\n");
  });

  test("a file that is not sound or cannot be read: its problems, nothing runs, exit status 2", async () => {
    const { context, written: text, jobs } = lab({ "a.yaml": "good", "b.yaml": "bad" });
    expect(await main(["run", "a.yaml", "b.yaml", "c.yaml"], context)).toBe(2);
    expect(text.stdout).toBe("");
    expect(text.stderr).toBe(
      "b.yaml:4: steps[0].run: expected a number\nc.yaml:1: cannot be read: no such file\n",
    );
    expect(jobs).toEqual([]);
  });

  test("--json prints one object and nothing else", async () => {
    const { context, written: text } = lab({ "a.yaml": "good", "b.yaml": "fails" });
    expect(await main(["run", "--json", "a.yaml", "b.yaml"], context)).toBe(1);
    expect(JSON.parse(text.stdout)).toEqual({
      scenarios: [
        report({ file: "a.yaml", text: "good", seed: 7, explain: false }),
        report({ file: "b.yaml", text: "fails", seed: 7, explain: false }),
      ],
      passed: 1,
      failed: 1,
    });
  });

  test("--json of files that are not sound tells their problems", async () => {
    const { context, written: text } = lab({ "b.yaml": "bad" });
    expect(await main(["run", "--json", "b.yaml"], context)).toBe(2);
    expect(JSON.parse(text.stdout)).toEqual({
      scenarios: [],
      passed: 0,
      failed: 0,
      problems: [problem("b.yaml")],
    });
  });

  test("--junit writes a case per step, with what XML cannot hold escaped", async () => {
    const { context, saved } = lab({ "b.yaml": "fails" });
    expect(await main(["run", "--junit", "out.xml", "b.yaml"], context)).toBe(1);
    expect(saved.get("out.xml")).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<testsuites>",
        '  <testsuite name="story, seed 7" file="b.yaml" tests="2" failures="1" skipped="0">',
        '    <testcase classname="story" name="0 run"/>',
        '    <testcase classname="story" name="1 expect"><failure message="expect.is: expected &lt;1&gt; &amp; &quot;2&quot;">at height 3</failure></testcase>',
        "  </testsuite>",
        "</testsuites>",
        "",
      ].join("\n"),
    );
  });

  test("--seeds runs every file with each seed, --shard only its part of all runs", async () => {
    const files = { "a.yaml": "good", "b.yaml": "good" };
    const all = lab(files);
    await main(["run", "--seeds", "1..3", "a.yaml", "b.yaml"], all.context);
    const runs = all.jobs.map(({ file, seed }) => `${file} ${seed}`);
    expect(runs).toEqual(["a.yaml 1", "a.yaml 2", "a.yaml 3", "b.yaml 1", "b.yaml 2", "b.yaml 3"]);

    const parts: string[] = [];
    for (const shard of ["1/4", "2/4", "3/4", "4/4"]) {
      const part = lab(files);
      const inputs = ["run", "--seeds", "1..3", "--shard", shard, "a.yaml", "b.yaml"];
      expect(await main(inputs, part.context)).toBe(0);
      parts.push(...part.jobs.map(({ file, seed }) => `${file} ${seed}`));
    }
    expect(parts.sort()).toEqual(runs);
  });

  test("--jobs runs several at once and still reports in order", async () => {
    const files = { "a.yaml": "good" };
    const one = lab(files);
    await main(["run", "--seeds", "1..9", "a.yaml"], one.context);
    expect(one.most()).toBe(1);
    const auto = lab(files);
    await main(["run", "--seeds", "1..9", "--jobs", "auto", "a.yaml"], auto.context);
    expect(auto.most()).toBe(3);
    expect(auto.written.stdout).toBe(one.written.stdout);
  });

  test("a progress bar, and lines truncated to its width, on a terminal only", async () => {
    const { context, written: text } = lab({ "a.yaml": "good" }, 24);
    await main(["run", "a.yaml"], context);
    expect(text.stderr).toContain("2/2 steps");
    expect(text.stdout).toContain("  ✓  0 run     height 3…\n");
  });

  test.each([
    [["run"], "FILE"],
    [["run", "--seeds", "9..1", "a.yaml"], 'expected seeds such as 7 or 1..50, found "9..1"'],
    [
      ["run", "--seeds", "1..99999999999", "a.yaml"],
      'expected at most 100000 seeds, each at most 4294967295, found "1..99999999999"',
    ],
    [["run", "--shard", "5/4", "a.yaml"], 'expected a shard such as 1/4, found "5/4"'],
    [
      ["run", "--jobs", "none", "a.yaml"],
      'expected auto or a number of jobs such as 2, found "none"',
    ],
    [["run", "--colour", "a.yaml"], "colour"],
    [["walk"], "walk"],
  ])("%j is refused with exit status 2", async (inputs, reason) => {
    const { context, written: text, jobs } = lab({ "a.yaml": "good" });
    expect(await main(inputs, context)).toBe(2);
    expect(text.stderr).toContain(reason);
    expect(jobs).toEqual([]);
  });

  test("help is no failure", async () => {
    const { context, written: text } = lab({});
    expect(await main(["run", "--help"], context)).toBe(0);
    expect(text.stdout).toContain("--junit");
  });
});

describe("helps", () => {
  const helpOf = async (...words: readonly string[]): Promise<string> => {
    const { context, written: text } = lab({});
    expect(await main([...words, "--help"], context)).toBe(0);
    return text.stdout;
  };

  /** The commands below some words, including those words. */
  const below = async (...words: readonly string[]): Promise<readonly (readonly string[])[]> => {
    const [, listed = ""] = (await helpOf(...words)).split("COMMANDS\n");
    return [...listed.matchAll(/^ {2}(\S+)/gm)].map(([, name = ""]) => [...words, name]);
  };

  test("every query, transaction and command of the lab has an example, and no flag is described by its own name", async () => {
    const above = [["query"], ["tx"], ["lab"], ["keys"]];
    const groups = (await Promise.all(above.map((words) => below(...words)))).flat();
    let commands = 0;
    for (const words of [["export"], ["query"], ["keys"], ...groups]) {
      const inner = await below(...words);
      for (const command of inner.length > 0 && words.length > 1 ? inner : [words]) {
        const help = await helpOf(...command);
        commands += 1;
        expect(help, command.join(" ")).toMatch(/Examples?: chainlab /);
        for (const [, name = "", brief = ""] of help.matchAll(
          /^ +(?:-\w )? *\[?--([\w-]+)\]? +(\S.*?)(?: +\[.*)?$/gm,
        ))
          expect(brief.toLowerCase(), `${command.join(" ")} --${name}`).not.toBe(
            name.replaceAll("-", " "),
          );
        expect(help, command.join(" ")).not.toMatch(/^ {2,}(\w+)(?:=\S+)? +\1$/m);
      }
    }
    expect(commands).toBeGreaterThan(100);
  });
});

describe("what a terminal shows", () => {
  const hostile = "a\u202eb\u001b[2J\u200bc\rd";
  const shown = "a⟨U+202E⟩b⟨U+001B⟩[2J⟨U+200B⟩c⟨U+000D⟩d";

  test("text that could hide, turn or steer something has marks in its place", async () => {
    const { context, written: text } = lab({ "a.yaml": "good" });
    const check = () => ({ ...OUTLINE, title: hostile });
    const scenarios = async () => ({ ...(await context.scenarios()), check });
    expect(await main(["run", "a.yaml"], { ...context, scenarios })).toBe(0);
    expect(text.stdout).toContain(`story, seed 7: ${shown}\n`);
  });

  test("JSON and JUnit have escapes or marks for it", async () => {
    const { context, written: text, saved } = lab({ "a.yaml": "good" });
    const scenarios = async () => ({
      ...(await context.scenarios()),
      open: () => ({
        run: async (job: ScenarioJob) => ({ ...report(job), name: hostile }),
        close: async () => {},
      }),
    });
    await main(["run", "a.yaml", "--json", "--junit", "out.xml"], { ...context, scenarios });
    expect(text.stdout).toContain('"name":"a\\u202eb\\u001b[2J\\u200bc\\rd"');
    expect(JSON.parse(text.stdout).scenarios[0].name).toBe(hostile);
    expect(saved.get("out.xml")).toContain(`name="${shown}, seed 7"`);
  });

  test("a bug is called one, without the language's own words, and says where", async () => {
    const { context, written: text } = lab({ "a.yaml": "good" });
    const check = () => Object(undefined).a.b;
    const scenarios = async () => ({ ...(await context.scenarios()), check });
    expect(await main(["run", "a.yaml"], { ...context, scenarios })).toBe(1);
    expect(text.stderr).toMatch(
      /this is a bug of Chainlab \(TypeError\); please report it.*\(.*:\d+:\d+\)/,
    );
    expect(text.stderr).not.toContain("undefined");
  });

  test("a file for JUnit that cannot be written is refused before anything runs", async () => {
    const { context, written: text, jobs } = lab({ "a.yaml": "good" });
    expect(await main(["run", "a.yaml", "--junit", "none/out.xml"], context)).toBe(2);
    expect(text).toEqual({
      stdout: "",
      stderr: "none/out.xml: cannot be written: there is no such folder\n",
    });
    expect(jobs).toEqual([]);
  });
});

describe("chainlab export", () => {
  test.each([
    [["export", "a.yaml"], '{"after":"the last"}\n', "", 0],
    [["export", "a.yaml", "--height", "12"], '{"after":12}\n', "", 0],
    [["export", "fails.yaml"], "", "fails.yaml: steps[1]: it failed\n", 1],
    [
      ["export", "odd.yaml"],
      '{"after":"the last"}\n',
      "odd.yaml: no chain begins from this genesis as it is: genesis: it is odd\n",
      0,
    ],
    [["export", "bad.yaml"], "", "bad.yaml:4: steps[0].run: expected a number\n", 2],
    [["export", "none.yaml"], "", "none.yaml:1: cannot be read: no such file\n", 2],
  ])("%j", async (inputs, stdout, stderr, status) => {
    const { context, written: text } = lab({
      "a.yaml": "good",
      "fails.yaml": "fails",
      "odd.yaml": "odd",
      "bad.yaml": "bad",
    });
    expect(await main(inputs, context)).toBe(status);
    expect(text).toEqual({ stdout, stderr });
  });

  test("a height is a number", async () => {
    const { context, written: text } = lab({ "a.yaml": "good" });
    expect(await main(["export", "a.yaml", "--height", "top"], context)).toBe(2);
    expect(text.stderr).toContain('expected a height such as 12, found "top"');
  });
});
