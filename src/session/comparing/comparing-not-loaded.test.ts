import { expect, test, vi } from "vitest";
import { playedFor, testHost } from "../testing.ts";

test("what could not be loaded without a network is loaded when it is asked for again", async () => {
  vi.doMock("./comparing.ts", () => {
    throw new Error("there is no network");
  });
  const { session } = await playedFor(5);
  await expect(session.comparing?.()).rejects.toThrow();
  vi.doUnmock("./comparing.ts");
  await testHost().delay(0);
  const comparing = await session.comparing?.();
  const side = (height: number) => ({ world: "", height });
  const answer = await comparing?.compare({ a: side(2), b: side(4) }, { mayControl: true });
  expect([answer?.a?.height, answer?.b?.height]).toEqual([2, 4]);
});
