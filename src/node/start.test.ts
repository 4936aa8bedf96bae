import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { chainlab } from "./command-line.testing.ts";
import { newFolder } from "./server/chain.testing.ts";

test.each([
  [
    ["--rest", "here"],
    '--rest: expected an address and a port such as 127.0.0.1:1317, found "here"',
  ],
  [["--rpc", "127.0.0.1:99999"], "--rpc: expected an address and a port"],
  [["--speed", "fast"], "expected full, paused or blocks per second"],
  [["--scenario", "nope.yaml"], "nope.yaml: cannot be read: there is no such file"],
  [["--scenario", "a.yaml", "--genesis", "b.json"], "expected --scenario or --genesis, found both"],
  [["--genesis", "nope.json"], "nope.json: cannot be read: there is no such file"],
  [
    ["--genesis", "package.json"],
    'package.json is no genesis: missing "chain_id" and "app_state", expected an exported genesis file',
  ],
  [["--genesis", "public/scenarios/double-sign.yaml"], "app_state, found a scenario"],
  [["--ephemeral"], "expected --home or --ephemeral, found both"],
])("chainlab start %j is refused with exit status 2", async (flags, reason) => {
  const home = join(newFolder(), "home");
  const { status, stdout, stderr } = await chainlab("start", "--home", home, ...flags);
  expect([status, stdout, stderr]).toEqual([2, "", expect.stringContaining(reason)]);
});

/** Lays out a home again; returns the output. */
async function again(home: string, ...flags: string[]) {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const { status, stdout, stderr } = await chainlab("init", "--home", home, ...flags);
  const text = stderr + write.mock.calls.map(([line]) => line).join("");
  write.mockRestore();
  return { status, stdout, said: text };
}

test("a home that has lost its chain, or some of it, is never begun anew without a word", async () => {
  const home = join(newFolder(), "home");
  const { stdout } = await again(home, "--scenario", "public/scenarios/double-sign.yaml");
  const genesis = readFileSync(join(home, "config/genesis.json"), "utf8");
  expect(await again(home)).toEqual({ status: 0, stdout, said: "" });

  const plain = join(home, "data/plain");
  const copies = readdirSync(plain);
  for (const [damaged, change] of [
    [["WRITES"], rmSync],
    [["WRITES"], (path: string) => writeFileSync(path, "junk")],
    [copies, (path: string) => truncateSync(path, 20)],
  ] as const) {
    for (const name of damaged) change(join(plain, name));
    const { said: text } = await again(home);
    const more = damaged.length > 1 ? ` and ${copies.length - 1} more beside it` : "";
    expect(text).toBe(
      `${plain}/WRITES${more}: missing or damaged, and written anew from the database\n`,
    );
    expect(await again(home)).toEqual({ status: 0, stdout, said: "" });
  }

  rmSync(join(home, "data/db"), { recursive: true });
  const missing = await again(home);
  expect(missing).toMatchObject({ status: 0, stdout });
  expect(missing.said).toMatch(
    /^the database in .*data is missing: it has had 0 writes, and \d+ by /,
  );
  expect(await again(home)).toEqual({ status: 0, stdout, said: "" });

  const [log = ""] = readdirSync(join(home, "data/db")).filter((name) => name.endsWith(".log"));
  truncateSync(join(home, "data/db", log));
  const cut = await again(home);
  expect(cut).toMatchObject({ status: 0, stdout });
  expect(cut.said).toMatch(
    /^the database in .*data has lost its last writes: it has had \d+ writes, /,
  );

  rmSync(join(home, "data"), { recursive: true });
  expect(await again(home)).toEqual({
    status: 0,
    stdout,
    said: `${home}/data: the chain of this home is not there any more: it begins anew from ${home}/config/genesis.json\n${home}/config/genesis.json: it is the genesis of chain ${JSON.parse(genesis).chain_id}, of address prefix chain\n`,
  });
  expect(readFileSync(join(home, "config/genesis.json"), "utf8")).toBe(genesis);

  rmSync(join(home, "data"), { recursive: true });
  const other = await again(home, "--scenario", "public/scenarios/full-slash.yaml");
  expect(other.said.split("\n")).toEqual([
    expect.stringMatching(/^\S+data: the chain .* is not there any more: another one begins$/),
    expect.stringContaining("genesis.json: it "),
    "",
  ]);
  expect(readFileSync(join(home, "config/genesis.json"), "utf8")).not.toBe(genesis);
  expect(readFileSync(join(home, "config/genesis-1.json"), "utf8")).toBe(genesis);
});

