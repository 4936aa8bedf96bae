import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Script } from "node:vm";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "./setup.mjs";

const scratch = mkdtempSync(join(tmpdir(), "chainlab-program-"));
const BUILT = join(scratch, "built");

beforeAll(async () => {
  const configFile = join(ROOT, "vite.node.config.ts");
  await build({ configFile, root: ROOT, logLevel: "error", build: { outDir: BUILT } });
});

afterAll(() => rmSync(scratch, { recursive: true }));

const nameIn = (folder: string, end: string): string =>
  join(folder, readdirSync(folder).find((name) => name.endsWith(end)) ?? "missing");

/** Runs the command in a folder and returns its output and exit status. */
function said(folder: string, ...args: readonly string[]) {
  const program = join(folder, "main.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** A copy of the build elsewhere, as the command moves it into place. */
function moved(): string {
  const folder = mkdtempSync(join(scratch, "moved-"));
  cpSync(BUILT, folder, { recursive: true });
  return folder;
}

test("the built command has bytecode that this Node takes, also where it was moved to", () => {
  const folder = moved();
  const filename = nameIn(folder, ".cjs");
  const script = new Script(readFileSync(filename, "latin1"), {
    filename,
    cachedData: readFileSync(nameIn(folder, ".bytecode")),
  });
  expect(script.cachedDataRejected).toBe(false);
});

test("the built command does the same with bytecode, without it, and with some of another V8", () => {
  const args = ["run", "public/scenarios/double-sign.yaml", "--seeds", "1..3", "--jobs", "2"];
  const whole = said(BUILT, ...args);
  expect(whole).toMatchObject({ status: 0, stderr: "" });
  expect(whole.stdout).toContain("3 passed, 0 failed");
  const without = moved();
  rmSync(nameIn(without, ".bytecode"));
  expect(said(without, ...args)).toEqual(whole);
  const program = join(BUILT, "main.js");
  const { status, stdout } = spawnSync(process.execPath, ["--no-lazy", program, ...args], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect({ status, stdout, stderr: "" }).toEqual(whole);
});

/** Tells at its end which modules of Node's own a program has loaded. */
const TELLING = `import { writeSync } from "node:fs";
process.on("exit", () => writeSync(3, JSON.stringify(process.moduleLoadList)));`;

/** The modules of Node's own that a command line loads. */
function loadedBy(...args: readonly string[]): readonly string[] {
  const telling = ["--import", `data:text/javascript,${encodeURIComponent(TELLING)}`];
  const { status, output } = spawnSync(
    process.execPath,
    [...telling, join(BUILT, "main.js"), ...args],
    { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "pipe", "pipe"] },
  );
  expect(status).toBe(0);
  return JSON.parse(output[3] ?? "");
}

const SERVERS = ["http", "http2", "https", "tls", "zlib", "readline/promises"];

test.each([
  [
    "a scenario is run without what servers need",
    ["run", "public/scenarios/double-sign.yaml"],
    SERVERS,
  ],
  ["a help text is printed without that and without hashing", ["--help"], [...SERVERS, "crypto"]],
])("of Node's own modules %s", (_, args, without) => {
  const loaded = loadedBy(...args);
  expect(loaded).toContain("NativeModule worker_threads");
  for (const name of without) expect(loaded).not.toContain(`NativeModule ${name}`);
});
