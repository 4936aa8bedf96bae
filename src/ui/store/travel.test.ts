import { create } from "@bufbuild/protobuf";
import { beforeEach, expect, test, vi } from "vitest";
import type { Client } from "../../client/client.ts";
import {
  ActivitySchema,
  BlockCellSchema,
  ChainSchema,
  PastSchema,
} from "../../gen/lab/v1/lab_pb.ts";
import { frameOf } from "../testing.ts";
import { afterFrame } from "./frame-store.ts";
import { pollHistory } from "./history-frames.ts";
import { nextMark } from "./next-mark.ts";
import { createPage, type Page } from "./page.ts";
import * as route from "./route.ts";
import {
  arrive,
  backToLive,
  goLive,
  liveHeight,
  selectBlock,
  shownHeight,
  travelBy,
  travelTo,
} from "./travel.ts";
import type { Frame } from "./types.ts";

let page: Page;
/** The newest height, and the greatest available past height. */
let newest: number;
let ready: number;
let world: string;
let requested: { height: number; blocksAfter: number }[];
/** Callbacks for the next animation frame. */
let draw: (() => void)[];

const cellsTo = (last: number, count: number) =>
  Array.from({ length: count }, (_, i) =>
    create(BlockCellSchema, { height: last - count + 1 + i, marks: 0 }),
  );

const at = (height: number, change: Parameters<typeof frameOf>[0] = {}): Frame =>
  frameOf({
    world,
    revision: height,
    chain: create(ChainSchema, { height, initialHeight: 1 }),
    blocks: cellsTo(height, Math.min(height, 400)),
    activity: [create(ActivitySchema, { seq: height, height, kind: "log" })],
    ...change,
  });

beforeEach(async () => {
  newest = 1000;
  ready = 1000;
  world = "w";
  requested = [];
  draw = [];
  vi.stubGlobal("requestAnimationFrame", (then: () => void) => draw.push(then));
  const getFrame = async (request: (typeof requested)[number]): Promise<Frame> => {
    requested.push(request);
    const { height } = request;
    if (height === 0) return at(newest);
    const shown = Math.min(height, ready);
    const past = create(PastSchema, { asked: height, shown, liveHeight: newest, progress: 1 });
    return at(shown, { past, world: "past of w" });
  };
  const getMarks = async () => ({ blocks: [create(BlockCellSchema, { height: 3, marks: 1 })] });
  page = createPage({ lab: { getFrame, getMarks }, height: 0 } as unknown as Client);
  page.frames.setState((old) => afterFrame(old, at(newest)));
});

const state = () => page.frames.getState();
const heights = () => state().blocks.map(({ height }) => height);

test("going to a height shows that height, and asks everything else about it once it is there", async () => {
  travelTo(page, 21);
  expect(state().at).toBeUndefined();
  expect(page.client.height).toBe(0);
  await pollHistory(page);
  expect(state()).toMatchObject({ at: 21, frame: { world: "w", chain: { height: 21 } } });
  expect(page.client.height).toBe(21);
  expect(state().activity.log.map(({ height }) => height)).toEqual([21]);
  expect(shownHeight(state())).toBe(21);
  expect(liveHeight(state())).toBe(1000);
});

test("until a height is ready, the one that is shows, and nothing else is asked about it", async () => {
  ready = 15;
  travelTo(page, 21);
  await pollHistory(page);
  expect(state()).toMatchObject({ at: undefined, frame: { past: { asked: 21, shown: 15 } } });
  expect(page.client.height).toBe(0);
  ready = 30;
  await pollHistory(page);
  expect(state()).toMatchObject({ at: 21, frame: { chain: { height: 21 } } });
});

test("while it is dragged each height is shown, and only the last one is asked about", async () => {
  travelTo(page, 30, true);
  await pollHistory(page);
  expect(state()).toMatchObject({ at: undefined, frame: { chain: { height: 30 } } });
  travelTo(page, 29, false);
  await pollHistory(page);
  expect(state()).toMatchObject({ at: 29, frame: { chain: { height: 29 } } });
});

test("what is there is not asked for again", async () => {
  travelTo(page, 21);
  await pollHistory(page);
  const before = requested.filter(({ height }) => height === 21).length;
  await pollHistory(page);
  expect(requested.filter(({ height }) => height === 21)).toHaveLength(before);
});

test("back to live shows the newest block at once, as it was known", async () => {
  const live = state().frame;
  const cells = heights();
  travelTo(page, 21);
  await pollHistory(page);
  expect(heights()).toEqual([...cellsTo(21, 21).map(({ height }) => height), ...cells]);
  backToLive(page);
  expect(state()).toMatchObject({ travel: undefined, at: 0, frame: live });
  expect(heights()).toEqual(cells);
  expect(page.client.height).toBe(0);
});

