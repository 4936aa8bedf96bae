import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chainlabIn, chainlab as run } from "./command-line.testing.ts";
import { readText } from "./files.ts";

const folder = mkdtempSync(join(tmpdir(), "chainlab-diff-"));
function file(name: string, ...steps: readonly string[]): string {
  const path = join(folder, name);
  const list = steps.map((step) => `  - ${step}\n`).join("");
  writeFileSync(path, `scenario: 1\nname: ${name.replace(/\W.*/, "")}\nsteps:\n${list}`);
  return path;
}

const honest = file("honest.yaml", "run: 20");
const punished = file("punished.yaml", "run: 5", "double_sign: { node: val-3 }", "run: { to: 20 }");

test("equal chains are the same, with status 0", async () => {
  const same = file("same.yaml", "run: 12", "run: { to: 20 }");
  const { status, stdout } = await run("diff", honest, same);
  expect(stdout).toContain("They are the same.");
  expect(status).toBe(0);
});

test("the first difference is a sentence, then come blocks, validators, events and keys, with status 1", async () => {
  const { status, stdout } = await run("diff", honest, punished);
  expect(status).toBe(1);
  expect(stdout).toContain("A  honest, block 20 of 20\nB  punished, block 20 of 20\n");
  expect(stdout).toContain("First difference: block 7. A carries no such evidence, B carries");
  expect(stdout).toContain(
    "\nBlocks that differ in more than hashes\n  7: A carries no such evidence",
  );
  expect(stdout).toContain("  validator val-3 tombstoned: false ≠ true");
  expect(stdout).toMatch(/\nKeys of the state\n {2}\w+ .* ≠ /);
});

test("two heights of one chain are held against each other, as JSON too", async () => {
  const at = await run("diff", `${punished}@6`, `${punished}@12`, "-o", "json");
  expect(at.status).toBe(1);
  const answer = JSON.parse(at.stdout) as Record<string, { height: number }>;
  expect([answer.same, answer.a?.height, answer.b?.height]).toEqual([false, 6, 12]);
  expect(await run("diff", `${punished}@6`, `${honest}@6`)).toMatchObject({ status: 0 });
  expect(await run("diff", punished, honest, "--height", "6")).toMatchObject({ status: 0 });
  expect(await run("diff", punished, honest, "--height", "7")).toMatchObject({ status: 1 });
});

test("the height of the other one follows from the time or the command of the first", async () => {
  const late = file("late.yaml", "run: 9", "double_sign: { node: val-3 }", "run: { to: 30 }");
  const linked = async (link: string): Promise<unknown> => {
    const { stdout } = await run("diff", `${punished}@8`, late, "--link", link, "-o", "json");
    return JSON.parse(stdout).b.height;
  };
  expect(await linked("command")).toBe(12);
  expect(await linked("time")).toBe(8);
  const both = await run("diff", `${punished}@8`, `${late}@9`, "--link", "time");
  expect(both.status).toBe(2);
  expect(both.stderr).toContain("late.yaml@9: expected no height, since --link time says which");
});

test("worlds of a folder and their files are compared by name", async () => {
  const home = join(folder, "home");
  expect((await run("run", punished, "--data", `${home}/data`)).status).toBe(0);
  const world = join(folder, "kept.chainlab");
  expect((await run("worlds", "export", world, "--data", `${home}/data`)).status).toBe(0);
  expect(await run("diff", world, punished)).toMatchObject({ status: 0 });
  expect(await run("diff", world, honest)).toMatchObject({ status: 1 });
  expect(await run("diff", "--home", home, "punished@6", "@7")).toMatchObject({ status: 1 });
  expect(await run("diff", "--home", home, "@7", "@7")).toMatchObject({ status: 0 });
});

test("what cannot be compared is said with its place, with status 2", async () => {
  const wrong = file("wrong.yaml", "run: soon");
  for (const [args, text] of [
    [[honest, wrong], "wrong.yaml"],
    [[honest, join(folder, "none.yaml")], "none.yaml"],
    [[honest, "@5"], "expected a file, or --home or --grpc-addr with its worlds"],
    [[honest, `${honest}@0`], "expected"],
    [
      [honest, `${honest}@x`],
      'honest.yaml@x: expected the height of a block behind @, such as @20, found "x"',
    ],
    [[`${honest}@99`, honest], "honest.yaml: there is no height 99: the chain is at height 20"],
    [[honest, punished, "--height", "21"], "honest.yaml: there is no height 21: the chain is at"],
    [[honest, `${punished}@21`], "punished.yaml: there is no height 21"],
    [[`${honest}@21`, punished, "--link", "time"], "honest.yaml: there is no height 21"],
    [["--home", folder, "--grpc-addr", "127.0.0.1:1", "@1", "@2"], "found both"],
  ] as const) {
    const { status, stderr } = await run("diff", ...args);
    expect([status, stderr]).toEqual([2, expect.stringContaining(text)]);
  }
  expect((await run("diff", honest)).status).toBe(2);
});

test("a file that stands on both sides is read once", async () => {
  const reads: string[] = [];
  const other = {
    readFile: async (path: string) => {
      reads.push(path);
      return readText(path);
    },
  };
  const line = ["diff", `${punished}@6`, `${punished}@7`];
  expect(await chainlabIn(other, ...line)).toMatchObject({ status: 1 });
  expect(reads).toEqual([punished]);
});
