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

test("rounds are due as far apart as the speed says, and at full speed at once", () => {
  const pace = new Pace();
  pace.speed = 4;
  pace.took(1000, 0);
  expect([pace.wait(1000, 0), pace.wait(1100, 0), pace.wait(1300, 0)]).toEqual([250, 150, 0]);
  pace.speed = 0;
  expect(pace.wait(1000, 0)).toBe(0);
});

test("a bound holds where it is slower than the speed, and at full speed", () => {
  const pace = new Pace();
  const wait = (speed: number, atMost: number): number => {
    const fresh = new Pace();
    fresh.speed = speed;
    fresh.took(1000, atMost);
    return fresh.wait(1000, atMost);
  };
  expect([wait(10, 2), wait(2, 10), wait(0, 2), wait(2, 0)]).toEqual([500, 500, 500, 500]);
  pace.speed = 10;
  pace.storySpeed = 1;
  pace.took(1000, 0);
  expect(pace.wait(1000, 0)).toBe(1000);
});

test("a delay of up to 250 ms is caught up on, a longer pause is not", () => {
  const afterPause = (pause: number): number => {
    const pace = new Pace();
    pace.speed = 10;
    pace.took(1000, 0);
    // It was due at 1100.
    pace.took(1100 + pause, 0);
    return pace.wait(1100 + pause, 0);
  };
  expect([afterPause(0), afterPause(60), afterPause(250)]).toEqual([100, 40, 0]);
  expect([afterPause(251), afterPause(60_000)]).toEqual([100, 100]);
});

test("what was due at a slower speed holds up no round of a quicker one", () => {
  const pace = new Pace();
  pace.speed = 0.1;
  pace.took(1000, 0);
  expect(pace.wait(1000, 0)).toBe(10_000);
  pace.speed = 10;
  expect(pace.wait(1000, 0)).toBe(100);
});

test("at rest the rate is nothing, which is a change only once, and measuring begins anew", () => {
  const pace = new Pace();
  const measured: number[] = [];
  for (let now = 0; now <= 10_000; now += 10) {
    if (pace.measure(now, Math.floor(now / 100))) measured.push(pace.rate);
  }
  expect(measured).toEqual([10]);
  expect([pace.rest(), pace.rate, pace.rest()]).toEqual([true, 0, false]);
  for (let now = 50_000; now <= 56_000; now += 10) pace.measure(now, 500 + Math.floor(now / 200));
  expect(pace.rate).toBe(5);
});

test("another world whose blocks are lower is measured from its own", () => {
  const pace = new Pace();
  for (let now = 0; now <= 10_000; now += 10) pace.measure(now, 5_000 + Math.floor(now / 100));
  for (let now = 10_000; now <= 16_000; now += 10) pace.measure(now, Math.floor(now / 500));
  expect(pace.rate).toBe(2);
});
