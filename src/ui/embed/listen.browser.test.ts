import { expect, test } from "vitest";
import type { Client } from "../../client/client.ts";
import { createPage } from "../store/page.ts";
import { frameOf } from "../testing.ts";
import { listenToEmbedder } from "./listen.ts";

/** An embedded page, and the messages that its embedder receives. */
function embedded(control: () => Promise<unknown> = async () => ({})) {
  const heard: { readonly message: unknown; readonly to: string }[] = [];
  const origins: string[] = [];
  const window = {
    postMessage: (message: unknown, to: string) => heard.push({ message, to }),
  } as unknown as Window;
  let hear: (event: MessageEvent) => void = () => {};
  const page = createPage({ lab: { control } } as unknown as Client);
  const stop = listenToEmbedder(page, (origin) => origins.push(origin), {
    window,
    listen: (listener) => {
      hear = listener;
      return () => {
        hear = () => {};
      };
    },
  });
  const say = async (
    data: unknown,
    source: unknown = window,
    origin = "https://course.example",
  ) => {
    hear({ data, source, origin } as MessageEvent);
    for (let i = 0; i < 10; i++) await Promise.resolve();
  };
  return { page, heard, origins, say, stop };
}

const READY = { message: { chainlab: 1, event: "ready" }, to: "*" };

test("a command is answered to the origin that gave it, which is made known", async () => {
  const { heard, origins, say } = embedded();
  await say({ chainlab: 1, id: 4, do: "play" });
  expect(heard).toEqual([
    READY,
    { message: { chainlab: 1, id: 4, ok: true, value: null }, to: "https://course.example" },
  ]);
  expect(origins).toEqual(["https://course.example"]);
});

test("other windows, other messages and other versions have nothing done", async () => {
  const { heard, origins, say } = embedded(() => Promise.reject(new Error("was done")));
  await say({ chainlab: 1, id: 4, do: "play" }, {});
  await say("play");
  await say(null);
  await say({ id: 4, do: "play" });
  expect(heard).toEqual([READY]);
  await say({ chainlab: 2, id: 4, do: "play" });
  expect(heard.at(-1)?.message).toMatchObject({ id: 4, ok: false });
  expect(origins).toEqual([]);
  await say({ chainlab: 1, id: {}, do: "play" });
  expect(heard.at(-1)?.message).toMatchObject({
    ...{ id: null, ok: false, error: "id: expected a number or a short text" },
  });
});

test("what is refused is said, not done", async () => {
  const { heard, say } = embedded();
  await say({ chainlab: 1, id: "a", do: "advance", blocks: "5" });
  expect(heard.at(-1)?.message).toMatchObject({
    ...{ id: "a", ok: false, error: "blocks: expected a whole number from 1 to 100000" },
  });
});

test("so many commands wait, and no more", async () => {
  const { heard, say } = embedded(() => new Promise(() => {}));
  for (let id = 0; id < 64; id++) await say({ chainlab: 1, id, do: "play" });
  expect(heard).toEqual([READY]);
  await say({ chainlab: 1, id: 64, do: "play" });
  expect(heard.at(-1)?.message).toMatchObject({ id: 64, error: "64 commands wait already" });
});

test("frames are sent when they are asked for, and no more when they are not wanted", async () => {
  const { page, heard, say } = embedded();
  const frame = (height: number) => frameOf({ chain: { chainId: "lab-1", height } });
  const heights = () =>
    heard.flatMap(({ message }) => {
      const { frame } = message as { frame?: { height: number } };
      return frame ? [frame.height] : [];
    });
  page.frames.setState({ frame: frame(1) });
  expect(heights()).toEqual([]);
  await say({ chainlab: 1, id: 1, do: "frames", on: true });
  page.frames.setState({ frame: frame(2) });
  page.frames.setState({ problem: "late" });
  expect(heights()).toEqual([1, 2]);
  await say({ chainlab: 1, id: 2, do: "frames", on: false });
  page.frames.setState({ frame: frame(3) });
  expect(heights()).toEqual([1, 2]);
});
