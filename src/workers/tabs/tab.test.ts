import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Frame } from "../../gen/lab/v1/lab_plain.ts";
import type { WorldList } from "../../gen/lab/v1/worlds_plain.ts";
import { FIRST_ORIGIN } from "../../session/first-world.ts";
import { FakeBrowser, type FakeTab } from "./tab.testing.ts";

const frameOf = ({ call }: FakeTab): Promise<Frame> => call("lab.getFrame");
const roleOf = async (tab: FakeTab) => (await frameOf(tab)).player?.kept?.role;
const height = async (tab: FakeTab) => (await frameOf(tab)).chain?.height;

async function listed(tab: FakeTab): Promise<Readonly<Record<string, string>>> {
  const { worlds } = await tab.call<WorldList>("lab.listWorlds");
  return Object.fromEntries(worlds.map(({ id, open }) => [id, open]));
}

/** Makes blocks like the block loop. */
function makeBlocks({ play: { session } }: FakeTab, count: number): void {
  for (let i = 0; i < count; i++) session.sim.advance();
  session.player.live.observer.observe();
  session.player.changed();
}

test("the first tab plays the world with which its session has begun", async () => {
  const tab = await new FakeBrowser().open();
  expect(tab.play.session.player).toMatchObject({ playing: true, live: { id: tab.begun } });
  expect((await frameOf(tab)).player?.kept).toEqual({
    id: "w1",
    name: "World w1",
    state: "saved",
    pending: 0,
    failure: "",
    role: "owner",
  });
});

test("a new tab opens the world that was saved last, a reloaded one the world that it had", async () => {
  const browser = new FakeBrowser();
  const first = await browser.open();
  await first.call("lab.control", { action: { case: "startOver", value: true } });
  expect(first.tab.world).toBe("w2");
  await first.close();
  const reloaded = await browser.open("w1");
  expect(reloaded.tab.world).toBe("w1");
  await reloaded.close();
  expect((await browser.open("erased")).tab.world).not.toBe("");
});

test.each(["w1", ""])(
  "a world that cannot be opened is spoken of, and the newest that can be is shown",
  async (before) => {
    const browser = new FakeBrowser();
    await (await browser.open()).close();
    const stored = browser.disk.get("w1");
    if (stored === undefined) throw new Error("it is not kept");
    browser.disk.set("w1", { ...stored, entry: { ...stored.entry, problem: "It is damaged." } });
    for (const [index, world] of ["w2", "w2"].entries()) {
      const { tab, play, close } = await browser.open(index === 0 ? before : "w1");
      expect(tab.world).toBe(world);
      expect(play.saving.notices.map(({ text }) => text)).toContain("It is damaged.");
      await close();
    }
  },
);

