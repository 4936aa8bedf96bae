import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Client } from "../../client/client.ts";
import { type ChainSchema, type FrameSchema, RoundsSchema } from "../../gen/lab/v1/lab_pb.ts";
import { frameOf } from "../testing.ts";
import { followRounds } from "./follow-rounds.ts";
import { createFrameStore } from "./frame-store.ts";
import { createRoundStore, proposerDrawn, STAGE } from "./rounds.ts";

/** Returns the drawn round of a chain with rounds of the requested height, 0 for the next one. */
async function drawnOf(state: string, chain: MessageInitShape<typeof ChainSchema>) {
  const getRounds = async ({ height = 0 }) =>
    create(RoundsSchema, {
      height: height || 21,
      rounds: [{ proposer: "val-2", outcome: height ? "decided" : "no-proposal", votes: [] }],
    });
  const frames = createFrameStore();
  const rounds = createRoundStore();
  frames.setState({ frame: frameOf({ chain, chainStatus: { state } }) });
  const stop = followRounds({ lab: { getRounds } } as unknown as Client, frames, rounds);
  await expect.poll(() => rounds.getState().drawn).toBeDefined();
  stop();
  return rounds.getState();
}

test("a halt at a decided block shows the round that decided it, though some try the next one", async () => {
  const chain = { initialHeight: 1, height: 19, decidedHeight: 20, round: 7 };
  const { drawn } = await drawnOf("halted", chain);
  expect([drawn?.height, drawn?.round.outcome]).toEqual([20, "decided"]);
});

test("the proposer of a round that failed is the one that is marked; a block's own no longer is", async () => {
  const failing = await drawnOf("halted", {
    initialHeight: 1,
    height: 20,
    decidedHeight: 20,
    round: 7,
  });
  expect(proposerDrawn(failing)).toBe("val-2");
  const made = await drawnOf("running", { initialHeight: 1, height: 20, decidedHeight: 20 });
  expect(proposerDrawn(made)).toBeUndefined();
});

type FrameInit = Pick<MessageInitShape<typeof FrameSchema>, "player" | "chainStatus"> & {
  readonly chain: { decidedHeight?: number; height?: number; round?: number };
};

describe("a round is drawn", () => {
  afterEach(() => void vi.useRealTimers());

  /** Follows a chain whose newest round starts as its height defines; records all queries. */
  function following() {
    vi.useFakeTimers();
    const queried: { height?: number; newest?: number }[] = [];
    let began = 0;
    const getRounds = async (query: { height?: number }) => {
      queried.push(query);
      const rounds = [{ proposer: "val-2", round: 0, began: new Date(began).toISOString() }];
      return create(RoundsSchema, { height: query.height || 1, rounds });
    };
    const frames = createFrameStore();
    const rounds = createRoundStore();
    /** Shows a frame, and waits for the answers to its queries. */
    const shows = async ({ chain, ...frame }: FrameInit): Promise<void> => {
      began = (chain.decidedHeight ?? 0) * 1000;
      const clock = new Date(began + 5000).toISOString();
      frames.setState({
        frame: frameOf({ ...frame, chain: { initialHeight: 1, ...chain, clock } }),
      });
      await vi.advanceTimersByTimeAsync(0);
    };
    const stop = followRounds({ lab: { getRounds } } as unknown as Client, frames, rounds);
    const stage = () => rounds.getState().drawn?.stage;
    return { queried, frames, rounds, shows, stage, stop };
  }

  const playing = { speed: 1, playing: true };

  test("stage by stage, as far apart as its share of the time between two rounds", async () => {
    const { shows, stage, rounds, queried, stop } = following();
    await shows({ chain: { decidedHeight: 20 }, player: playing });
    expect(queried).toEqual([{ height: 20, newest: 6 }]);
    expect(rounds.getState().drawn).toMatchObject({
      height: 20,
      waited: [{ round: 0, seconds: 5 }],
    });
    expect(stage()).toBe(STAGE.proposal);
    await vi.advanceTimersByTimeAsync(219);
    expect(stage()).toBe(STAGE.proposal);
    await vi.advanceTimersByTimeAsync(1);
    expect(stage()).toBe(STAGE.proposal + 1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(stage()).toBe(STAGE.outcome);
    stop();
  });

  test("once: what changes beside it shows how it ended, and the next round begins anew", async () => {
    const { shows, stage, queried, stop } = following();
    await shows({ chain: { decidedHeight: 20 }, player: playing });
    await shows({ chain: { decidedHeight: 20 }, player: playing });
    expect(queried).toHaveLength(1);
    await shows({ chain: { decidedHeight: 20 }, player: playing, chainStatus: { state: "split" } });
    expect([queried.length, stage()]).toEqual([2, STAGE.outcome]);
    await shows({ chain: { decidedHeight: 21 }, player: playing, chainStatus: { state: "split" } });
    expect([queried.length, stage()]).toEqual([3, STAGE.proposal]);
    stop();
  });

  test("as it ended, where rounds come quicker than can be seen or the past is shown", async () => {
    const quick = following();
    await quick.shows({ chain: { decidedHeight: 20 }, player: { speed: 3, playing: true } });
    expect(quick.stage()).toBe(STAGE.outcome);
    await quick.shows({ chain: { decidedHeight: 21 }, player: { speed: 2, playing: true } });
    expect(quick.stage()).toBe(STAGE.proposal);
    await quick.shows({ chain: { decidedHeight: 22 }, player: { speed: 0, playing: true } });
    expect(quick.stage()).toBe(STAGE.outcome);
    quick.frames.setState({ travel: {} as never });
    await quick.shows({ chain: { decidedHeight: 23 }, player: playing });
    expect(quick.stage()).toBe(STAGE.outcome);
    quick.stop();
  });

  test("slowly where it was made by itself, and no more once nobody follows", async () => {
    const { shows, stage, stop, queried } = following();
    await shows({ chain: { decidedHeight: 20 }, player: { speed: 100 } });
    expect(stage()).toBe(STAGE.proposal);
    stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(stage()).toBe(STAGE.proposal);
    await shows({ chain: { decidedHeight: 21 }, player: playing });
    expect(queried).toHaveLength(1);
  });

  test("in half a second at least where the chain stands still, however fast it is played", async () => {
    const { shows, stage, stop } = following();
    const halted = { chainStatus: { state: "halted" }, player: { speed: 100, playing: true } };
    await shows({ chain: { decidedHeight: 20, height: 20, round: 3 }, ...halted });
    expect(stage()).toBe(STAGE.proposal);
    await vi.advanceTimersByTimeAsync(110);
    expect(stage()).toBe(STAGE.proposal + 1);
    stop();
  });

  test("of the height to come where it failed or there is no block, of the newest otherwise", async () => {
    const { shows, queried, stop } = following();
    await shows({ chain: { decidedHeight: 0 }, player: playing });
    await shows({ chain: { decidedHeight: 1 }, player: playing });
    await shows({ chain: { decidedHeight: 1, round: 1 }, player: playing });
    await shows({ chain: { decidedHeight: 1, round: 2 }, player: playing });
    expect(queried.map(({ height }) => height)).toEqual([0, 1, 0, 0]);
    stop();
  });

  test("not on the way to another height, nor before the first frame", async () => {
    const { shows, frames, queried, stop } = following();
    frames.setState({ at: undefined });
    await shows({ chain: { decidedHeight: 20 }, player: playing });
    frames.setState({ frame: undefined, at: 0 });
    await vi.advanceTimersByTimeAsync(0);
    expect(queried).toEqual([]);
    stop();
  });
});
