import { expect, test } from "vitest";
import { Pace } from "./pace.ts";

test("at a steady block a second the rate is that, however the windows fall between the blocks", () => {
  const pace = new Pace();
  const rates = new Set<number>();
  let height = 0;
  for (let now = 0; now <= 60_000; now += 10) {
    if (now % 1000 === 370) height += 1;
    pace.measure(now, height);
    if (now > 6000) rates.add(pace.rate);
  }
  expect([...rates]).toEqual([1]);
});

test("the first rate is that of whole intervals, though the first block comes at once", () => {
  const pace = new Pace();
  const rates: number[] = [];
  for (let now = 0; now <= 20_000; now += 10) {
    if (pace.measure(now, Math.floor((now + 990) / 1000))) rates.push(pace.rate);
  }
  expect(rates).toEqual([1]);
});

test("when no block comes any more the rate falls to nothing", () => {
  const pace = new Pace();
  for (let now = 0; now <= 10_000; now += 10) pace.measure(now, Math.floor(now / 100));
  expect(pace.rate).toBe(10);
  for (let now = 10_000; now <= 20_000; now += 10) pace.measure(now, 100);
  expect(pace.rate).toBe(0);
});