describe("a second tab on the same world", () => {
  async function twoTabs() {
    const browser = new FakeBrowser();
    const owner = await browser.open();
    return { browser, owner, watcher: await browser.open() };
  }

  test("watches it: it shows what the other tab plays, and knows that it does not play it", async () => {
    const { owner, watcher } = await twoTabs();
    makeBlocks(owner, 7);
    expect(await height(watcher)).toBe(await height(owner));
    expect(await roleOf(watcher)).toBe("watching");
    expect(await roleOf(owner)).toBe("owner");
    expect(await watcher.call("lab.getBlock", { height: 3 })).toEqual(
      await owner.call("lab.getBlock", { height: 3 }),
    );
    expect(
      await watcher.call("query", { name: "chain.gov.v1.Query/Params", request: {}, height: 0 }),
    ).toHaveProperty("params");
  });

  test("is refused what would change it, with the reason", async () => {
    const { owner, watcher } = await twoTabs();
    const { revision } = await frameOf(owner);
    for (const [method, request] of [
      ["lab.runStep", { step: '{"run":1}' }],
      ["lab.control", { action: { case: "stepBlocks", value: 1 } }],
      ["lab.preview", { step: '{"run":1}' }],
      ["lab.renameWorld", { world: "w1", name: "Mine" }],
      ["lab.deleteWorld", { world: "w1" }],
    ] as const) {
      await expect(watcher.call(method, request)).rejects.toThrow(/[Aa]nother tab/);
    }
    expect((await frameOf(owner)).revision).toBe(revision);
  });

  test("takes over when the other tab closes, with all that was done", async () => {
    const { owner, watcher } = await twoTabs();
    makeBlocks(owner, 9);
    const before = await height(owner);
    await owner.close();
    await expect.poll(() => roleOf(watcher)).toBe("owner");
    expect(await height(watcher)).toBe(before);
    const pause = { action: { case: "pause", value: true } };
    expect(await watcher.call("lab.control", pause)).toEqual({});
  });

  test("is answered by the world that takes the place of the one it waits for", async () => {
    const { owner, watcher } = await twoTabs();
    const requested = owner.close().then(() => frameOf(watcher));
    expect((await requested).player?.kept?.role).toBe("owner");
  });

  test("gives its frames another world's name when it takes over, so that no increments are mixed", async () => {
    const { owner, watcher } = await twoTabs();
    const before = (await frameOf(watcher)).world;
    expect(before).toBe((await frameOf(owner)).world);
    await owner.close();
    await expect.poll(() => roleOf(watcher)).toBe("owner");
    expect((await frameOf(watcher)).world).not.toBe(before);
  });

  test("may open another world, and then plays that one", async () => {
    const { owner, watcher } = await twoTabs();
    await watcher.call("lab.control", { action: { case: "startOver", value: true } });
    expect(await roleOf(watcher)).toBe("owner");
    expect(watcher.tab.world).toBe("w2");
    expect(await listed(owner)).toEqual({ w1: "here", w2: "elsewhere" });
    expect(await listed(watcher)).toEqual({ w1: "elsewhere", w2: "here" });
    await owner.close();
    expect(await listed(watcher)).toEqual({ w1: "", w2: "here" });
    expect(watcher.tab.world).toBe("w2");
  });

  test("goes back to watching, and the world that it played is free again", async () => {
    const { owner, watcher } = await twoTabs();
    await watcher.call("lab.control", { action: { case: "startOver", value: true } });
    await watcher.call("lab.openWorld", { world: "w1" });
    expect(await roleOf(watcher)).toBe("watching");
    expect(await listed(owner)).toEqual({ w1: "here", w2: "" });
    expect(await listed(watcher)).toEqual({ w1: "watched", w2: "" });
  });

  test("a third one waits its turn", async () => {
    const { browser, owner, watcher } = await twoTabs();
    const third = await browser.open();
    await owner.close();
    await expect.poll(() => roleOf(watcher)).toBe("owner");
    await expect.poll(() => roleOf(third)).toBe("watching");
    await watcher.close();
    await expect.poll(() => roleOf(third)).toBe("owner");
  });

  test("says so when the other tab does not answer", async () => {
    const { owner, watcher } = await twoTabs();
    Object.assign(owner.tab, { getFrame: () => new Promise(() => {}) });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const refused = expect(frameOf(watcher)).rejects.toThrow(
      "the tab that plays this world does not answer",
    );
    await vi.advanceTimersByTimeAsync(4_000);
    await refused;
  });

  test("receives nothing but answers to itself", async () => {
    const { browser, watcher } = await twoTabs();
    const noise = browser.channel("chainlab world w1");
    for (const message of [
      undefined,
      "x",
      { format: 1, to: "tab-2", call: 1 },
      { format: 2, to: "tab-2", call: 2, response: {} },
      { format: 1, to: "tab-1", call: 2, response: "not mine" },
      { format: 1, to: "tab-2", call: 2, error: "none" },
      { format: 1, from: "x", call: 1, method: "lab.control", request: null },
      {
        format: 1,
        from: "x",
        call: 1,
        method: "lab.control",
        request: { action: { case: "stop" } },
      },
    ])
      noise.postMessage(message);
    noise.close();
    expect(await roleOf(watcher)).toBe("watching");
  });
});

test("without channels a world of another tab cannot be shown, and a new tab has a world of its own", async () => {
  const browser = new FakeBrowser();
  await browser.open("", { channels: false });
  const second = await browser.open("", { channels: false });
  expect(await roleOf(second)).toBe("owner");
  expect(second.tab.world).toBe("w2");
  await expect(second.call("lab.openWorld", { world: "w1" })).rejects.toThrow(/cannot show it/);
  expect(await roleOf(second)).toBe("owner");
});