test("a genesis that is not of the home's chain, and a mark that is lost, are named, and the chain goes on", async () => {
  const home = join(newFolder(), "home");
  const { stdout } = await again(home);
  const file = join(home, "config/genesis.json");
  const genesis = readFileSync(file, "utf8");
  const { chain_id: id, lab, ...rest } = JSON.parse(genesis);
  const quarantined = (i: number): string => join(home, `config/genesis-${i}.json`);
  const osmo = JSON.stringify({ ...JSON.parse(genesis), lab: { ...lab, prefix: "osmo" } });
  for (const [text, found, i] of [
    [genesis.replaceAll(id, "other-9"), `is of chain other-9, not ${id}`, 1],
    ["{", "is no genesis of a chain", 2],
    ["[]", "is no genesis of a chain", 3],
    [osmo, "is of address prefix osmo, not chain", 4],
    [
      osmo.replaceAll(id, "other-9"),
      `is of chain other-9, not ${id}, and of address prefix osmo, not chain`,
      5,
    ],
    [
      genesis.replace(`"block_time": "${lab.block_time}"`, '"block_time": "1s"'),
      `has another content than the genesis that ${id} began with`,
      6,
    ],
    [osmo, "is of address prefix osmo, not chain", 4],
  ] as const) {
    writeFileSync(file, text);
    expect(await again(home)).toEqual({
      status: 0,
      stdout,
      said: `${file}: it ${found}: it is ${quarantined(i)} now, and the genesis of ${id}, the chain of this home, is written in its place\n`,
    });
    expect(readFileSync(file, "utf8")).toBe(genesis);
    expect(readFileSync(quarantined(i), "utf8")).toBe(text);
  }
  // The same JSON, in another order.
  const reformatted = JSON.stringify({ lab, ...rest, chain_id: id });
  writeFileSync(file, reformatted);
  expect(await again(home)).toEqual({ status: 0, stdout, said: "" });
  expect(readFileSync(file, "utf8")).toBe(reformatted);
  rmSync(file);
  expect(await again(home)).toEqual({ status: 0, stdout, said: "" });
  expect(readFileSync(file, "utf8")).toBe(genesis);

  const other = join(newFolder(), "home");
  await again(other, "--prefix", "osmo");
  copyFileSync(join(other, "config/genesis.json"), file);
  rmSync(join(home, "data"), { recursive: true });
  expect((await again(home)).said).toBe(
    `${home}/data: the chain of this home is not there any more: it begins anew from ${file}\n${file}: it is the genesis of chain ${id}, of address prefix osmo\n`,
  );

  rmSync(join(home, "data/CHAINLAB"));
  expect(await again(home)).toEqual({
    status: 0,
    stdout,
    said: `${home}/data: the file CHAINLAB was missing, and is written anew\n`,
  });
  expect(await again(home)).toEqual({ status: 0, stdout, said: "" });
});

test.each([
  ["config/genesis.json", "expected a file, found a folder"],
  ["config/client.toml", "expected a file, found a folder"],
  ["data/upgrade-info.json", "expected a file, found a folder"],
  ["data/CHAINLAB", 'expected a file with "chainlab 1", found a folder'],
  ["data/plain/WRITES", "expected a file, found a folder"],
  ["data/db/CURRENT", "Is a directory"],
])(
  "%s of a home that is a folder is refused with its path, and exit status 2",
  async (file, why) => {
    const home = join(newFolder(), "home");
    await again(home);
    rmSync(join(home, file), { force: true });
    mkdirSync(join(home, file));
    const { status, said: text } = await again(home);
    expect([status, text]).toEqual([2, expect.stringContaining(`${join(home, file)}: ${why}`)]);
    expect(text.trim()).not.toMatch(/\n/);
  },
);

test.each(["data", "data/db", "data/plain", "config", "keyring-test"])(
  "%s of a home that is a file is refused with what was expected, and exit status 2",
  async (folder) => {
    const home = join(newFolder(), "home");
    await again(home);
    rmSync(join(home, folder), { recursive: true, force: true });
    writeFileSync(join(home, folder), "");
    const { status, said: text } = await again(home);
    expect([status, text]).toEqual([2, expect.stringContaining("expected a folder, found a file")]);
    expect(text).toContain(`${join(home, folder)}: `);
  },
);

test.each(["start", "init"])(
  "chainlab %s names a home that is none, with exit status 2",
  async (command) => {
    const home = join(newFolder(), "file");
    writeFileSync(home, "");
    const ended = await chainlab(command, "--home", home);
    expect(ended).toMatchObject({
      status: 2,
      stderr: `${home}: cannot be used: expected a folder, found a file\n`,
    });
  },
);
