import { expect, test, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { Client } from "../../client/client.ts";
import { frameOf } from "../testing.ts";
import type { FrameState } from "./frame-store.ts";
import { createNoticeStore, notify } from "./notices.ts";
import { createPage } from "./page.ts";
import { redo, undo } from "./undo.ts";

test("a world that has no block yet gives its place back to the one before", async () => {
  const notices = createNoticeStore();
  const take = vi.fn();
  notify(notices, "“Own” waits at block 7.", "info", { world: "own", byKey: true, take });
  const frame = frameOf({ world: "new", chain: { height: 0 } as never });
  const frames = createStore(() => ({ frame, travel: undefined }) as unknown as FrameState);
  const client = { query: async () => ({ number: 0 }) } as unknown as Client;
  await undo({ client, frames, notices });
  expect(take).toHaveBeenCalledOnce();
  expect(notices.getState().shown).toEqual([]);
});

/** A page at block 9 of a chain whose last command was given after a block. */
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

/** A task later than all answers. */
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
