import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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

test.each(["start", "init"])(
  "chainlab %s names a home that is none, with exit status 2",
  async (command) => {
    const home = join(newFolder(), "file");
    writeFileSync(home, "");
    const ended = await chainlab(command, "--home", home);
    expect(ended).toMatchObject({
      status: 2,
      stderr: `${home}: cannot be used: a folder in its path is none\n`,
    });
  },
);
