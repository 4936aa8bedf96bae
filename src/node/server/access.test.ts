import { expect, onTestFinished, test, vi } from "vitest";
import { Access } from "./access.ts";
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
