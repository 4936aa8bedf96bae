import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { chainlab } from "./command-line.testing.ts";

const STOPPED = `scenario: 1
name: stopped
genesis: { validators: 4 }
always: [{ name: live, chain: running }]
steps:
  - run: { rounds: 12 }
disturb: { kinds: [stop], from: 1, most: 2 }
`;

/** A file with a text, for one test. */
function fileOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "chainlab-no-return-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "family.yaml");
  writeFileSync(path, text);
  return path;
}

const noReturn = (text: string, ...flags: readonly string[]) =>
  chainlab("no-return", fileOf(text), "--futures", "20", "--jobs", "1", ...flags);

test("the point of no return is printed with the chance at each point, and the command at the cliff", async () => {
  const { status, stdout, stderr } = await noReturn(STOPPED);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(
    /^stopped, case \d+ of seed 1 as it was drawn: always “live” is broken at height \d+\n/,
  );
  expect(stdout).toMatch(/height +\d+ +\d+ % [█ ]{20} → val-\d: stop/);
  expect(stdout).toMatch(/The cliff is at height \d+, from \d+ % to 100 %: val-\d: stop/);
  expect(stdout).toMatch(
    /At the last point before the end some futures still ended differently\.\n$/,
  );
});

test("of a file whose cases are few all are looked at, and one that lets nothing be drawn has none to name", async () => {
  const few = `scenario: 1
name: few
genesis: { validators: 4 }
never: [{ name: far, chain: running, height: 900 }]
steps: [{ run: 4 }]
`;
  const vary = `vary: [{ at: "steps[0].run", range: [2, 6] }]\n`;
  expect((await noReturn(few + vary)).stderr).toMatch(/: every property holds in all 5 cases\n$/);
  expect(await noReturn(few, "--case", "3")).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/expected no --case\n$/),
  });
});

test("it comes as CSV with a row for each point, and as JSON with the case as a file", async () => {
  const csv = await noReturn(STOPPED, "--csv");
  expect(csv.status).toBe(0);
  const [head, ...rows] = csv.stdout.trimEnd().split("\r\n");
  expect(head).toBe("height,step,rounds,ended,futures,next");
  for (const row of rows) expect(row).toMatch(/^\d+,\d+,\d+,\d+,20,/);
  const json = JSON.parse((await noReturn(STOPPED, "--json")).stdout);
  expect(json.points).toHaveLength(rows.length);
  expect(json.scenario).toContain("stop: true");
});

test("a file in which nothing ends badly ends with status 1, and says in how many cases", async () => {
  const text = STOPPED.replace("most: 2", "most: 1");
  expect(await noReturn(text, "--runs", "30")).toMatchObject({
    status: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /family\.yaml: every property holds in the first 30 cases of seed 1\n$/,
    ),
  });
});

test("a case that is a mutation is named by those that it descends from", async () => {
  const holds = await noReturn(STOPPED, "--case", "0/150/1");
  expect(holds.stderr).toContain('found "0/150/1"');
  const outs = await Promise.all(
    Array.from({ length: 12 }, (_, i) => noReturn(STOPPED, "--case", `0/${100 + i}`)),
  );
  const found = outs.find(({ status }) => status === 0);
  expect(found?.stdout).toMatch(
    /^stopped, case 0\/1\d\d of seed 1 as it was drawn: always “live” is broken/,
  );
});

test("a file that is not valid ends with status 2, with its place", async () => {
  const { status, stderr } = await noReturn(STOPPED.replace("most: 2", "most: 0"));
  expect(status).toBe(2);
  expect(stderr).toContain(
    "family.yaml:7: disturb.most: expected a whole number from 1 to 20, found 0",
  );
});

test.each([
  [["--futures", "0"], "expected a number from 1 to 999999999"],
  [["--futures", "99999"], "expected at most 10000 futures"],
  [["--case", "-1"], "expected the number of a case, from 0 on"],
  [["--case", "3/2"], 'or of a mutation such as 3/57/94, found "3/2"'],
  [["--json", "--csv"], "expected --json or --csv, found both"],
])("%j is refused", async (flags, message) => {
  const { status, stderr } = await chainlab("no-return", fileOf(STOPPED), ...flags);
  expect(status).not.toBe(0);
  expect(stderr).toContain(message);
});
