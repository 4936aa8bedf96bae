import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { skippedFor } from "../base/skipped.testing.ts";
import { main } from "../cli/main.ts";
import { checkWritable, makeFolder, REPORT, readText, writeTo } from "./files.ts";
import { PROGRAM } from "./program.testing.ts";
import { createScenarioLab } from "./scenario-lab.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "chainlab-files-"));
afterAll(() => rmSync(FOLDER, { recursive: true }));
const place = (name: string): string => join(FOLDER, name);

function write(name: string, content: string | Uint8Array): string {
  writeFileSync(place(name), content);
  return place(name);
}

async function chainlab(...line: string[]) {
  const written = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr") => ({
    write(text: string) {
      written[name] += text;
    },
  });
  const status = await main(line, {
    stdout: output("stdout"),
    stderr: output("stderr"),
    readFile: async (path) => readText(path),
    checkWritable: async (path) => checkWritable(path, REPORT),
    writeFile: async (path, text) => writeTo(path, text, REPORT),
    scenarios: async () => createScenarioLab(PROGRAM),
  });
  return { status, stdout: written.stdout, stderr: written.stderr.replaceAll(`${FOLDER}/`, "") };
}

const windows =
  process.platform === "win32" ? "Links, pipes and folders were NOT tested on Windows." : undefined;
const noProc = existsSync("/proc/self")
  ? undefined
  : "A folder in /proc was NOT tested: there is none.";

describe("a file that is none", skippedFor(windows), () => {
  write("large.yaml", "");
  truncateSync(place("large.yaml"), 20_000_000);
  mkdirSync(place("folder"));
  execFileSync("mkfifo", [place("pipe")]);
  symlinkSync(place("round"), place("round"));
  const FOUND = [
    [place("folder"), "expected a file, found a folder"],
    [place("pipe"), "expected a file, found a pipe"],
    ["/dev/zero", "expected a file, found a device"],
    [place("none"), "there is no such file"],
    [place("round"), "its links lead round in a circle"],
    [place("large.yaml"), "expected at most 16000000 bytes, found 20000000"],
    [write("latin.yaml", Uint8Array.of(35, 10, 35, 252)), "expected UTF-8, found other bytes"],
  ] as const;

  test.each(FOUND)("%s is refused as a scenario, before it is read", async (path, reason) => {
    const { status, stdout, stderr } = await chainlab("run", path);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^\S+:[12]: cannot be read: /);
    expect(stderr).toContain(reason);
  });

  test.each(FOUND)("%s is refused as the genesis that a scenario imports", async (path, reason) => {
    const file = write(
      "imports.yaml",
      `scenario: 1\nname: x\ngenesis: { import: ${path} }\nsteps: []`,
    );
    const { status, stdout, stderr } = await chainlab("run", file);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^imports\.yaml:3: genesis\.import: \S+ cannot be read: /);
    expect(stderr).toContain(reason);
  });

  test.each(FOUND.slice(0, 2))("%s is no place for results", async (path) => {
    const file = write("fine.yaml", "scenario: 1\nname: x\nsteps: [{ run: 1 }]");
    const { status, stdout, stderr } = await chainlab(
      "run",
      file,
      "--junit",
      join(path, "none", "x"),
    );
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/cannot be written: /);
  });
});

test("a file of the system that says it is empty is read", () => {
  if (process.platform === "linux") expect(readText("/proc/self/status")).toContain("Pid");
});

test("results take the place of earlier ones, and never of another file", async () => {
  const story = write("story.yaml", "scenario: 1\nname: x\nsteps: [{ run: 1 }]");
  const before = readText(story);
  const refused = await chainlab("run", "--junit", story, story);
  expect([refused.status, refused.stderr]).toEqual([
    2,
    "story.yaml: cannot be written: there is a file already, which is not a report in XML\n",
  ]);
  expect(readText(story)).toBe(before);
  const report = write("report.xml", "");
  symlinkSync(report, place("linked.xml"));
  for (const path of [report, report, place("linked.xml")]) {
    expect((await chainlab("run", "--junit", path, story)).status).toBe(0);
    expect(readText(report)).toMatch(/^<\?xml.*<testcase/s);
  }
  expect(readdirSync(FOLDER).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("a folder or a file that may not be written is no place for results", () => {
  const check = (path: string): void => checkWritable(path, REPORT);
  expect(() => check(FOLDER)).toThrow("expected a file, found a folder");
  expect(() => check("")).toThrow("expected a file, found an empty name");
  expect(() => check(place("none/x"))).toThrow(`there is no folder ${place("none")}`);
  expect(() => check(place("new.xml"))).not.toThrow();
  const kept = write("kept.xml", "<?xml kept");
  check(kept);
  expect(readText(kept)).toBe("<?xml kept");
  chmodSync(kept, 0o444);
  // Root may write everything.
  if (process.getuid?.() !== 0) expect(() => check(kept)).toThrow("may not be");
});

test.each([
  [
    ["evidence", "--limit", "many"],
    '--limit: expected a 64-bit integer that is not negative, found "many"',
  ],
  [
    ["evidence", "--limit", "-1"],
    '--limit: expected a 64-bit integer that is not negative, found "-1"',
  ],
  [["evidence", "--page-key", "%"], '--page-key: expected bytes in base64, found "%"'],
  [
    ["gov", "proposal", "first"],
    'proposal id: expected a 64-bit integer that is not negative, found "first"',
  ],
])("chainlab query %j is refused before anything runs", async (query, reason) => {
  const file = write("query.yaml", "scenario: 1\nname: x\nsteps: [{ run: 1 }]");
  const { status, stdout, stderr } = await chainlab("query", ...query, "--scenario", file);
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: "", stderr: `${reason}\n` });
});

describe("a folder that is made", skippedFor(windows), () => {
  test("is there with those above it, also when it was before", () => {
    makeFolder(place("a/b/c"));
    makeFolder(place("a/b/c"));
    expect(statSync(place("a/b/c")).isDirectory()).toBe(true);
  });

  test("is refused where a file is in its place or above it", () => {
    writeFileSync(place("taken"), "");
    expect(() => makeFolder(place("taken"))).toThrow("expected a folder, found a file");
    expect(() => makeFolder(place("taken/below"))).toThrow("a folder in its path is none");
  });

  // The system reports a folder in /proc as missing, however often it is made.
  test("is refused where none can be made", skippedFor(noProc), () => {
    expect(() => makeFolder("/proc/chainlab")).toThrow("no folder can be made in /proc");
  });
});
