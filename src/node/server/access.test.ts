import { expect, onTestFinished, test, vi } from "vitest";
import { Access, TokenGuesses } from "./access.ts";
import { readBind } from "./listen.ts";

const HERE = readBind("127.0.0.1:1317");
const EVERYWHERE = readBind("0.0.0.0:1317");

test.each([
  ["this machine, without a token", HERE, undefined, {}, undefined],
  ["elsewhere, without a token", EVERYWHERE, undefined, {}, [7, /^this node has no token/]],
  [
    "a page of another origin",
    HERE,
    undefined,
    { origin: "https://a.example" },
    [7, /other origins/],
  ],
  ["one who shows no token", HERE, "otter", {}, [16, /needs the chain's token/]],
  ["one who shows the token", EVERYWHERE, "otter", { authorization: "Bearer otter" }, undefined],
] as const)("%s: steers, or is told truly why not", async (_, bind, token, headers, refused) => {
  const refusal = await new Access(bind, token).refusal(headers);
  expect(refusal && [refusal.code, refusal.message]).toEqual(
    refused && [refused[0], expect.stringMatching(refused[1])],
  );
});

test("a wrong token waits a second for its answer, by whatever way it comes", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const access = new Access(HERE, "otter");
  const answers: unknown[] = [];
  void access.refusal({ authorization: "Bearer x" }).then((refusal) => answers.push(refusal?.code));
  void access.isToken("x").then((is) => answers.push(is));
  await vi.advanceTimersByTimeAsync(999);
  expect(answers).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(answers.sort()).toEqual([16, false]);
});

test("wrong tokens of one address are answered one after the other, each later, and neither a right one nor another address waits for them", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const guesses = new TokenGuesses();
  // Two servers of one node.
  const [rest, grpc] = [1, 2].map(() => new Access(HERE, "otter", 1_000, guesses));
  const answers: string[] = [];
  const show = (access: Access | undefined, token: string, address: string): void =>
    void access
      ?.isToken(token, address)
      .then((is) => answers.push(`${token} ${is}`))
      .catch(({ code }) => answers.push(`${token} ${code}`));
  for (const [i, access] of [rest, grpc, rest].entries()) show(access, `w${i}`, "10.0.0.1");
  show(rest, "v", "10.0.0.2");
  const after = async (ms: number): Promise<string[]> => {
    await vi.advanceTimersByTimeAsync(ms);
    return answers.splice(0);
  };
  expect(await after(999)).toEqual([]);
  expect(await after(1)).toEqual(["w0 false", "v false"]);
  expect(await after(1_999)).toEqual([]);
  expect(await after(1)).toEqual(["w1 false"]);
  expect(await after(3_999)).toEqual([]);
  expect(await after(1)).toEqual(["w2 false"]);
  // The right token ends it.
  show(grpc, "otter", "10.0.0.1");
  expect(await after(0)).toEqual(["otter true"]);
  show(rest, "w3", "10.0.0.1");
  expect(await after(1_000)).toEqual(["w3 false"]);
  for (let i = 0; i < 9; i++) show(rest, `x${i}`, "2001:db8::1:2");
  expect(await after(0)).toEqual(["x8 8"]);
  show(rest, "y", "2001:db8:0:0:5::1");
  show(rest, "z", "2001:db9::1");
  expect(await after(1_000)).toEqual(["y 8", "x0 false", "z false"]);
});

test("while eight wrong tokens of an address wait, nothing of it is compared, for at most 30 seconds", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const access = new Access(HERE, "otter");
  const shown = (token: string, address = "10.0.0.1") =>
    access.isToken(token, address).catch(({ code }) => code);
  const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);
  const wrong = (): void => void shown("w");
  for (let i = 0; i < 7; i++) wrong();
  expect(await shown("otter")).toBe(true);
  wrong();
  expect([await shown("otter"), await shown("otter", "10.0.0.2")]).toEqual([8, true]);
  await seconds(1);
  expect(await shown("otter")).toBe(true);
  // One delay is running; the right token resets the others.
  wrong();
  for (const wait of [2, 1, 2, 4, 8, 16, 30, 30]) {
    await seconds(wait - 0.001);
    expect(await shown("otter")).toBe(8);
    await seconds(0.001);
    wrong();
  }
  expect(await shown("otter")).toBe(8);
});
