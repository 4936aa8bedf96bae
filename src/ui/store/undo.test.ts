import { expect, test, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { Client } from "../../client/client.ts";
import { frameOf } from "../testing.ts";
import type { FrameState } from "./frame-store.ts";
import { createNoticeStore, notify } from "./notices.ts";
import { createPage } from "./page.ts";
import { shownHeight, travelTo } from "./travel.ts";
import type { LastCommand } from "./types.ts";
import { redo, undo, wouldUndo } from "./undo.ts";

test("a world that has no block yet gives its place back to the one before", async () => {
  const notices = createNoticeStore();
  const take = vi.fn();
  notify(notices, "“Own” is paused at block 7.", "info", { world: "own", byKey: true, take });
  const frame = frameOf({ world: "new", chain: { height: 0 } as never });
  const frames = createStore(() => ({ frame, travel: undefined }) as unknown as FrameState);
  const client = { query: async () => ({ number: 0 }) } as unknown as Client;
  await undo({ client, frames, notices });
  expect(take).toHaveBeenCalledOnce();
  expect(notices.getState().shown).toEqual([]);
});

/** A page at block 9 of a chain whose last command was issued after a given block. */
function pageAfterCommand(height: number) {
  const command = { number: 1, height, title: "val-3: stop", signer: "", together: 1 };
  const page = createPage({ query: async () => command } as unknown as Client);
  const draw = (newest: number, world = "w"): void =>
    page.frames.setState({
      frame: frameOf({ world, chain: { height: newest, initialHeight: 1 } }),
    });
  draw(9);
  const travelled = () => page.frames.getState().travel;
  return { page, draw, travelled };
}

/** Waits a task longer than all answers. */
const answered = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("what was done after the block that is drawn is undone once its block is", async () => {
  const { page, draw, travelled } = pageAfterCommand(10);
  const undone = undo(page);
  await answered();
  draw(10);
  await undone;
  expect(travelled()?.height).toBe(9);
});

test("nothing is undone in a world that has come meanwhile", async () => {
  const { page, draw, travelled } = pageAfterCommand(10);
  const undone = undo(page);
  await answered();
  draw(20, "other");
  await undone;
  expect(travelled()).toBeUndefined();
});

test("redo right after undo takes it back", async () => {
  vi.stubGlobal("requestAnimationFrame", () => 0);
  const { page, travelled } = pageAfterCommand(5);
  const undone = undo(page);
  await redo(page);
  await undone;
  expect(travelled()?.toLive).toBe(true);
  vi.unstubAllGlobals();
});

/**
 * A page at a height whose chain has these commands, by height; the last one up to a height
 * applies.
 */
function pageWith(commands: readonly Partial<LastCommand>[], newest = 9, initialHeight = 1) {
  const queried: number[] = [];
  const query = async (_: string, __: object, height: number) => {
    queried.push(height);
    const none = { number: 0, height: 0, title: "", signer: "", together: 1 };
    const until = commands.filter((command) => height === 0 || (command.height ?? 0) <= height);
    return { ...none, title: "val-3: stop", ...until.at(-1) };
  };
  const page = createPage({ query } as unknown as Client);
  page.frames.setState({ frame: frameOf({ chain: { height: newest, initialHeight } }) });
  const travelled = () => page.frames.getState().travel;
  const notices = () => page.notices.getState().shown.map(({ text }) => text);
  return { page, queried, travelled, notices };
}

test("where nothing was done, undo says so: of this world, or up to the block that is shown", async () => {
  const { page, queried, travelled, notices } = pageWith([]);
  await undo(page);
  expect(notices()).toEqual(["Nothing was done in this world that could be undone."]);
  expect(travelled()).toBeUndefined();
  travelTo(page, 4);
  expect(await wouldUndo(page)).toEqual({
    text: "Nothing was done up to block 4 that could be undone.",
    to: undefined,
  });
  expect(queried).toEqual([0, 4]);
});

test("a command before the first block cannot be undone, one in the block after it can", async () => {
  const first = pageWith([{ number: 1, height: 1 }]);
  await undo(first.page);
  expect(first.travelled()).toBeUndefined();
  expect(first.notices()).toEqual([
    "No block lies before what was done first: val-3: stop, block 1.",
  ]);
  expect(await wouldUndo(pageWith([{ number: 1, height: 2 }]).page)).toMatchObject({ to: 1 });
  const later = [{ number: 1, height: 50 }];
  expect((await wouldUndo(pageWith(later, 60, 50).page)).to).toBeUndefined();
  expect((await wouldUndo(pageWith(later, 60, 49).page)).to).toBe(49);
});

test("what is undone is said with who signed it, and how much else was done in its block", async () => {
  const command = { number: 3, height: 1_205, title: "stop val-3", signer: "alice", together: 3 };
  const { page, notices } = pageWith([command], 2_000);
  await undo(page);
  expect(notices()).toEqual([
    "Undo: stop val-3 by alice, block 1,205, with 2 more there. A branch from here continues without it.",
  ]);
});

test("in a world that others act on, what this page did not do is said to be theirs", async () => {
  const { page } = pageWith([{ number: 3, height: 5 }]);
  const watching = frameOf({
    chain: { height: 9, initialHeight: 1 },
    player: { kept: { role: "watching" } },
  });
  page.frames.setState({ frame: watching });
  expect((await wouldUndo(page)).text).toBe("Undo: val-3: stop, block 5, not done in this page");
  page.frames.setState({ mine: ["w/2", "w/3"] });
  expect((await wouldUndo(page)).text).toBe("Undo: val-3: stop, block 5");
  vi.stubGlobal("document", { documentElement: { dataset: { node: "" } } });
  page.frames.setState({ frame: { ...watching, player: undefined }, mine: ["w/2"] });
  expect((await wouldUndo(page)).text).toBe("Undo: val-3: stop, block 5, not done in this page");
  vi.unstubAllGlobals();
});

test("undone twice and redone twice, the page is where it was, and there is no more to redo", async () => {
  vi.stubGlobal("requestAnimationFrame", () => 0);
  const commands = [
    { number: 1, height: 3 },
    { number: 2, height: 6 },
  ];
  const { page, travelled, notices } = pageWith(commands);
  await undo(page);
  expect(travelled()?.height).toBe(5);
  await undo(page);
  expect(travelled()?.height).toBe(2);
  await redo(page);
  expect(travelled()?.height).toBe(5);
  await redo(page);
  expect(travelled()?.toLive).toBe(true);
  await redo(page);
  expect(notices().at(-1)).toBe("Nothing was undone here: there is nothing to redo.");
  vi.unstubAllGlobals();
});

test("redo goes on only from where it stands: what is shown already is not gone to again", async () => {
  const { page, travelled, notices } = pageWith([{ number: 1, height: 3 }]);
  travelTo(page, 7);
  await undo(page);
  expect(travelled()?.height).toBe(2);
  travelTo(page, 7);
  const before = travelled();
  await redo(page);
  expect(travelled()).toBe(before);
  expect(notices().at(-1)).toBe("Nothing was undone here: there is nothing to redo.");
});

test("redo of a page that shows the newest block has nothing to do", async () => {
  const { page, notices } = pageWith([]);
  await redo(page);
  expect(notices()).toEqual(["Nothing was undone here: there is nothing to redo."]);
});

test("before the first frame nothing is queried; gone elsewhere by hand meanwhile, nothing is undone", async () => {
  const { page, queried, notices } = pageWith([{ number: 1, height: 3 }]);
  page.frames.setState({ frame: undefined });
  await undo(page);
  expect(queried).toEqual([]);
  page.frames.setState({ frame: frameOf({ chain: { height: 9, initialHeight: 1 } }) });
  page.client.query = async () => {
    travelTo(page, 8);
    return { number: 1, height: 3, title: "", signer: "", together: 1 } as never;
  };
  await undo(page);
  expect([shownHeight(page.frames.getState()), notices()]).toEqual([8, []]);
});
