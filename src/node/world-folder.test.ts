import { existsSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import type { CliContext } from "../cli/context.ts";
import { main } from "../cli/main.ts";
import { History } from "../session/history/history.ts";
import { segmentKey } from "../session/history/keys.ts";
import { frameRecord, joinRecords, RECORD } from "../session/history/record.ts";
import { listWorlds } from "../session/world-list.ts";
import { checkWritable, REPORT, readText, writeTo } from "./files.ts";
import { LevelStorage } from "./level-storage.ts";
import { PROGRAM } from "./program.testing.ts";
import { createScenarioLab } from "./scenario-lab.ts";
import { openWorldFolder, readWorld } from "./world-folder.ts";

const ROOT = mkdtempSync(join(tmpdir(), "chainlab-worlds-"));
afterAll(() => rmSync(ROOT, { recursive: true }));

let folders = 0;
const newFolder = (): string => join(ROOT, `data-${++folders}`);

const chainlab = (...line: string[]) => chainlabWith(() => {}, line);

async function chainlabWith(onOutput: () => void, line: readonly string[]) {
  const written = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr") => ({
    write(text: string) {
      written[name] += text;
      onOutput();
    },
  });
  const context: CliContext = {
    stdout: output("stdout"),
    stderr: output("stderr"),
    readFile: async (path) => readText(path),
    checkWritable: async (path) => checkWritable(path, REPORT),
    writeFile: async (path, text) => writeTo(path, text, REPORT),
    scenarios: async () => createScenarioLab(PROGRAM),
    openFolder: (path, use) => openWorldFolder(path, "a build", use),
    readWorld,
  };
  return { status: await main(line, context), ...written };
}

function write(name: string, ...lines: string[]): string {
  const path = join(ROOT, name);
  writeFileSync(path, lines.join("\n"));
  return path;
}

const FILE = write(
  "crime.yaml",
  "scenario: 1",
  "name: crime",
  "title: A crime",
  "steps:",
  "  - run: 2",
  "  - double_sign: { node: val-3 }",
  "    as: crime",
  "  - run: 600",
  '  - expect: { tokens: val-3, is: "95000000" }',
  "  - expect: { events: { type: slash }, count: 2 }",
);
const OTHER = write("other.yaml", "scenario: 1", "name: other", "steps: [{ run: 3 }]");
const FAILING = write(
  "fails.yaml",
  "scenario: 1",
  "name: f",
  "steps:",
  "  - run: 1",
  '  - expect: { tokens: val-0, is: "1" }',
  "  - run: 1",
);

const DONE = [
  "step 0 run: done",
  "step 1 double_sign: done",
  "step 2 run: done",
  "step 3 expect: done",
  "step 4 expect: done",
];
const appHash = async (file: string): Promise<string> => {
  const { stdout } = await chainlab("run", file, "--json");
  return JSON.parse(stdout).scenarios[0].app_hash;
};