test("it is said at once that the newest block is gone to, and it is shown after that is drawn", async () => {
  const live = state().frame;
  travelTo(page, 21);
  await pollHistory(page);
  const asks = requested.length;
  goLive(page);
  expect(state()).toMatchObject({ at: undefined, frame: { chain: { height: 21 } } });
  expect(shownHeight(state())).toBe(1000);
  // It is cached: no past height is queried.
  await pollHistory(page);
  expect(requested).toHaveLength(asks);
  expect(state().frame?.chain?.height).toBe(21);
  for (const then of draw) then();
  await expect.poll(() => state().travel).toBeUndefined();
  expect(state()).toMatchObject({ at: 0, frame: live });
  expect(page.client.height).toBe(0);
});

test("an answer about the past that comes on the way to live is not shown any more", async () => {
  travelTo(page, 21);
  await pollHistory(page);
  travelTo(page, 30);
  const answered = pollHistory(page);
  goLive(page);
  await answered;
  expect(state()).toMatchObject({ at: undefined, frame: { chain: { height: 21 } } });
  arrive(page);
  expect(state()).toMatchObject({ travel: undefined, at: 0 });
});

test("gone to another height before the newest block is shown, that height is shown", async () => {
  travelTo(page, 21);
  goLive(page);
  travelBy(page, -1);
  expect(shownHeight(state())).toBe(999);
  for (const then of draw) then();
  arrive(page);
  await pollHistory(page);
  expect(state()).toMatchObject({ at: 999, frame: { chain: { height: 999 } } });
});

test("one block on from the last but one is back to live, and before the first there is none", async () => {
  travelBy(page, -1);
  expect(shownHeight(state())).toBe(999);
  travelBy(page, 1);
  arrive(page);
  expect(state().travel).toBeUndefined();
  travelBy(page, -5000);
  expect(shownHeight(state())).toBe(1);
});

test("marks of the whole history are known in the past, however long it is", async () => {
  travelTo(page, 500);
  await pollHistory(page);
  expect(heights()[0]).toBe(3);
  expect(nextMark(state(), 500, -1)).toBe(3);
});

test("cells that are known are not sent again", async () => {
  travelTo(page, 500);
  await pollHistory(page);
  travelTo(page, 499);
  await pollHistory(page);
  const past = requested.filter(({ height }) => height > 0);
  expect(past.map(({ blocksAfter }) => blocksAfter)).toEqual([0, 499]);
});

test("another world on screen is shown as it is now", async () => {
  travelTo(page, 21);
  await pollHistory(page);
  world = "another";
  newest = 3;
  await expect
    .poll(async () => {
      await pollHistory(page);
      return state().travel;
    })
    .toBeUndefined();
  expect(state()).toMatchObject({ at: 0, frame: { world: "another", chain: { height: 3 } } });
  expect(heights()).toEqual([1, 2, 3]);
  expect(page.client.height).toBe(0);
});

test("before the first frame there is no height, and nowhere to go", () => {
  page.frames.setState({ frame: undefined });
  expect([shownHeight(state()), liveHeight(state())]).toEqual([0, 0]);
  travelTo(page, 5);
  goLive(page);
  backToLive(page);
  arrive(page);
  expect(state().travel).toBeUndefined();
  page.frames.setState({ frame: frameOf({}) });
  expect([shownHeight(state()), liveHeight(state())]).toEqual([0, 0]);
});

test("a chain that begins at a height has none below it", () => {
  page.frames.setState({ frame: at(1000, { chain: { height: 1000, initialHeight: 900 } }) });
  travelTo(page, 20);
  expect(shownHeight(state())).toBe(900);
});

test("dragged to the newest block, the page is still on its way", () => {
  travelTo(page, 1000, true);
  expect(state().travel).toMatchObject({ height: 1000, moving: true });
  travelTo(page, 1000);
  expect(state().travel).toMatchObject({ height: 1000, moving: true, toLive: true });
});

test("a block of the past that is shown is selected where it is, and one after it is gone to", async () => {
  const goTo = vi.spyOn(route, "goTo").mockImplementation(() => {});
  selectBlock(page, 1000);
  expect(state().travel).toBeUndefined();
  travelTo(page, 21);
  await pollHistory(page);
  selectBlock(page, 21);
  selectBlock(page, 20);
  expect(state().travel?.height).toBe(21);
  selectBlock(page, 22);
  expect(state().travel?.height).toBe(22);
  expect(goTo.mock.lastCall).toEqual([{ selection: { kind: "block", id: "22" } }]);
});

test("a chain whose past cannot be shown is shown as it is now, with a word", async () => {
  const frame = at(21, {});
  vi.spyOn(page.client.lab, "getFrame").mockResolvedValue({ ...frame, past: undefined } as never);
  const notify = vi.spyOn(page.actions, "notify");
  travelTo(page, 21);
  await pollHistory(page);
  expect(state()).toMatchObject({ travel: undefined, at: 0 });
  expect(notify).toHaveBeenCalledWith("The past of this chain cannot be shown.", "error");
});

