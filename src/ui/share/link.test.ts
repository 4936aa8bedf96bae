import fc from "fast-check";
import { expect, test } from "vitest";
import { INPUT } from "../../base/limits.ts";
import { isShared, linkHash, readLink, type Shared } from "./link.ts";

const scenario = (text: string, file = "mine.yaml"): Shared => ({ kind: "scenario", file, text });
const text = fc.string({ unit: "grapheme", maxLength: 400 });
const name = fc.string({ unit: "grapheme", maxLength: 8 }).map((file) => file.replaceAll("\n", ""));
/** Any code units, including half surrogate pairs. */
const units = (lengths: { minLength?: number; maxLength: number }) =>
  fc
    .array(
      fc.oneof(fc.integer({ min: 0xd7fe, max: 0xe001 }), fc.integer({ min: 0, max: 0xffff })),
      lengths,
    )
    .map((codes) => String.fromCharCode(...codes));

test("what goes into a link comes out of it", async () => {
  await fc.assert(
    fc.asyncProperty(text, name, async (content, file) => {
      const shared = scenario(content, file);
      expect(await readLink(await linkHash(shared))).toEqual(shared);
    }),
  );
});

test("half of a character becomes one sign, in the text and in a name of any length", async () => {
  await fc.assert(
    fc.asyncProperty(units({ maxLength: 80 }), units({ maxLength: 130 }), async (content, file) => {
      const found = await readLink(await linkHash(scenario(content, file)));
      // The byte order mark is not part of a text.
      const read = (text: string) => text.toWellFormed().replace(/^\uFEFF/, "");
      const whole = file.toWellFormed().replaceAll("\n", " ");
      const cut = whole.codePointAt(99) === whole.charCodeAt(99) ? 100 : 99;
      expect(found).toEqual(scenario(read(content), read(whole.slice(0, cut))));
    }),
  );
  const half = await readLink(await linkHash(scenario("a\uD83Db", "\uDE00.yaml")));
  expect(half).toEqual(scenario("a\uFFFDb", "\uFFFD.yaml"));
});

test("so does a world's file, with every byte", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), name, async (content, file) => {
      const shared: Shared = { kind: "world", file, content };
      expect(await readLink(await linkHash(shared))).toEqual(shared);
    }),
  );
});

test("a link is made of characters that no program between changes", async () => {
  const hash = await linkHash(scenario("scenario: 1\nname: ü\n"));
  expect(hash).toMatch(/^#\/shared\/1\/scenario\/[\w-]+$/);
  expect(isShared(hash)).toBe(true);
  expect(isShared("#/network/node/val-1")).toBe(false);
});

test("a link that was changed or cut is refused, and never read as something else", async () => {
  const shared = scenario("scenario: 1\nname: mine\ngenesis: { validators: 4 }\n");
  const hash = await linkHash(shared);
  const from = hash.lastIndexOf("/") + 1;
  const places = fc.integer({ min: from, max: hash.length - 1 });
  const read = (changed: string) =>
    readLink(changed).then(
      (found) => (JSON.stringify(found) === JSON.stringify(shared) ? "the same" : "another"),
      ({ message }: Error) => (message.startsWith("The link is damaged") ? "damaged" : message),
    );
  let [runs, damaged] = [0, 0];
  await fc.assert(
    fc.asyncProperty(places, fc.constantFrom(..."Aq3_-"), async (at, other) => {
      fc.pre(hash[at] !== other);
      runs += 1;
      // Bits between the last character and the checksum are unused.
      const found = await read(hash.slice(0, at) + other + hash.slice(at + 1));
      expect(["damaged", "the same"]).toContain(found);
      if (found === "damaged") damaged += 1;
      expect(await read(hash.slice(0, at))).toBe("damaged");
    }),
  );
  expect(damaged).toBeGreaterThan(runs / 2);
});

test.each([
  [
    "a later format",
    "#/shared/2/scenario/eJw",
    "made by a later version of Chainlab: its format is 2",
  ],
  ["a later format of another shape", "#/shared/31/a/b/c/d", "its format is 31"],
  ["no format", "#/shared/x/scenario/eJw", "it does not say its format"],
  ["more parts", "#/shared/1/scenario/eJw/more", "it does not say its format"],
  ["another kind", "#/shared/1/program/eJw", "it does not say what it holds"],
  ["nothing", "#/shared/1/scenario/", "it has characters that no link has"],
  ["other characters", "#/shared/1/scenario/a%20b", "it has characters that no link has"],
])("%s is refused in words of its own", async (_, hash, text) => {
  await expect(readLink(hash)).rejects.toThrow(text);
});

test("a link longer than browsers carry is refused before it is read", async () => {
  const most = `#/shared/1/scenario/${"A".repeat(INPUT.linkCharacters)}`;
  await expect(readLink(most)).rejects.toThrow("too long: expected at most 64000 characters");
});

test("a few bytes that stand for many are refused while they are inflated", async () => {
  const bomb = await linkHash(scenario("a".repeat(40_000_000)));
  expect(bomb.length).toBeLessThan(INPUT.linkCharacters);
  const read = ReadableStreamDefaultReader.prototype.read;
  let inflated = 0;
  ReadableStreamDefaultReader.prototype.read = async function (this: unknown, ...none) {
    const piece = await read.apply(this as never, none as never);
    if (piece.value instanceof Uint8Array) inflated += piece.value.length;
    return piece as never;
  };
  try {
    await expect(readLink(bomb)).rejects.toThrow("holds too much: expected at most 4000000 bytes");
  } finally {
    ReadableStreamDefaultReader.prototype.read = read;
  }
  expect(inflated).toBeGreaterThan(INPUT.linkBytes);
  expect(inflated).toBeLessThan(2 * INPUT.linkBytes);
});

test("a long name is cut between two characters", async () => {
  const text = "scenario: 1";
  const cut = async (file: string) =>
    (await readLink(await linkHash({ kind: "scenario", file, text }))).file;
  expect(await cut("a".repeat(120))).toBe("a".repeat(100));
  expect(await cut(`${"a".repeat(99)}😀.yaml`)).toBe("a".repeat(99));
  expect(await cut(`${"a".repeat(98)}😀.yaml`)).toBe(`${"a".repeat(98)}😀`);
});
