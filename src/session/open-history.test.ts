import { describe, expect, test, vi } from "vitest";
import { toHexUpper } from "../base/bytes.ts";
import { CommandError, STATUS, StatusError } from "../engine/framework/errors.ts";
import { Simulation } from "../engine/simulation/simulation.ts";
import { runRounds, worldSpec } from "../engine/simulation/testing.ts";
import type { HistoryPart } from "../engine/simulation/world-history.ts";
import { USUAL_RESIDENCE, withAllPages } from "../engine/simulation/world-pages.ts";
import { openBlocks, type Reading } from "../view/lab/reading.ts";
import { OpenHistory } from "./open-history.ts";

const TINY = {
  blocks: { pageBlocks: 4, pageBytes: 500, residentBytes: 1 },
  results: { pageBytes: 500, residentBytes: 1 },
  states: { count: 2, bytes: 1, inKeyframe: 1 },
};
const ROOMY = withAllPages({ ...TINY, states: USUAL_RESIDENCE.states });

const QUESTION = "it reads what it has not opened";

/**
 * A world of 30 blocks without history in memory, its history, and a loader that reads it from a
 * complete one.
 */
function worlds() {
  let isRun = true;
  const below = (): Simulation => {
    if (!isRun) throw new Error(QUESTION);
    return Simulation.create(worldSpec(), undefined, ROOMY);
  };
  const whole = Simulation.create(worldSpec(), undefined, ROOMY);
  const little = Simulation.create(worldSpec(), { below }, TINY);
  const run = (blocks: number): void => {
    for (const sim of [whole, little]) runRounds(sim, blocks);
  };
  run(30);
  isRun = false;
  const load = vi.fn(async (part: HistoryPart) => part.read(whole) as object);
  const history = new OpenHistory(little, load);
  const hashAt = (sim: Simulation, height: number) =>
    toHexUpper(sim.block(height)?.hash as Uint8Array);
  return { whole, little, load, history, run, hashAt };
}

describe("the past of a world, opened by one reader", () => {
  test("is opened range by range, each once, and stays open while the world goes on", async () => {
    const { whole, little, load, history, run, hashAt } = worlds();
    const hashes = await history.read(function* (): Reading<string[]> {
      yield* openBlocks(2);
      const first = hashAt(little, 2);
      run(20);
      yield* openBlocks(2);
      yield* openBlocks(14);
      return [first, hashAt(little, 2), hashAt(little, 14)];
    });
    expect(hashes).toEqual([2, 2, 14].map((height) => hashAt(whole, height)));
    const keys = load.mock.calls.map(([{ key }]) => key);
    expect(new Set(keys).size).toBe(keys.length);
    load.mockClear();
    expect(history.open({ kind: "blocks", from: 2, to: 2 })).toBeUndefined();
    expect(() => hashAt(little, 10)).toThrow(QUESTION);
  });

  test("that cannot be had is a refusal of the question, which may say it in its own form", async () => {
    const { little, load, history, hashAt } = worlds();
    load.mockRejectedValue(new CommandError("the storage does not answer"));
    const requested = history.read(function* () {
      yield* openBlocks(2);
      return hashAt(little, 2);
    });
    await expect(requested).rejects.toThrow("the storage does not answer");
    const text = await history.read(function* () {
      try {
        yield* openBlocks(2);
        return "";
      } catch (error) {
        return `refused: ${String(error)}`;
      }
    });
    expect(text).toMatch(/^refused: .*the storage does not answer$/);
  });

  test("is not opened any further once the one who asks has gone", async () => {
    const { load, history } = worlds();
    let gone = false;
    const requested = history.read(
      function* () {
        yield* openBlocks(2);
        yield* openBlocks(14);
        return "answered";
      },
      undefined,
      { mayControl: false, gone: () => gone },
    );
    gone = true;
    await expect(requested).rejects.toThrow("given up");
    expect(load.mock.calls.every(([{ height }]) => height < 5)).toBe(true);
  });

  test("is not read at all for one who has gone before", async () => {
    const { history } = worlds();
    const answer = vi.fn(() => "answered");
    const requested = history.read(answer, undefined, { mayControl: false, gone: () => true });
    await expect(requested).rejects.toThrow("given up");
    expect(answer).not.toHaveBeenCalled();
  });

  test("is read further in the turn of the one who asks, each time that something was waited for", async () => {
    const { history } = worlds();
    const goOn = vi.fn(async () => {});
    const answer = function* (): Reading<number> {
      yield* openBlocks(2);
      return goOn.mock.calls.length;
    };
    expect(
      await history.read(answer, undefined, { mayControl: false, resume: goOn }),
    ).toBeGreaterThan(0);
    goOn.mockClear();
    // Nothing is awaited any more.
    expect(await history.read(answer, undefined, { mayControl: false, resume: goOn })).toBe(0);
  });

  test("is asked nowhere else where nothing answers, and refused as the query says", async () => {
    const { history } = worlds();
    const refusal = new StatusError(STATUS.invalidArgument, "it is known now");
    const elsewhere = {
      kind: "world",
      method: "getNodes",
      request: {},
      height: 3,
      refusal,
    } as const;
    const requested = history.read(function* (): Reading<unknown> {
      return yield elsewhere;
    });
    await expect(requested).rejects.toThrow("it is known now");
  });
});