test("where the past has a problem, the height that there is is shown with it", async () => {
  const problem = "the page is damaged";
  const past = create(PastSchema, { asked: 21, shown: 15, liveHeight: 1000, progress: 1, problem });
  vi.spyOn(page.client.lab, "getFrame").mockResolvedValue(at(15, { past }) as never);
  travelTo(page, 21);
  await pollHistory(page);
  expect(state()).toMatchObject({ at: 15, travel: { height: 15 }, frame: { past: { problem } } });
});

test("beside the past the newest block is asked for twice a second, with what is known of it", async () => {
  const clock = vi.spyOn(performance, "now");
  const live = () => requested.filter(({ height }) => height === 0);
  clock.mockReturnValue(1e9);
  travelTo(page, 500);
  await pollHistory(page);
  expect(live()).toMatchObject([
    { blocksAfter: 1000, activityAfter: 1000, revision: 1000, samples: false },
  ]);
  clock.mockReturnValue(1e9 + 499);
  await pollHistory(page);
  expect(live()).toHaveLength(1);
  newest = 1001;
  page.frames.setState({ charts: 1 });
  clock.mockReturnValue(1e9 + 500);
  await pollHistory(page);
  expect(live().at(-1)).toMatchObject({ revision: 0, samples: true });
  expect(liveHeight(state())).toBe(1001);
  expect(heights().at(-1)).toBe(1001);
  // The shown frame has the live chain's progress, and is still in the past.
  expect(state().frame).toMatchObject({ chain: { height: 500 }, past: { liveHeight: 1001 } });
  clock.mockRestore();
});

test("while a view is drawn in slices no answer takes its place", async () => {
  travelTo(page, 21);
  page.frames.setState({ changing: true });
  await pollHistory(page);
  expect(state()).toMatchObject({ at: undefined, frame: { chain: { height: 1000 } } });
  page.frames.setState({ changing: false });
  await pollHistory(page);
  expect(state()).toMatchObject({ at: 21, frame: { chain: { height: 21 } } });
});

test("cells of 4096 blocks stay beside the newest; of more than those, only marked ones do", async () => {
  const newest = heights().length;
  /**
   * Shows block 21, with 21 cells, and some other stored cells of the past, the first of them
   * marked.
   */
  const cellsWith = async (others: number): Promise<number> => {
    backToLive(page);
    travelTo(page, 21);
    const past = cellsTo(100_000, others).map((cell, i) => ({ ...cell, marks: i === 0 ? 1 : 0 }));
    page.frames.setState(({ blocks }) => ({ blocks: [...blocks.slice(-newest), ...past] }));
    await pollHistory(page);
    return state().blocks.filter(({ height }) => height > 21).length;
  };
  const marked = 1;
  expect(await cellsWith(4096 - 21)).toBe(newest + 4096 - 21);
  expect(await cellsWith(4096 - 20)).toBe(newest + marked);
});

test("an answer about the newest block that comes while a view is drawn, or says nothing, changes nothing", async () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(2e9);
  travelTo(page, 500);
  await pollHistory(page);
  const before = state();
  const newer = at(1001);
  const frames = vi.spyOn(page.client.lab, "getFrame");
  for (const [i, answer] of [
    { ...newer, world: "" },
    { ...newer, chain: undefined },
  ].entries()) {
    clock.mockReturnValue(2e9 + 1000 * (i + 1));
    frames.mockResolvedValueOnce(answer as never);
    await pollHistory(page);
    expect(state()).toEqual(before);
  }
  clock.mockReturnValue(2e9 + 9000);
  page.frames.setState({ changing: true });
  frames.mockResolvedValueOnce(newer as never);
  await pollHistory(page);
  expect(liveHeight(state())).toBe(1000);
  clock.mockRestore();
});

test("the past is asked for without charts, and once a journey for the marks after its height too", async () => {
  const frames = vi.spyOn(page.client.lab, "getFrame");
  const marks = vi.spyOn(page.client.lab, "getMarks");
  travelTo(page, 500);
  await pollHistory(page);
  travelTo(page, 499);
  await pollHistory(page);
  expect(frames.mock.calls[0]).toEqual([
    { height: 500, blocksAfter: 0, activityAfter: 0, revision: 0, samples: false },
  ]);
  expect(marks.mock.calls).toEqual([[{ later: true }]]);
});

test("cells are sent where the one of the height is known, and not all of those below it in sight", async () => {
  const only = (...heights: number[]) =>
    page.frames.setState({
      blocks: heights.map((height) => create(BlockCellSchema, { height, marks: 0 })),
    });
  const sentFor = async (height: number): Promise<boolean> => {
    travelTo(page, height);
    await pollHistory(page);
    return requested.findLast((one) => one.height === height)?.blocksAfter === 0;
  };
  only(500);
  expect(await sentFor(500)).toBe(true);
  only(1, 2, 3);
  expect(await sentFor(3)).toBe(false);
  only(2, 3, 4);
  expect(await sentFor(4)).toBe(true);
  only(1);
  expect(await sentFor(1)).toBe(false);
});
