import { beforeEach, expect, test } from "vitest";
import { type Client, ClientError, CODE } from "../../client/client.ts";
import { frameOf } from "../testing.ts";
import { type Screen, startFrameLoop } from "./frame-loop.ts";
import { createPage, type Page } from "./page.ts";
import type { Frame } from "./types.ts";

let answers: (() => Frame)[];
let requested: { revision?: number; samples?: boolean }[];
let tick: ((time: number) => void) | undefined;
let press: (time: number) => void;
let page: Page;

const screen: Screen = {
  requestFrame: (next) => {
    tick = next;
  },
  isHidden: () => false,
  onInput: (listen) => {
    press = listen;
  },
};

beforeEach(() => {
  answers = [];
  requested = [];
  tick = undefined;
  const getFrame = async (request: (typeof requested)[number]): Promise<Frame> => {
    requested.push(request);
    return answers.shift()?.() ?? frameOf({});
  };
  page = createPage({ lab: { getFrame } } as unknown as Client);
  startFrameLoop(page, screen);
});

/** Draws a frame at a fixed interval of the page's clock, up to a time. */
async function drawEvery(ms: number, from: number, to: number): Promise<void> {
  for (let time = from; time <= to; time += ms) await draw(time);
}

/** Draws one frame at a time of the page's clock, and waits for its answer. */
async function draw(time: number): Promise<void> {
  const now = tick;
  tick = undefined;
  now?.(time);
  for (let i = 0; i < 10; i++) await Promise.resolve();
}

const fail = (code: ClientError["code"]) => () => {
  throw new ClientError(code, "the frame could not be made");
};

test("a frame that fails is reported, and asked for again a second later", async () => {
  answers = [fail(CODE.internal), () => frameOf({ revision: 7 })];
  await draw(0);
  expect(page.frames.getState()).toMatchObject({
    problem: "the frame could not be made",
    lost: undefined,
  });
  await draw(500);
  expect(requested).toHaveLength(1);
  await draw(1000);
  expect(requested).toHaveLength(2);
  expect(page.frames.getState()).toMatchObject({ problem: undefined, frame: { revision: 7 } });
});

test("an engine that is gone is not asked again", async () => {
  answers = [fail(CODE.unavailable)];
  await draw(0);
  expect(page.frames.getState().lost).toBe("the frame could not be made");
  await draw(5000);
  expect(tick).toBeUndefined();
  expect(requested).toHaveLength(1);
});

test("frames are asked for ten times a second at most, and from the newest revision on", async () => {
  answers = [() => frameOf({ revision: 3 })];
  await drawEvery(20, 0, 120);
  expect(requested.map(({ revision }) => revision)).toEqual([0, 3]);
});

test("a page that takes long to draw is given fewer frames, but two a second at least", async () => {
  await drawEvery(80, 0, 1600);
  const slow = requested.length;
  await drawEvery(400, 2000, 4000);
  expect([slow, requested.length - slow]).toEqual([8, 3]);
});

test("what is pressed is answered before the next frame, which a key that is held down does not put off", async () => {
  await drawEvery(20, 0, 80);
  press(90);
  await drawEvery(20, 100, 180);
  expect(requested).toHaveLength(1);
  await drawEvery(20, 200, 280);
  expect(requested).toHaveLength(2);
  for (let time = 300; time <= 700; time += 20) {
    press(time);
    await draw(time);
  }
  expect(requested).toHaveLength(3);
});

test("a chart that has just come is not kept waiting, and gets the samples of the whole history", async () => {
  await draw(0);
  page.frames.setState({ charts: 1 });
  await draw(16);
  await draw(32);
  expect(requested).toMatchObject([{ samples: false }, { samples: true, revision: 0 }]);
});

test("two pages share nothing", () => {
  const other = createPage(page.client);
  other.actions.openDialog("help");
  other.frames.setState({ lost: "gone" });
  expect(page.dialog.getState().name).toBeUndefined();
  expect(page.frames.getState().lost).toBeUndefined();
});

test("while a view is rendered no frame is asked for, and none that was is shown", async () => {
  answers = [() => frameOf({ revision: 3 }), () => frameOf({ revision: 4 })];
  await drawEvery(20, 0, 100);
  expect(page.frames.getState().frame?.revision).toBe(4);
  answers = [() => frameOf({ revision: 5 }), () => frameOf({ revision: 6 })];
  const asking = draw(400);
  page.frames.setState({ changing: true });
  await asking;
  await draw(900);
  expect(requested).toHaveLength(3);
  expect(page.frames.getState().frame?.revision).toBe(4);
  page.frames.setState({ changing: false });
  await draw(920);
  expect(page.frames.getState().frame?.revision).toBe(6);
  expect(requested.at(-1)).toMatchObject({ revision: 4 });
});