test("that the saved world could not be opened is said beside the new one, and it can be tried again", async () => {
  const browser = new FakeBrowser();
  await (await browser.open()).close();
  const fails = Promise.reject(new Error("it does not answer."));
  fails.catch(() => {});
  browser.list = () => fails;
  const tab = await browser.open("w1");
  const kept = async () => {
    const { player } = await frameOf(tab);
    return [player?.kept?.id, player?.notices.map(({ text }) => text)];
  };
  const retry = () => tab.call("lab.answerNotice", { notice: "unopened", action: "retry" });
  const said =
    "The saved world could not be opened: it does not answer. It stays as it is; what is on screen is a new one.";
  expect(await kept()).toEqual(["w2", ["It has moved.", said]]);
  await expect(retry()).rejects.toThrow("it does not answer");
  expect(await kept()).toEqual(["w2", ["It has moved.", said]]);
  browser.list = undefined;
  await retry();
  expect(await kept()).toEqual(["w1", ["It has moved."]]);
  await expect(retry()).rejects.toThrow("answered already");
});

test("a world that a tab cannot take over is spoken of beside the new one, and can be tried again", async () => {
  const browser = new FakeBrowser();
  const owner = await browser.open();
  const watcher = await browser.open();
  const { open } = watcher.play.worlds;
  watcher.play.worlds.open = () => Promise.reject(new Error("it does not answer"));
  await owner.close();
  const notices = async () => (await frameOf(watcher)).player?.notices.map(({ text }) => text);
  await expect
    .poll(notices)
    .toContainEqual(expect.stringContaining("The world of the other tab could not be opened: it"));
  expect(watcher.tab.world).toBe("w2");
  watcher.play.worlds.open = open;
  await watcher.call("lab.answerNotice", { notice: "unopened", action: "retry" });
  expect(watcher.tab.world).toBe("w1");
  expect(await notices()).toEqual(["It has moved."]);
});

test.each([false, true])(
  "a world that the other tab deleted stays deleted, and the one that watched it says so (forever: %s)",
  async (forever) => {
    const browser = new FakeBrowser();
    const owner = await browser.open();
    const watcher = await browser.open();
    await owner.call("lab.deleteWorld", { world: "w1" });
    if (forever) await owner.call("lab.deleteWorld", { world: "w1", forever });
    const notices = async () => (await frameOf(watcher)).player?.notices;
    await expect.poll(notices).toContainEqual({
      id: "unopened",
      kind: "deleted",
      text: expect.stringMatching(/^The world that was on screen was deleted in another tab/),
      actions: ["continue"],
    });
    expect(await roleOf(watcher)).toBe("owner");
    expect(watcher.tab.world).not.toBe("w1");
    expect(Object.keys(await listed(watcher))).not.toContain("w1");
  },
);

test("without locks a tab says what may happen, until a person has read it", async () => {
  const tab = await new FakeBrowser().open("", { locks: false });
  const kinds = async () => (await frameOf(tab)).player?.notices.map(({ kind }) => kind);
  expect(await kinds()).toEqual(["moved", "no_locks"]);
  await tab.call("lab.answerNotice", { notice: "no-locks", action: "continue" });
  expect(await kinds()).toEqual(["moved"]);
});

test("a frame is new when the state of saving changes, and has nothing new when it does not", async () => {
  const tab = await new FakeBrowser().open();
  const first = await frameOf(tab);
  const again = () => tab.call<Frame>("lab.getFrame", { revision: first.revision });
  expect((await again()).chain).toBeUndefined();
  Object.assign(tab.play.saving, { state: "saving", pending: 2 });
  expect((await again()).player?.kept).toMatchObject({ state: "saving", pending: 2 });
  expect((await again()).revision).toBeGreaterThan(first.revision);
});

