import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bech32 } from "@scure/base";
import { expect, test } from "vitest";
import { chainlab, chainlabWith } from "./command-line.testing.ts";
import { newFolder } from "./server/chain.testing.ts";

const WORDS = `${"abandon ".repeat(11)}about`;
/** Address of the mnemonic in the SDK's test vectors, with the chain's prefix. */
const ADDRESS = bech32.encode(
  "chain",
  bech32.decode("cosmos19rl4cm2hmr8afy4kldpxz3fka4jguq0auqdal4").words,
);

test("a new key is kept openly, which is said, and its words lead to it again", async () => {
  const home = newFolder();
  const added = await chainlab("keys", "add", "me", "--home", home, "--output", "json");
  expect(added.stderr).toContain(`kept unencrypted in ${join(home, "keyring-test")}`);
  const { address, mnemonic, name, type } = JSON.parse(added.stdout);
  expect({ name, type }).toEqual({ name: "me", type: "local" });
  const other = newFolder();
  const again = await chainlabWith(mnemonic, "keys", "add", "it", "--recover", "--home", other);
  expect(again).toMatchObject({ status: 0, stdout: expect.stringContaining(address) });
  expect(again.stdout).not.toContain(mnemonic);
  expect(statSync(join(home, "keyring-test", "me.json")).mode & 0o777).toBe(0o600);
});

test("words that are imported lead to the field's account, along another path to another", async () => {
  const home = newFolder();
  await chainlab("keys", "import", "me", ...WORDS.split(" "), "--home", home);
  const file = join(home, "words.txt");
  writeFileSync(file, WORDS);
  await chainlab("keys", "import", "second", "--source", file, "--index", "1", "--home", home);
  const show = async (...line: string[]) =>
    (await chainlab("keys", "show", ...line, "--home", home)).stdout.trim();
  expect(await show("me", "--address")).toBe(ADDRESS);
  expect(await show(ADDRESS, "-a", "--bech", "val")).toMatch(/^chainvaloper1/);
  expect(
    bech32.decode((await show("me", "--bech", "cons", "-a")) as `${string}1${string}`),
  ).toEqual({
    prefix: "chainvalcons",
    words: bech32.decode(ADDRESS as `${string}1${string}`).words,
  });
  expect(JSON.parse(await show("me", "-p"))).toEqual({
    "@type": "/cosmos.crypto.secp256k1.PubKey",
    key: "Ak9OKtmcNNYLm6YoPJQxqEGK+GcyEpYfl6d7Y3f80Fti",
  });
  expect(await show("second", "--address")).not.toBe(ADDRESS);
  expect((await chainlab("keys", "list", "-n", "--home", home)).stdout).toBe("me\nsecond\n");
  const { stdout } = await chainlab("keys", "list", "--home", home);
  expect(stdout).toContain(`- address: ${ADDRESS}\n  name: me\n`);
});

test("a key is deleted only where that is sure, and no key takes another's place", async () => {
  const home = newFolder();
  await chainlabWith(WORDS, "keys", "import", "me", "--home", home);
  const second = await chainlabWith(WORDS, "keys", "import", "me", "--home", home);
  expect([second.status, second.stderr]).toEqual([
    1,
    expect.stringContaining("there is a key me already"),
  ]);
  expect((await chainlab("keys", "delete", "me", "--home", home)).stderr).toContain("--yes");
  expect((await chainlab("keys", "delete", "me", "-y", "--home", home)).status).toBe(0);
  expect(readdirSync(join(home, "keyring-test"))).toEqual([]);
  expect((await chainlab("keys", "list", "--home", home)).stdout).toBe("[]\n");
});

test.each([
  [["add", "../me"], "expected a name of 1 to 64 letters"],
  [["add", ADDRESS], "expected a name"],
  [["show", "nothing"], "there is no key nothing"],
  [["import", "me", "abandon", "about"], "expected 12 to 24 words"],
  [["import", "me", "--source", "/nowhere"], "there is no such file"],
  [["add", "me", "--hd-path", "x"], "expected a path such as m/44'/118'/0'/0/0"],
])("keys %j is refused", async (line, reason) => {
  const { status, stdout, stderr } = await chainlab("keys", ...line, "--home", newFolder());
  expect([status, stdout, stderr]).toEqual([1, "", expect.stringContaining(reason)]);
});

test("a file that holds no key is named", async () => {
  const home = newFolder();
  await chainlabWith(WORDS, "keys", "import", "me", "--home", home);
  const file = join(home, "keyring-test", "me.json");
  for (const content of ["{", '{"name":"other"}']) {
    writeFileSync(file, content);
    const { status, stderr } = await chainlab("keys", "list", "--home", home);
    expect([status, stderr]).toEqual([1, expect.stringContaining(file)]);
  }
});

test("a folder of keys that is none is named, and why", async () => {
  const home = newFolder();
  const place = join(home, "keyring-test");
  writeFileSync(place, "");
  const listed = await chainlab("keys", "list", "--home", home);
  expect(listed).toMatchObject({
    status: 1,
    stderr: `${place}: expected a folder, found a file\n`,
  });
  const added = await chainlab("keys", "add", "me", "--home", home);
  expect(added).toMatchObject({ status: 1, stdout: "" });
  expect(added.stderr).toContain(`${place}: expected a folder, found a file\n`);
});
