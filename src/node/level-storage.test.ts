import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { ClassicLevel } from "classic-level";
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { utf8 } from "../base/bytes.ts";
import { FolderError, LevelStorage } from "./level-storage.ts";

const ROOT = mkdtempSync(join(tmpdir(), "chainlab-level-"));
afterAll(() => rmSync(ROOT, { recursive: true }));

const opened: LevelStorage[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((storage) => storage.close()));
});

let folders = 0;
const newFolder = (): string => join(ROOT, `data-${++folders}`);

async function open(folder: string): Promise<LevelStorage> {
  const storage = await LevelStorage.open(folder);
  opened.push(storage);
  return storage;
}

const put = (...pairs: [string, Uint8Array][]) => new Map(pairs);
const big = (byte: number): Uint8Array => new Uint8Array(40_000).fill(byte);
const filesOf = (folder: string, end: string): string[] =>
  readdirSync(join(folder, "db"))
    .filter((name) => name.endsWith(end))
    .map((name) => join(folder, "db", name));

/** A folder with tables: each opening converts the previous log to one. */
async function filled(): Promise<string> {
  const folder = newFolder();
  for (const [key, byte] of [
    ["a", 1],
    ["b", 2],
    ["c", 3],
  ] as const) {
    const storage = await LevelStorage.open(folder);
    await storage.write(put([key, big(byte)]), []);
    await storage.close();
  }
  return folder;
}

describe("records in a folder", () => {
  test("are there when it is opened again, in the order asked for, and undefined where there are none", async () => {
    const folder = newFolder();
    const storage = await open(folder);
    await storage.write(put(["x/1", utf8("one")], ["x/2", utf8("two")], ["y", utf8("")]), []);
    await storage.write(put(["x/3", utf8("three")]), ["x/2"]);
    await storage.close();
    const again = await open(folder);
    expect(await again.read(["x/3", "x/2", "y", "x/1"])).toEqual([
      utf8("three"),
      undefined,
      utf8(""),
      utf8("one"),
    ]);
    expect(await again.keys("x/")).toEqual(["x/1", "x/3"]);
    expect(await again.keys("")).toEqual(["x/1", "x/3", "y"]);
    expect(again.damages).toEqual([]);
  });

  test("come with keys in the order of their code units", async () => {
    const storage = await open(newFolder());
    const keys = ["k\u{1F600}", "k\uFFFD", "ka", "k"];
    await storage.write(new Map(keys.map((key) => [key, utf8(key)])), []);
    expect(await storage.keys("k")).toEqual([...keys].sort());
  });

  test("are listed without reading them", async () => {
    const folder = newFolder();
    const storage = await open(folder);
    const keys = Array.from({ length: 100 }, (_, i) => `record/${100 + i}`);
    for (const key of keys) await storage.write(put([key, big(1)]), []);
    await storage.close();
    const level = new ClassicLevel(join(folder, "db"));
    await level.open();
    await level.compactRange("", "~");
    expect(await level.approximateSize("", "~")).toBeGreaterThan(100_000);
    expect(await level.approximateSize("!", '"')).toBeLessThan(10_000);
    await level.close();
    expect(await (await open(folder)).keys("record/")).toEqual(keys);
  });

  test("of which those in use are counted, and what the disk has left", async () => {
    const storage = await open(newFolder());
    const before = await storage.estimate();
    await storage.write(put(["a", crypto.getRandomValues(new Uint8Array(50_000))]), []);
    const { usage, quota } = await storage.estimate();
    expect(usage).toBeGreaterThan(before.usage + 49_000);
    expect(quota).toBeGreaterThan(usage);
  });
});