test("worlds are renamed, copied, exported and imported, and what is wrong is said", async () => {
  const tab = await new FakeBrowser().open();
  await tab.call("lab.renameWorld", { world: "w1", name: "  Upgrade: night/2  " });
  expect((await frameOf(tab)).player?.kept?.name).toBe("Upgrade: night/2");
  await expect(tab.call("lab.renameWorld", { world: "w1", name: " " })).rejects.toThrow(/empty/);
  await expect(tab.call("lab.renameWorld", { world: "w1", name: "a\u0000b" })).rejects.toThrow(
    "a name is text, without U+0000 in it",
  );
  await expect(tab.call("lab.renameWorld", { world: "w1", name: "x".repeat(81) })).rejects.toThrow(
    /80/,
  );
  await tab.call("lab.duplicateWorld", { world: "w1" });
  expect(Object.keys(await listed(tab))).toHaveLength(2);
  expect(await tab.call("lab.exportWorld", { world: "w1" })).toEqual({
    name: "Upgrade night2.chainlab",
    content: new Uint8Array([1, 2, 3]),
  });
  expect(await tab.call("lab.importWorld", { content: new Uint8Array([2]) })).toEqual({
    world: "",
    problem: "byte 0: expected 1",
  });
  expect(await tab.call("lab.importWorld", { content: new Uint8Array([1]) })).toEqual({
    world: "w3",
    problem: "",
  });
  await tab.call("lab.deleteWorld", { world: "w3" });
  const { deleted } = await tab.call<WorldList>("lab.listWorlds");
  expect(deleted.map(({ id }) => id)).toEqual(["w3"]);
});

describe("in place of a world on screen that is deleted", () => {
  const rows = async (tab: FakeTab) => {
    const { worlds, deleted } = await tab.call<WorldList>("lab.listWorlds");
    return [worlds.map(({ id, open }) => [id, open]), deleted.map(({ id, open }) => [id, open])];
  };

  test("comes the one that was saved last and that no other tab plays, and it is free", async () => {
    const browser = new FakeBrowser();
    const first = await browser.open();
    for (const _ of ["w2", "w3"]) await first.call("lab.duplicateWorld", { world: "w1" });
    const tab = await browser.open("w2");
    await tab.call("lab.deleteWorld", { world: "w2" });
    expect(await rows(tab)).toEqual([
      [
        ["w3", "here"],
        ["w1", "elsewhere"],
      ],
      [["w2", ""]],
    ]);
    expect((await frameOf(tab)).player?.kept).toMatchObject({ id: "w3", role: "owner" });
    await tab.call("lab.deleteWorld", { world: "w2", forever: true });
    expect((await rows(tab))[1]).toEqual([]);
  });

  test("comes a new one where there is no other, or it cannot be opened", async () => {
    const tab = await new FakeBrowser().open();
    await tab.call("lab.deleteWorld", { world: "w1" });
    expect(await rows(tab)).toEqual([[["w2", "here"]], [["w1", ""]]]);
    await tab.play.worlds.duplicate("w2");
    tab.play.worlds.open = () => Promise.reject(new Error("it is damaged"));
    await tab.call("lab.deleteWorld", { world: "w2" });
    expect((await frameOf(tab)).player?.kept).toMatchObject({ id: "w4", role: "owner" });
  });
});

test("where the storage is full, a world can only be deleted forever", async () => {
  const tab = await new FakeBrowser().open();
  await tab.call("lab.duplicateWorld", { world: "w1" });
  const full = Object.assign(new Error("it is full"), { name: "QuotaExceededError" });
  tab.play.worlds.remove = () => Promise.reject(full);
  const remove = (world: string) => tab.call("lab.deleteWorld", { world });
  await tab.call("lab.duplicateWorld", { world: "w1" });
  for (const world of ["w2", "w1"])
    await expect(remove(world)).rejects.toThrow("is full: it can only be deleted forever");
  await tab.call("lab.deleteWorld", { world: "w2", forever: true });
  await tab.call("lab.deleteWorld", { world: "w1", forever: true });
  expect(await listed(tab)).toEqual({ w3: "here" });
});

test("a world that was begun anew in answer to a notice is this tab's, and the one before is free", async () => {
  const browser = new FakeBrowser();
  const tab = await browser.open();
  await tab.call("lab.answerNotice", { notice: "n", action: "start_anew" });
  expect(tab.tab.world).toBe("w2");
  expect(await listed(tab)).toEqual({ w1: "", w2: "here" });
  expect(await roleOf(await browser.open("w2"))).toBe("watching");
});

test("a new world that another tab opened as soon as it was written is watched, not played twice", async () => {
  const browser = new FakeBrowser();
  const tab = await browser.open();
  await tab.play.worlds.create(FIRST_ORIGIN);
  const other = await browser.open("w2");
  await tab.tab.follow();
  expect([await roleOf(tab), await roleOf(other)]).toEqual(["watching", "owner"]);
});
