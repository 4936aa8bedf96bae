import { expect, test } from "vitest";
import { INPUT } from "../../base/limits.ts";
import { type Client, ClientError, CODE } from "../../client/client.ts";
import { createPage } from "../store/page.ts";
import { read } from "../store/route.ts";
import { goLive, travelTo } from "../store/travel.ts";
import { frameOf } from "../testing.ts";
import { perform } from "./commands.ts";

const requested: unknown[] = [];
const page = createPage({
  lab: {
    loadScenario: async (request: { text: string }) => {
      requested.push(request);
      const wrong = { path: "steps[0]", line: 4, column: 0, message: "expected a verb" };
      return { problems: request.text === "wrong" ? [wrong] : [] };
    },
    runStep: async (request: unknown) => {
      requested.push(request);
      return { ok: true, height: 7, message: "done", value: "" };
    },
    control: async (request: unknown) => requested.push(request),
    getFrame: async () => frameOf({ world: "loaded", chain: { height: 9, initialHeight: 1 } }),
  },
  query: async (name: string, request: object) => {
    const known = [{ proposal_id: "1" }, { hash: "AB" }];
    if (known.some((one) => JSON.stringify(one) === JSON.stringify(request))) return {};
    if (JSON.stringify(request).includes("EF")) throw new ClientError(CODE.aborted, "given up");
    throw new ClientError(CODE.notFound, `${name}: it is not there`);
  },
  http: async ({ path, headers }: { path: string; headers: object }) => {
    requested.push({ path, headers });
    return { status: 200, headers: {}, body: "{}" };
  },
} as unknown as Client);

const playing = async (message: Record<string, unknown>): Promise<unknown> => {
  requested.length = 0;
  return perform(page, { chainlab: 1, id: 1, ...message }, () => requested.push("frames"));
};

test("a command does what it says", async () => {
  expect(await playing({ do: "load", scenario: "text", paused: true })).toBeNull();
  // Before the first frame it is unknown whether it is paused.
  expect(requested).toEqual([
    { action: { case: "pause", value: true } },
    { text: "text", file: "embedded.yaml", paused: true },
  ]);
  expect(page.frames.getState().frame?.world).toBe("loaded");
  expect(await playing({ do: "run", step: { run: 3 } })).toEqual({
    ...{ height: 7, message: "done", value: "" },
  });
  expect(requested).toEqual([{ step: '{"run":3}' }]);
  await playing({ do: "advance", blocks: 5 });
  expect(requested).toEqual([{ action: { case: "stepBlocks", value: 5 } }]);
  expect(await playing({ do: "ask", path: "/lab/v1/nodes" })).toEqual({ status: 200, body: "{}" });
  expect(requested).toEqual([{ path: "/lab/v1/nodes", headers: {} }]);
  await playing({ do: "frames", on: true });
  expect(requested).toEqual(["frames"]);
});

test("in the past questions are about it, and the played world is not steered", async () => {
  page.frames.setState({ frame: frameOf({ chain: { height: 9, initialHeight: 1 } }) });
  travelTo(page, 4);
  await playing({ do: "ask", path: "/lab/v1/nodes" });
  expect(requested).toEqual([{ path: "/lab/v1/nodes", headers: { "x-cosmos-block-height": "4" } }]);
  for (const message of [
    { do: "run", step: { run: 1 } },
    { do: "advance", blocks: 1 },
    { do: "play" },
    { do: "speed", blocks_per_second: 1 },
  ]) {
    await expect(playing(message)).rejects.toThrow("block 4 is past: seek 0, the newest, first");
    expect(requested).toEqual([]);
  }
  await playing({ do: "seek", height: 0 });
  await playing({ do: "advance", blocks: 1 });

  // Also while the newest block is requested but not drawn yet.
  travelTo(page, 4);
  goLive(page);
  await playing({ do: "advance", blocks: 1 });
});