describe("a folder is refused", () => {
  const refusal = async (folder: string): Promise<string> => {
    const error = await LevelStorage.open(folder).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FolderError);
    return (error as FolderError).message;
  };

  test("while another has it open", async () => {
    const folder = newFolder();
    await open(folder);
    expect(await refusal(folder)).toBe(
      `${folder}: another process uses this folder; only one can at a time`,
    );
  });

  test("that holds something else, and nothing is written there", async () => {
    const folder = mkdtempSync(join(ROOT, "other-"));
    writeFileSync(join(folder, "letter.txt"), "dear …");
    expect(await refusal(folder)).toBe(
      `${folder}: expected an empty folder or a data folder of Chainlab, found letter.txt and no file CHAINLAB`,
    );
    expect(readdirSync(folder)).toEqual(["letter.txt"]);
  });

  test("whose database may be another program's, with the way out", async () => {
    const folder = await filled();
    rmSync(join(folder, "CHAINLAB"));
    rmSync(join(folder, "plain"), { recursive: true, force: true });
    const mark = join(folder, "CHAINLAB");
    expect(await refusal(folder)).toBe(
      `${folder}: expected an empty folder or a data folder of Chainlab, found db and no file CHAINLAB: if the database is Chainlab's, write "chainlab 1" into ${mark}`,
    );
    writeFileSync(mark, "chainlab 1");
    await open(folder);
  });

  test("that a later version made", async () => {
    const folder = await filled();
    writeFileSync(join(folder, "CHAINLAB"), "chainlab 2\n");
    expect(await refusal(folder)).toContain("a later version of Chainlab made this folder");
  });

  test("whose mark is none", async () => {
    const folder = await filled();
    writeFileSync(join(folder, "CHAINLAB"), "hello");
    expect(await refusal(folder)).toContain('expected "chainlab 1"');
  });

  test("that is a file", async () => {
    const file = join(ROOT, "a-file");
    writeFileSync(file, "");
    expect(await refusal(file)).toContain(`${file}: cannot be used: `);
  });
});

