import { expect, test } from "vitest";
import { driveHere } from "./loop.ts";

test("a call is answered after the slice that is under way, however much there is to do", async () => {
  let slices = 0;
  let working = true;
  const rested = new Promise<void>((resolve) => {
    const slice = (): number => {
      slices += 1;
      return working ? 0 : Number.POSITIVE_INFINITY;
    };
    driveHere({ onWake() {}, slice }, resolve);
  });
  const { port1, port2 } = new MessageChannel();
  const called = (): Promise<void> =>
    new Promise((resolve) => {
      port1.onmessage = () => resolve();
      port2.postMessage(undefined);
    });
  await called();
  for (let calls = 0; calls < 100; calls++) {
    const before = slices;
    await called();
    expect(slices - before).toBeLessThanOrEqual(2);
  }
  expect(slices).toBeGreaterThan(10);
  working = false;
  await rested;
});

test("a player with nothing to do is asked again only when it is woken", async () => {
  let slices = 0;
  let done = (): void => {};
  const player = {
    onWake() {},
    slice(): number {
      slices += 1;
      return Number.POSITIVE_INFINITY;
    },
  };
  const next = (): Promise<void> => new Promise((resolve) => (done = resolve));
  const first = next();
  driveHere(player, () => done());
  await first;
  expect(slices).toBe(1);
  const second = next();
  player.onWake();
  player.onWake();
  await second;
  expect(slices).toBe(2);
});

test("each slice is as long as it is said to be, or of the usual length", async () => {
  const lengths: number[] = [];
  const given = [2, undefined, 5];
  await new Promise<void>((resolve) => {
    const slice = (budget: number): number => {
      lengths.push(budget);
      return lengths.length < given.length ? 0 : Number.POSITIVE_INFINITY;
    };
    driveHere({ onWake() {}, slice }, resolve, () => given[lengths.length]);
  });
  expect(lengths).toEqual([2, 8, 5]);
});
