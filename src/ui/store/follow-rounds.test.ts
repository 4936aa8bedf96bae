import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import type { Client } from "../../client/client.ts";
import { type ChainSchema, RoundsSchema } from "../../gen/lab/v1/lab_pb.ts";
import { frameOf } from "../testing.ts";
import { followRounds } from "./follow-rounds.ts";
import { createFrameStore } from "./frame-store.ts";
import { createRoundStore, proposerDrawn } from "./rounds.ts";

/** What is drawn of a chain whose rounds are those of the height that is asked for, 0 for the next one. */
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