describe("a damaged database is set aside as it is, said in words, and what can be read of it is used", () => {
  const sizeOf = (path: string): number => readFileSync(path).length;

  const damages: [string, (folder: string) => void][] = [
    [
      "without its MANIFEST",
      (folder) => {
        for (const name of readdirSync(join(folder, "db")))
          if (name.startsWith("MANIFEST")) rmSync(join(folder, "db", name));
      },
    ],
    ["without CURRENT", (folder) => rmSync(join(folder, "db", "CURRENT"))],
    ["with another CURRENT", (folder) => writeFileSync(join(folder, "db", "CURRENT"), "x")],
    [
      "whose MANIFEST is cut",
      (folder) => {
        for (const name of readdirSync(join(folder, "db")))
          if (name.startsWith("MANIFEST")) truncateSync(join(folder, "db", name), 10);
      },
    ],
    [
      "with a cut table",
      (folder) => {
        const [table = ""] = filesOf(folder, ".ldb");
        truncateSync(table, sizeOf(table) >> 1);
      },
    ],
    ["without one of its tables", (folder) => rmSync(filesOf(folder, ".ldb")[0] ?? "")],
    [
      "with a table of other bytes",
      (folder) => writeFileSync(filesOf(folder, ".ldb")[0] ?? "", new Uint8Array(3000).fill(7)),
    ],
  ];

  test.each(damages)("%s", async (_, damage) => {
    const folder = await filled();
    expect(filesOf(folder, ".ldb").length).toBeGreaterThan(1);
    damage(folder);
    const left = filesOf(folder, ".ldb").map(
      (path) => [basename(path), readFileSync(path)] as const,
    );
    const storage = await open(folder);
    const found = await storage.read(["a", "b", "c"]);
    expect(storage.damages).toEqual([expect.stringContaining(`${folder} is damaged (`)]);
    for (const [name, bytes] of left) {
      expect(readFileSync(join(folder, "db-damaged-1", name)).equals(bytes)).toBe(true);
    }
    const there = ["a", "b", "c"].filter((_, i) => found[i] !== undefined);
    expect(await storage.keys("")).toEqual(there);
    // A record is either gone or unchanged, and everything undamaged is present.
    const sound = found.map((value, i) => value && [value.length, value[0] === i + 1]);
    for (const each of sound) expect(each ?? [40_000, true]).toEqual([40_000, true]);
    expect(found.filter((value) => value !== undefined).length).toBeGreaterThanOrEqual(2);
    await storage.write(put(["d", utf8("new")]), []);
    await storage.close();
    const again = await open(folder);
    expect((await again.read(["d"])).at(0)).toEqual(utf8("new"));
    expect(again.damages).toEqual([]);
  });

  test("but stays where it is when it cannot be copied", async () => {
    const folder = await filled();
    rmSync(join(folder, "db", "CURRENT"));
    const before = readdirSync(join(folder, "db"));
    // Copying a pipe fails, like any copy on a full disk.
    execFileSync("mkfifo", [join(folder, "db", "pipe")]);
    await expect(LevelStorage.open(folder)).rejects.toThrow();
    rmSync(join(folder, "db", "pipe"));
    expect(readdirSync(join(folder, "db"))).toEqual(before);
    expect(readdirSync(folder)).not.toContain("db-damaged-1");
    const storage = await open(folder);
    expect((await storage.read(["a"]))[0]).toHaveLength(40_000);
    expect(readdirSync(folder).sort()).toEqual(["CHAINLAB", "db", "db-damaged-1"]);
  });

  test("as soon as it can be copied, where it could not be when the damage was met", async () => {
    const folder = await filled();
    const storage = await open(folder);
    // The newest has just been written, and is mapped into memory.
    for (const table of filesOf(folder, ".ldb").sort().slice(0, -1))
      writeFileSync(table, new Uint8Array(3000).fill(7));
    const pipe = join(folder, "db", "pipe");
    execFileSync("mkfifo", [pipe]);
    for (let i = 0; i < 2; i++) {
      await expect(storage.read(["a"])).rejects.toThrow(`${folder}: cannot be used: `);
    }
    expect(storage.damages).toEqual([]);
    rmSync(pipe);
    await storage.read(["a"]);
    expect(storage.damages).toEqual([expect.stringContaining(`${folder} is damaged (`)]);
    await storage.write(put(["d", utf8("new")]), []);
    expect(await storage.read(["d"])).toEqual([utf8("new")]);
  });

  test("a second time, beside the first", async () => {
    const folder = await filled();
    for (let i = 0; i < 2; i++) {
      rmSync(join(folder, "db", "CURRENT"));
      await (await LevelStorage.open(folder)).close();
    }
    expect(readdirSync(folder).sort()).toEqual(["CHAINLAB", "db", "db-damaged-1", "db-damaged-2"]);
  });

  test("with a bit flipped in the log of its last writes, of which the log alone is set aside", async () => {
    const folder = await filled();
    const storage = await LevelStorage.open(folder);
    await storage.write(put(["d", utf8("an action")]), []);
    await storage.write(put(["e", utf8("another action")]), []);
    await storage.close();
    const [log = ""] = filesOf(folder, ".log");
    const bytes = readFileSync(log);
    const at = bytes.indexOf("another action");
    bytes[at] = (bytes[at] ?? 0) ^ 4;
    writeFileSync(log, bytes);

    const again = await LevelStorage.open(folder);
    expect((await again.read(["a", "d", "e"])).map((value) => value?.length)).toEqual([
      40_000,
      utf8("an action").length,
      undefined,
    ]);
    const quarantined = join(folder, "db-damaged-1");
    expect(again.damages).toEqual([
      expect.stringMatching(
        / is damaged \(Corruption: checksum mismatch: \d+ bytes of what was written last /,
      ),
    ]);
    expect(again.damages[0]).toContain(`its log lies in ${quarantined} as it was`);
    expect(readFileSync(join(quarantined, basename(log))).equals(bytes)).toBe(true);
    await again.close();
    expect((await open(folder)).damages).toEqual([]);
  });

  test("but a log that was cut by a crash is no damage: the last write is whole or not there", async () => {
    const folder = await filled();
    const [log = ""] = filesOf(folder, ".log");
    appendFileSync(log, new Uint8Array(5));
    const storage = await open(folder);
    expect((await storage.read(["a", "b", "c"])).map((value) => value?.[0])).toEqual([1, 2, 3]);
    expect(storage.damages).toEqual([]);
  });
});

describe("plain copies", () => {
  const BEGINNING = "worlds/w/beginning-0";
  const HEAD = "worlds/w/head-0";
  const world = put([BEGINNING, utf8("how it began")], [HEAD, utf8("how it was saved")]);

  const kept = async (): Promise<string> => {
    const folder = newFolder();
    const storage = await LevelStorage.open(folder);
    await storage.write(world, []);
    await storage.close();
    return folder;
  };

  test.each([
    [["db"], [2]],
    [["db", "plain/WRITES"], [2]],
    [["db", "plain"], [0]],
  ])(
    "a folder that has lost %j says so, and has what is left of its worlds",
    async (lost, [left]) => {
      const folder = await kept();
      for (const name of lost) rmSync(join(folder, name), { recursive: true });
      const storage = await open(folder);
      expect(storage.damages).toEqual([
        expect.stringContaining(`the database in ${folder} is missing`),
      ]);
      expect(await storage.keys("worlds/")).toHaveLength(left ?? -1);
      await storage.write(put(["worlds/v/beginning-0", utf8("another")]), []);
      await storage.close();
      expect((await open(folder)).damages).toEqual([]);
    },
  );

  const PLAIN = ["WRITES", "w.beginning-0", "w.head-0"];
  const all = (change: (path: string) => void) => (folder: string) => {
    for (const name of PLAIN) change(join(folder, "plain", name));
  };

  test.each<[string, (folder: string) => void, string]>([
    ["count is removed", (folder) => rmSync(join(folder, "plain/WRITES")), "WRITES: "],
    ["count is junk", (folder) => writeFileSync(join(folder, "plain/WRITES"), "junk"), "WRITES: "],
    ["copy is removed", (folder) => rmSync(join(folder, "plain/w.head-0")), "w.head-0: "],
    [
      "copy is cut",
      (folder) => truncateSync(join(folder, "plain/w.beginning-0"), 3),
      "w.beg.*-0: ",
    ],
    ["files are cut", all((path) => truncateSync(path, 3)), "WRITES and 2 more beside it: "],
    ["folder is removed", (folder) => rmSync(join(folder, "plain"), { recursive: true }), "WRITES"],
    ["copies are removed", all((path) => rmSync(path)), "WRITES and 2 more beside it: "],
  ])("whose %s are named, and written anew", async (_, damage, named) => {
    const folder = await kept();
    damage(folder);
    const storage = await open(folder);
    expect(storage.damages).toEqual([
      expect.stringMatching(new RegExp(`^${folder}/plain/${named}.*written anew`)),
    ]);
    await storage.close();
    expect(readdirSync(join(folder, "plain")).sort()).toEqual(PLAIN);
    for (const [key, record] of world) {
      const file = join(folder, "plain", key.slice("worlds/".length).replace("/", "."));
      expect(new Uint8Array(readFileSync(file))).toEqual(record);
    }
    const again = await open(folder);
    expect(again.damages).toEqual([]);
    // Nor are they written again where nothing is wrong.
    expect(readFileSync(join(folder, "plain/WRITES"), "utf8")).toMatch(/^writes 2 /);
  });

  test("restore what is dropped by a repair that comparing them has caused", async () => {
    const folder = await kept();
    for (let i = 0; i < 2; i++) {
      const storage = await LevelStorage.open(folder);
      await storage.write(put([HEAD, utf8(`later ${i}`)]), []);
      await storage.close();
    }
    const [oldest = "", ...others] = filesOf(folder, ".ldb").sort();
    expect(others.length).toBeGreaterThan(0);
    writeFileSync(oldest, new Uint8Array(3000).fill(7));
    const storage = await open(folder);
    expect(storage.damages).toEqual([expect.stringContaining(`${folder} is damaged (`)]);
    expect(await storage.read([BEGINNING])).toEqual([world.get(BEGINNING)]);
  });

  test("that are older than the database are no damage, nor those that an earlier version has not made", async () => {
    const folder = await kept();
    const files = PLAIN.map((name) => join(folder, "plain", name));
    const before = files.map((file) => readFileSync(file));
    const storage = await LevelStorage.open(folder);
    await storage.write(put([HEAD, utf8("later")], ["worlds/v/beginning-0", utf8("older")]), []);
    await storage.close();
    const current = readFileSync(join(folder, "plain/WRITES"));
    files.forEach((file, i) => {
      writeFileSync(file, before[i] ?? "");
    });
    rmSync(join(folder, "plain/v.beginning-0"));
    const behind = await LevelStorage.open(folder);
    expect(behind.damages).toEqual([]);
    await behind.close();
    expect(readFileSync(join(folder, "plain/w.head-0"), "utf8")).toBe("later");
    expect(readFileSync(join(folder, "plain/WRITES"))).not.toEqual(current);
    rmSync(join(folder, "plain/v.beginning-0"));
    expect((await open(folder)).damages).toEqual([]);
  });

  test("are not missed where making the folder was cut short, before its database or after", async () => {
    const folder = newFolder();
    const spy = vi.spyOn(ClassicLevel.prototype, "open").mockRejectedValue(new Error("killed"));
    onTestFinished(() => spy.mockRestore());
    await expect(LevelStorage.open(folder)).rejects.toThrow("killed");
    spy.mockRestore();
    expect(readdirSync(folder)).toEqual(["CHAINLAB.part"]);
    const storage = await LevelStorage.open(folder);
    expect(storage.damages).toEqual([]);
    await storage.close();
    renameSync(join(folder, "CHAINLAB"), join(folder, "CHAINLAB.part"));
    expect((await open(folder)).damages).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(["CHAINLAB", "db"]);
  });

  test("do not come back with a world that was removed while they were written", async () => {
    const folder = newFolder();
    const storage = await open(folder);
    await storage.write(world, []);
    // The first looks for missing files, the second for nothing.
    rmSync(join(folder, "plain"), { recursive: true });
    await storage.close();
    const again = await open(folder);
    await Promise.all([
      again.write(put([HEAD, utf8("later")]), []),
      again.write(put(), [...world.keys()]),
    ]);
    await again.close();
    expect(readdirSync(join(folder, "plain"))).toEqual(["WRITES"]);
  });
});