test("what is there is shown", async () => {
  page.frames.setState({ frame: frameOf({ chain: { height: 9, initialHeight: 1 } }) });
  for (const select of [
    { kind: "proposal", id: "1" },
    { kind: "evidence", id: "AB" },
    { kind: "block", id: "9" },
    null,
  ]) {
    expect(await playing({ do: "show", view: "network", select })).toBeNull();
    expect(read().selection).toEqual(select ?? undefined);
  }
});

test("a height that there is not is refused", async () => {
  await expect(playing({ do: "seek", height: 99_999 })).rejects.toThrow(
    "there is no block 99999: there are 1 to 9",
  );
});

test("a scenario that is wrong says where", async () => {
  await expect(playing({ do: "load", scenario: "wrong", file: "a.yaml" })).rejects.toThrow(
    "a.yaml:4 steps[0] expected a verb",
  );
});

const deep = (levels: number): object => {
  let value: object = {};
  for (let i = 0; i < levels; i++) value = { run: value };
  return value;
};

test.each([
  ["no command", {}, /^do: expected one of load, run, .*frames$/],
  ["one of Object's own names", { do: "constructor" }, /^do: expected one of/],
  ["a command that is no text", { do: ["play"] }, /^do: expected one of/],
  ["a key that is missing", { do: "load" }, /^scenario: expected a text of at most 2000000/],
  [
    "a text that is too long",
    { do: "load", scenario: "x".repeat(INPUT.yamlCharacters + 1) },
    /^scenario: expected a text/,
  ],
  ["a key of another type", { do: "load", scenario: "x", paused: 1 }, /^paused: expected true/],
  ["a key too many", { do: "play", now: true }, /^play knows no “now”$/],
  ["a step that is a text", { do: "run", step: "run: 3" }, /^step: expected an object or a list/],
  ["a step that is too deep", { do: "run", step: deep(100_000) }, /at most 64 levels deep/],
  ["a step that is too large", { do: "run", step: Array(20_000).fill(1) }, /10000 values/],
  ["a step that holds no JSON", { do: "run", step: { run: new Map() } }, /list of JSON values/],
  ["a name of two lines", { do: "load", scenario: "x", file: "a\nb" }, /^file: expected a name/],
  ["another host", { do: "ask", path: "http://evil.example/" }, /^path: expected a path/],
  ["another host, in short", { do: "ask", path: "//evil.example/" }, /^path: expected a path/],
  ["a key too many of frames", { do: "frames", on: true, x: 1 }, /^frames knows no “x”$/],
  ["a node that there is not", { do: "show", select: { kind: "node", id: "nobody" } }, /no node/],
  [
    "a proposal that there is not",
    { do: "show", select: { kind: "proposal", id: "99" } },
    /^select: there is no proposal 99$/,
  ],
  ["a proposal without a number", { do: "show", select: { kind: "proposal", id: "x" } }, /no prop/],
  ["what cannot be asked", { do: "show", select: { kind: "evidence", id: "EF" } }, /^given up$/],
  ["evidence that there is not", { do: "show", select: { kind: "evidence", id: "CD" } }, /no evid/],
  [
    "a block that there is not",
    { do: "show", select: { kind: "block", id: "10" } },
    /no block 10$/,
  ],
  ["a block without a height", { do: "show", select: { kind: "block", id: "-1" } }, /no block -1$/],
  ["half a block", { do: "advance", blocks: 0.5 }, /^blocks: expected a whole number from 1/],
  ["a speed that is no number", { do: "speed", blocks_per_second: Number.NaN }, /from 0 to/],
  ["a view that there is not", { do: "show", view: "nonsense" }, /^view: expected one of network/],
  [
    "a selection of another kind",
    { do: "show", select: { kind: "x", id: "1" } },
    /^select: expected null/,
  ],
])("%s is refused, and nothing is done", async (_, message, text) => {
  await expect(playing(message)).rejects.toThrow(text);
  expect(requested).toEqual([]);
});