describe("run --data", () => {
  test("plays a file's world in the folder; run again, its steps stay done and its chain is where it was", async () => {
    const data = newFolder();
    const end = `passed at height 602, app hash ${await appHash(FILE)}`;
    const first = await chainlab("run", FILE, "--data", data);
    expect(first).toEqual({ status: 0, stdout: [...DONE, end, ""].join("\n"), stderr: "" });
    const again = await chainlab("run", FILE, "--data", data);
    const before = DONE.map((line) => line.replace("done", "was done"));
    expect(again).toEqual({ status: 0, stdout: [...before, end, ""].join("\n"), stderr: "" });
  });

  test("leaves no clock running that would keep the process from its end", async () => {
    const clocks = vi.spyOn(globalThis, "setTimeout");
    await chainlab("run", OTHER, "--data", newFolder());
    const left = clocks.mock.results.filter(
      ({ value }, i) => (clocks.mock.calls[i]?.[1] ?? 0) > 1000 && value.hasRef(),
    );
    expect(clocks.mock.calls.length).toBeGreaterThan(0);
    expect(left).toEqual([]);
    clocks.mockRestore();
  });

  test("says again what failed, and goes no further", async () => {
    const data = newFolder();
    const first = await chainlab("run", FAILING, "--data", data);
    expect(first.status).toBe(1);
    expect(first.stdout).toMatch(
      /^step 0 run: done\nstep 1 expect: failed: .*100000000.*\nfailed at height 1, app hash \w+\n$/,
    );
    const again = await chainlab("run", FAILING, "--data", data);
    expect(again).toEqual({ ...first, stdout: first.stdout.replace("run: done", "run: was done") });
  });

  test("refuses a folder with another file's world, and changes nothing there", async () => {
    const data = newFolder();
    await chainlab("run", FILE, "--data", data);
    expect(await chainlab("run", OTHER, "--data", data)).toEqual({
      status: 2,
      stdout: "",
      stderr: `${data}: expected an empty folder or one with the world of this very file, found A crime\n`,
    });
    const { stdout } = await chainlab("worlds", "list", "--data", data, "--json");
    expect(JSON.parse(stdout).worlds).toMatchObject([{ name: "A crime", height: 602 }]);
  });

  test.each([
    [["--junit", "j.xml"], "--junit: expected a run without --data"],
    [["--explain"], "--explain: expected a run without --data"],
    [["--shard", "1/2"], "--shard: expected a run without --data"],
    [["--seeds", "1..2"], "--seeds: expected a run without --data"],
    [[OTHER], "--data: expected one file, whose world the folder keeps, found 2"],
  ])("refuses %j beside it", async (more, found) => {
    const { status, stderr } = await chainlab("run", FILE, "--data", newFolder(), ...more);
    expect([status, stderr]).toEqual([2, expect.stringContaining(found)]);
  });

  test("prints one object with --json, also of steps that were done before", async () => {
    const data = newFolder();
    for (let runs = 0; runs < 2; runs++) {
      const { status, stdout } = await chainlab("run", FAILING, "--data", data, "--json");
      expect(status).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({
        file: FAILING,
        state: "failed",
        height: 1,
        steps: [
          { index: 0, verb: "run", ok: true },
          { index: 1, verb: "expect", ok: false },
        ],
      });
    }
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("ends at %s with what was done on disk and the folder free", async (signal, code) => {
    const data = newFolder();
    const interrupted = await chainlabWith(
      () => process.emit(signal, signal),
      ["run", FILE, "--data", data],
    );
    expect(interrupted).toMatchObject({ status: code, stderr: "" });
    expect(interrupted.stdout).toMatch(
      /^step 0 run: done\n(step .*\n)*interrupted and saved at height \d+; /,
    );
    const again = await chainlab("run", FILE, "--data", data);
    expect(again.status).toBe(0);
    expect(again.stdout).toMatch(/^step 0 run: was done\n/);
    expect(again.stdout).toContain(`app hash ${await appHash(FILE)}\n`);
  });

  test("writes a keyframe where it is interrupted, so that the world is opened without a replay", async () => {
    const data = newFolder();
    const steps = "steps: [{ run: 400 }, { run: 1000000 }]";
    const long = write("long.yaml", "scenario: 1", "name: long", steps);
    await chainlabWith(() => process.emit("SIGINT", "SIGINT"), ["run", long, "--data", data]);
    const storage = await LevelStorage.open(data, "use");
    const [world] = await listWorlds(storage);
    const history = await History.open(storage, world?.id ?? "");
    expect(history.head?.rounds).toBeGreaterThanOrEqual(400);
    expect(history.newestKeyframe.rounds).toBe(history.head?.rounds);
    await storage.close();
  });

  test("listens to no signal once the folder is closed, however it ended", async () => {
    const listeners = () => ["SIGINT", "SIGTERM"].map((signal) => process.listenerCount(signal));
    const before = listeners();
    await chainlab("run", OTHER, "--data", newFolder());
    await chainlab("run", FAILING, "--data", newFolder());
    expect(listeners()).toEqual(before);
    const during: number[][] = [];
    const interrupt = () => {
      during.push(listeners());
      process.emit("SIGTERM", "SIGTERM");
    };
    await chainlabWith(interrupt, ["run", FILE, "--data", newFolder()]);
    expect(during[0]).toEqual(before.map((count) => count + 1));
    expect(listeners()).toEqual(before);
  });

  test("keeps the content of a genesis that the file names by a path", async () => {
    const data = newFolder();
    const { stdout } = await chainlab("export", OTHER);
    const genesis = write("kept-genesis.json", stdout);
    const next = write(
      "kept.yaml",
      "scenario: 1",
      "name: n",
      "genesis: { import: kept-genesis.json }",
      "steps: [{ run: { to: 6 } }]",
    );
    const end = `passed at height 6, app hash ${await appHash(next)}\n`;
    const first = await chainlab("run", next, "--data", data);
    expect(first).toEqual({ status: 0, stdout: `step 0 run: done\n${end}`, stderr: "" });
    const again = await chainlab("run", next, "--data", data);
    expect(again.stdout).toBe(`step 0 run: was done\n${end}`);
    rmSync(genesis);
    const query = await chainlab("query", "chain-status", "--data", data);
    expect(query).toMatchObject({ status: 0, stderr: "" });
  });

  test("refuses a file that is wrong before there is a world", async () => {
    const data = newFolder();
    const wrong = write("wrong.yaml", "scenario: 1", "name: w", "steps: [{ walk: 1 }]");
    expect((await chainlab("run", wrong, "--data", data)).status).toBe(2);
    expect((await chainlab("worlds", "list", "--data", data)).stdout).toBe("");
  });

  test("says what was damaged, keeps it, and has the world as it was where nothing of it was lost", async () => {
    const data = newFolder();
    await chainlab("run", FILE, "--data", data);
    for (const name of readdirSync(join(data, "db")))
      if (name.startsWith("MANIFEST")) truncateSync(join(data, "db", name), 7);
    const again = await chainlab("run", FILE, "--data", data);
    expect(again.stdout).toContain("step 4 expect: was done\npassed at height 602");
    expect(again.stderr).toContain("is damaged (");
    expect(readdirSync(data)).toContain("db-damaged-1");
  });
});

describe("record", () => {
  test("prints what was done in a world of a folder as a scenario that leads to it again", async () => {
    const data = newFolder();
    await chainlab("run", FILE, "--data", data);
    const { status, stdout, stderr } = await chainlab("record", "--data", data);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("  - double_sign: { node: val-3 }\n  - run: { to: 602 }\n");
    const file = write("recorded.yaml", stdout);
    expect(await appHash(file)).toBe(await appHash(FILE));
  });

  test("refuses a folder that is not there, and two places at once", async () => {
    const nowhere = join(ROOT, "nowhere");
    expect((await chainlab("record", "--data", nowhere)).status).toBe(2);
    const both = await chainlab("record", "--data", nowhere, "--home", nowhere);
    expect(both).toMatchObject({
      status: 2,
      stderr: "expected --home DIR or --data DIR, found both\n",
    });
  });
});

describe("worlds", () => {
  const filled = async (): Promise<string> => {
    const data = newFolder();
    await chainlab("run", FILE, "--data", data);
    return data;
  };

  test("are written to a file and read into another folder, where the chain answers and the same file is done", async () => {
    const [from, to] = [await filled(), newFolder()];
    const path = join(ROOT, "crime.world");
    expect(await chainlab("worlds", "export", path, "--data", from)).toMatchObject({ status: 0 });
    const { stdout } = await chainlab("worlds", "import", path, "--data", to);
    expect(stdout).toMatch(/^[\w-]+ {2}A crime\n$/);
    const query = ["staking", "validator", "val-3", "--output", "json", "--data"];
    const answers = [from, to].map((data) => chainlab("query", ...query, data));
    const [there, here] = await Promise.all(answers);
    expect(JSON.parse(there?.stdout ?? "")).toMatchObject({ validator: { tokens: "95000000" } });
    expect(here).toEqual(there);
    const run = await chainlab("run", FILE, "--data", to);
    expect([run.status, run.stdout]).toEqual([
      0,
      expect.stringContaining("step 4 expect: was done"),
    ]);
  });

  test("are deleted and restored by name", async () => {
    const data = await filled();
    expect((await chainlab("worlds", "delete", "A crime", "--data", data)).status).toBe(0);
    expect((await chainlab("worlds", "list", "--data", data)).stdout).toContain(", deleted\n");
    const gone = await chainlab("query", "nodes", "--data", data);
    expect([gone.status, gone.stderr]).toEqual([2, expect.stringContaining("there is none")]);
    expect((await chainlab("worlds", "restore", "--data", data)).stdout).toBe("restored\n");
    expect((await chainlab("query", "nodes", "--data", data)).status).toBe(0);
  });

  test.each([
    [["worlds", "delete", "nothing"], "expected a world by its name or id, found nothing"],
    [
      ["worlds", "import", FILE],
      "expected a world that Chainlab exported, found another kind of file",
    ],
    [["worlds", "import", ROOT], `${ROOT}: expected a file, found a folder`],
    [["worlds", "import", "/nowhere"], "/nowhere: there is no such file"],
    [
      ["worlds", "export", join(ROOT, "none", "a.world")],
      `it cannot be written: there is no folder ${join(ROOT, "none")}`,
    ],
    [["query", "nodes", "--world", "x"], "expected a world by its name or id, found x"],
  ])("%j is refused in words", async (line, words) => {
    const { status, stderr } = await chainlab(...line, "--data", await filled());
    expect([status, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  test.each([[FILE], [ROOT], [join(ROOT, "none.world")]])(
    "no folder is made for %s, which is no world",
    async (path) => {
      const data = newFolder();
      const { status, stderr } = await chainlab("worlds", "import", path, "--data", data);
      expect([status, stderr]).toEqual([2, expect.stringContaining(path)]);
      expect(existsSync(data)).toBe(false);
    },
  );

  const framed = (records: Iterable<readonly [string, Uint8Array]>): Uint8Array =>
    frameRecord(RECORD.file, joinRecords(records));
  const nothing = new Uint8Array();
  const nested = frameRecord(RECORD.beginning, new Uint8Array(1_000_000).fill(0x91));

  test.each([
    ["nothing", nothing, "the file is empty"],
    ["a file of another program", new Uint8Array(1_000_000), "another kind of file"],
    ["a cut file", framed([["head-0", nested]]).slice(0, -1), "the end of the file is missing"],
    ["a cut record", frameRecord(RECORD.file, Uint8Array.of(0, 0, 0, 9)), "at byte 0"],
    ["a later version's", frameRecord(RECORD.file, nothing, 9), "a later version of Chainlab"],
    ["no record", framed([]), "the beginning of the world is missing"],
    [
      "a record of two",
      framed([
        ["head-0", nothing],
        ["head-0", nothing],
      ]),
      "head-0 twice",
    ],
    ["an unknown record", framed([["__proto__", nothing]]), "an unknown name, “__proto__”"],
    ["a path out of the folder", framed([["../../x", nothing]]), "an unknown name, “../../x”"],
    ["lists in lists", framed([["beginning-0", nested]]), "the beginning of the world is missing"],
    [
      "very many records",
      framed(Array.from({ length: 100_001 }, (_, i) => [segmentKey(i), nothing] as const)),
      "more than 100000 records",
    ],
  ])("a file with %s is refused, and no folder is made for it", async (_, content, words) => {
    const path = join(ROOT, "hostile.world");
    writeFileSync(path, content);
    const data = newFolder();
    const { status, stderr } = await chainlab("worlds", "import", path, "--data", data);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`${path}: `)]);
    expect(stderr).toContain(words);
    expect(existsSync(data)).toBe(false);
  });

  test("a file that is too large, or none at all, is refused unread", async () => {
    const path = join(ROOT, "sparse.world");
    writeFileSync(path, "");
    truncateSync(path, 100 * 1024 ** 3);
    for (const one of [path, "/dev/zero"]) {
      const { status, stderr } = await chainlab("worlds", "import", one, "--data", newFolder());
      expect([status, stderr]).toEqual([2, expect.stringMatching(/expected /)]);
    }
  });

  test.each([
    [["worlds", "list"]],
    [["worlds", "export", join(ROOT, "none.world")]],
    [["worlds", "delete"]],
    [["query", "nodes"]],
  ])("%j of a folder that is not there makes none", async (line) => {
    const data = newFolder();
    const { status, stderr } = await chainlab(...line, "--data", data);
    expect([status, stderr]).toEqual([
      2,
      `${data}: expected a data folder of Chainlab, found none; chainlab run FILE --data DIR makes one\n`,
    ]);
    expect(existsSync(data)).toBe(false);
  });

  test.each([
    [["query", "nodes"]],
    [["query", "nodes", "--scenario", FILE, "--data", ROOT]],
    [["query", "nodes", "--scenario", FILE, "--world", "x"]],
  ])("%j does not say which chain", async (line) => {
    const { status, stderr } = await chainlab(...line);
    expect([status, stderr]).toEqual([
      2,
      "expected --scenario FILE, --node ADDRESS, --grpc-addr ADDRESS, --home DIR, or --data DIR and beside it --world WORLD\n",
    ]);
  });
});
