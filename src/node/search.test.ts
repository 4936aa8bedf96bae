import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { DOUBLE_SIGN, STANDING, STOPPED } from "../scenario/search/families.testing.ts";
import { chainlabIn } from "./command-line.testing.ts";

/** A folder with files, and commands that run in it, in this thread. */
function folder(files: Readonly<Record<string, string>>) {
  const path = mkdtempSync(join(tmpdir(), "chainlab-search-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const at = (name: string): string => join(path, name);
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
  const written: Record<string, string> = {};
  const context = {
    writeFile: async (name: string, text: string) => {
      written[name] = text;
    },
  };
  return {
    at,
    written,
    text: (name: string) => readFileSync(at(name), "utf8"),
    run: (...line: readonly string[]) => chainlabIn(context, ...line),
    search: (...line: readonly string[]) => chainlabIn(context, "search", ...line, "--jobs", "1"),
  };
}

const HOLDS = STOPPED.text.replace(
  /^never:.*\n^sometimes:.*\n/m,
  "always: [{ app_hash: agreed }]\n",
);

test("a search says what was found, prints it as a file and ends with status 1", async () => {
  const { at, search } = folder({ "family.yaml": DOUBLE_SIGN.text });
  const { status, stdout, stderr } = await search(at("family.yaml"), "--runs", "40");
  expect([status, stderr]).toEqual([1, ""]);
  expect(stdout).toContain("✗ never “slashed for signing twice”: 1 case, the first is case");
  expect(stdout).toMatch(/shrunk from 6 to 2 steps:/);
  expect(stdout).toMatch(/1 fault {2}val-2: double sign {2}height 0 {2}without it: holds/);
  expect(stdout).toContain("Had val-2 not signed twice, it would have held.");
  expect(stdout).toContain("- - fault: { node: val-2, kind: double_sign");
  expect(stdout).toMatch(/^ {4}scenario: 1$/m);
  expect(stdout).toMatch(/, 1 finding\n$/);
});

test("a search that finds nothing ends with status 0", async () => {
  const { at, search } = folder({ "family.yaml": HOLDS });
  const { status, stdout } = await search(at("family.yaml"), "--runs", "25");
  expect(status).toBe(0);
  expect(stdout).toContain("stopped: 25 cases of seed 1\n  ✓ every property holds\n");
  expect(stdout).toMatch(/25 cases, nothing found\n$/);
});

test("a search in which no case ran ends with status 2, and JUnit counts nothing as passed", async () => {
  const unsound = `scenario: 1
name: unsound
genesis: { validators: 4 }
never: [{ name: x, chain: halted }]
vary:
  - { at: genesis.gov.voting_period, one_of: [10s] }
  - { at: genesis.gov.expedited_voting_period, one_of: [20s] }
steps: [{ run: 3 }]
`;
  const { at, search, written: text } = folder({ "family.yaml": unsound, "holds.yaml": HOLDS });
  const how = ["--junit", "out.xml"];
  const none = await search(at("family.yaml"), "--runs", "5", ...how);
  expect(none.status).toBe(2);
  expect(none.stderr).toBe(
    `${at("family.yaml")}: no case ran, so that nothing is known of it: each draw made an unsound scenario\n`,
  );
  expect(none.stdout).not.toContain("✓");
  expect(text["out.xml"]).toContain('tests="1" failures="0" skipped="1"');
  expect(text["out.xml"]).toContain('name="never x"><skipped/>');
  const late = await search(at("holds.yaml"), "--for", "0s", ...how);
  expect(late.status).toBe(2);
  expect(late.stderr).toContain("no case ran, so that nothing is known of it: there was no time");
});

test("the first case that came to no end is named with its step and why, in text, JSON and JUnit", async () => {
  const {
    at,
    search,
    written: text,
  } = folder({
    "family.yaml": STANDING("never: [{ name: agreed, app_hash: diverged }]").text.replace(
      "[val-0], [val-0, val-1]",
      "[val-0, val-1]",
    ),
  });
  const how = [at("family.yaml"), "--runs", "6", "--junit", "out.xml"];
  const { stdout, status } = await search(...how);
  expect(status).toBe(0);
  expect(stdout).toContain("  · no case came to its end; up to there every property holds\n");
  expect(stdout).toContain(
    "  6 cases ended at a step that could not be done\n    the first is case 0, at its step 2: the chain is halted",
  );
  expect(text["out.xml"]).toContain("the first is case 0, at its step 2: the chain is halted");
  const [family] = JSON.parse((await search(...how, "--json")).stdout).families;
  expect(family.firstUnfinished).toMatchObject({ number: 0, step: 1 });
});

test("each of few cases is run once, and it is said that these are all", async () => {
  const three = `scenario: 1
name: three
genesis: { validators: 1 }
never: [{ name: x, chain: halted }]
vary: [{ at: "steps[0].run.rounds", range: [1, 3] }]
steps: [{ run: { rounds: 3 } }]
`;
  const { at, run, search } = folder({ "family.yaml": three });
  const { stdout } = await search(at("family.yaml"), "--runs", "40");
  expect(stdout).toMatch(/^three: all 3 cases, seed 1\n {2}✓ every property holds\n/);
  const fewer = await search(at("family.yaml"), "--runs", "2");
  expect(fewer.stdout).toMatch(/^three: 2 cases of seed 1\n/);
  const forTime = await search(at("family.yaml"), "--for", "60s", "--all", "--guided");
  expect(forTime.stdout).toMatch(/^three: all 3 cases, seed 1\n/);
  const parts = await Promise.all(
    [1, 2].map(async (part) => {
      const report = at(`${part}.json`);
      const how = ["--all", "--runs", "40", "--shard", `${part}/2`, "--report", report];
      await search(at("family.yaml"), ...how);
      return report;
    }),
  );
  expect((await run("merge", ...parts)).stdout).toMatch(/^three: all 3 cases, seed 1\n/);
});

test("a property that could be asked in no case is named, and skipped in JUnit", async () => {
  const late = HOLDS.replace("always: [", "always: [{ name: late, from: 5000, chain: running }, ");
  const { at, run, search, written: text } = folder({ "family.yaml": late });
  const { stdout } = await search(at("family.yaml"), "--runs", "9", "--junit", "out.xml");
  expect(stdout).toContain("  · late: in no case was there anything to ask\n");
  expect(stdout).not.toContain("✓ every property holds");
  expect(text["out.xml"]).toContain('name="always late"><skipped/>');
  expect(text["out.xml"]).toContain('skipped="1"');
  const explored = await run("explore", at("family.yaml"), "--steps", "2");
  expect(explored.stdout).toContain(
    "· always late: in no state within 2 steps was there anything to ask",
  );
});

test("what must be true sometimes, and never was, is a finding", async () => {
  const sometimes = HOLDS.replace(
    "always:",
    "sometimes: [{ name: two chains, chain: running, forks: 1 }]\nalways:",
  );
  const { at, search } = folder({ "family.yaml": sometimes });
  const { status, stdout } = await search(at("family.yaml"), "--runs", "25");
  expect(status).toBe(1);
  expect(stdout).toContain("✗ sometimes “two chains”: in no case\n");
});

test("a search by time ends, and the number of cases is what it came to", async () => {
  const { at, search } = folder({ "family.yaml": HOLDS });
  const { status, stdout } = await search(at("family.yaml"), "--for", "50ms", "--json");
  expect(status).toBe(0);
  const { runs, families } = JSON.parse(stdout);
  expect(runs).toBeUndefined();
  expect(families[0].cases).toBeGreaterThan(0);
});

test("a guided search says what it has learned, ends on a plateau, and its report can be read", async () => {
  const { at, run, search } = folder({ "family.yaml": HOLDS });
  const { status, stdout } = await search(
    ...[at("family.yaml"), "--guided", "--plateau", "2", "--runs", "900"],
    ...["--report", at("report.json")],
  );
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /^stopped: 300 cases of seed 1\n {2}✓ every property holds\n {2}reached \d+ features in 3 generations, \d+ cases? in the corpus, nothing new in the last 2 generations\n/,
  );
  const merged = await run("merge", at("report.json"), "--json");
  const { guided, plateau, families } = JSON.parse(merged.stdout);
  expect({ guided, plateau }).toEqual({ guided: true, plateau: 2 });
  expect(families[0].coverage.corpus).toContainEqual([0]);
});

test("how far a search is stands in a table that is drawn over itself, and goes at the end", async () => {
  const { at } = folder({ "family.yaml": STOPPED.text });
  let drawn = "";
  const stderr = {
    columns: 60,
    write: (text: string) => {
      drawn += text;
    },
  };
  const how = ["--jobs", "1", "--runs", "40", "--all", "--guided"];
  await chainlabIn({ stderr }, "search", at("family.yaml"), ...how);
  // The escape character, as sent to a terminal.
  const tables = drawn.split(`${String.fromCharCode(27)}[J`);
  const last = tables.at(-2)?.split("\n") ?? [];
  expect(last.slice(1, 5).map((line) => line.trim().split(" ")[0])).toEqual([
    ...["cases", "outcomes", "features", "generations"],
  ]);
  expect(last.join("\n")).toContain("violated     never “at height 2”: ");
  for (const line of last) expect(line.length).toBeLessThan(60 + 12);
  // It moves to its first line before it redraws.
  expect(tables.at(-2)).toMatch(new RegExp(`\\[${last.length - 1}A$`));
  expect(tables.at(-1)).toBe("");
});

test("found cases are kept in a folder, and tried first next time", async () => {
  const { at, search, text } = folder({ "family.yaml": DOUBLE_SIGN.text });
  const kept = "kept/operators-never-slashed-for-signing-twice.yaml";
  expect((await search(at("family.yaml"), "--keep", at("kept"))).status).toBe(1);
  const before = text(kept);
  expect(before).toContain("kind: double_sign");
  const again = await search(at("family.yaml"), "--keep", at("kept"));
  expect(again.status).toBe(1);
  expect(again.stdout).toMatch(/^operators-never-slashed-for-signing-twice: 1 case of seed 1\n/);
  expect(again.stdout).not.toContain("\noperators: ");
  expect(text(kept)).toBe(before);
  expect(readdirSync(at("kept"))).toHaveLength(1);
});

test("a finding that cannot be kept is said with its reason, and printed all the same", async () => {
  // A file that starts with a user's comment is not the search's own, though its case holds.
  const mine = `# mine\n${HOLDS}`;
  const name = "operators-never-slashed-for-signing-twice";
  const { at, search, text } = folder({ "family.yaml": DOUBLE_SIGN.text });
  mkdirSync(at("kept"));
  writeFileSync(at(`kept/${name}.yaml`), mine);
  const { status, stdout, stderr } = await search(
    ...[at("family.yaml"), "--runs", "40", "--keep", at("kept")],
  );
  expect(status).toBe(1);
  expect(stderr).toBe(
    `${name} cannot be saved in ${at("kept")}: there is a file already, which is not a scenario in YAML: these are the cases up to then\n`,
  );
  expect(stdout).toContain("shrunk from 6 to 2 steps:");
  expect(text(`kept/${name}.yaml`)).toBe(mine);
});

test("parts of a search are put together by their reports", async () => {
  const { at, run, search, written: text } = folder({ "family.yaml": STOPPED.text });
  const how = [at("family.yaml"), "--runs", inject("soak") ? "250" : "60", "--all"];
  const whole = await search(...how, "--json");
  for (const part of [1, 2, 3]) {
    const { stdout } = await search(...how, "--shard", `${part}/3`, "--report", at(`${part}.json`));
    expect(stdout).toContain(`of seed 1, part ${part} of 3`);
    expect(stdout).toContain("· sometimes “two chains”: in no case of this part");
  }
  const parts = [at("3.json"), at("1.json"), at("2.json")];
  const merged = await run("merge", ...parts, "--json", "--junit", "out.xml");
  expect(merged.status).toBe(1);
  expect(JSON.parse(merged.stdout)).toEqual(JSON.parse(whole.stdout));
  // The reports also list satisfied properties.
  expect(text["out.xml"]).toContain('name="sometimes first block"/>');
  const missing = await run("merge", at("3.json"), at("1.json"));
  expect(missing).toMatchObject({ status: 2, stdout: "" });
  expect(missing.stderr).toBe(
    `${at("3.json")}:1: the search has 3 parts, and of these no report is there: 2/3\n`,
  );
});

test("a broken or foreign report is refused with its place", async () => {
  const { at, run } = folder({ "a.json": '{"search":1,', "b.json": "scenario: 1\n" });
  const { status, stderr } = await run("merge", at("a.json"), at("b.json"), at("c.json"));
  expect(status).toBe(2);
  expect(stderr).toMatch(/a\.json:1:13: expected/);
  expect(stderr).toMatch(/b\.json:1: missing key "search"|b\.json:1:1: expected/);
  expect(stderr).toContain("c.json:1: cannot be read: there is no such file");
});

test("JUnit has a case for each property, and of one that does not hold the shrunk file", async () => {
  const { at, search, written: text } = folder({ "family.yaml": DOUBLE_SIGN.text });
  await search(at("family.yaml"), "--runs", "40", "--all", "--junit", "out.xml");
  const xml = text["out.xml"] ?? "";
  expect(xml).toContain('tests="3" failures="2" skipped="0"');
  expect(xml).toContain(
    '<testcase classname="operators" name="never slashed for signing twice"><failure',
  );
  expect(xml).toContain("kind: double_sign");
  expect(xml).toContain(
    'name="sometimes halted by a plan"><failure message="in none of 40 cases">',
  );
  expect(xml).toContain('<testcase classname="operators" name="sometimes val-0 is down"/>');
  await search(at("family.yaml"), "--runs", "40", "--junit", "out.xml");
  expect(text["out.xml"]).toContain('name="sometimes halted by a plan"><skipped/>');
});

test("nothing runs if a file is not sound, cannot be read, or what is asked for makes no sense", async () => {
  const { at, search } = folder({
    "family.yaml": STOPPED.text,
    "bad.yaml": STOPPED.text.replace("range: [1, 2]", "range: [2, 1]"),
    "late.yaml":
      "scenario: 1\nname: late\ngenesis: { validators: 1 }\nnever: [{ chain: halted }]\nsteps: [{ run: 5 }]\ndisturb: { kinds: [stop], from: 900 }\n",
    "other.txt": "mine",
  });
  const refused = async (...line: readonly string[]) => {
    const { status, stdout, stderr } = await search(...line);
    expect([status, stdout], line.join(" ")).toEqual([2, ""]);
    return stderr;
  };
  const family = at("family.yaml");
  expect(await refused(family, at("bad.yaml"))).toContain(
    "bad.yaml:9: vary[1].range: expected a range",
  );
  expect(await refused(at("late.yaml"))).toBe(
    `${at("late.yaml")}:6: disturb: nothing can happen from height 900 on: as it is written, the file comes to height 4 before its last block\n`,
  );
  expect(await refused(family, at("none.yaml"))).toContain("cannot be read: there is no such file");
  expect(await refused(family, "--runs", "5", "--for", "1s")).toContain(
    "--runs or --for, found both",
  );
  expect(await refused(family, "--runs", "0")).toContain("expected a number from 1");
  expect(await refused(family, "--seed", "-1")).toContain("expected a seed");
  expect(await refused(family, "--shard", "1/2")).toContain(
    "expected --report FILE beside --shard",
  );
  expect(await refused(family, "--guided", "--shard", "1/2", "--report", at("r.json"))).toContain(
    "--guided or --shard, found both",
  );
  expect(await refused(family, "--wait", "3s")).toContain("expected --queue beside --wait");
  expect(await refused(family, "--plateau", "3")).toContain("expected --guided beside --plateau");
  expect(await refused(family, "--report", at("other.txt"))).toContain("not a report of a search");
  expect(await refused(family, "--keep", at("other.txt"))).toContain(
    "expected a folder, found a file",
  );
  expect(existsSync(at("kept"))).toBe(false);
});
