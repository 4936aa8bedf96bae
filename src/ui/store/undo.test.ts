import { expect, test, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { Client } from "../../client/client.ts";
import { frameOf } from "../testing.ts";
import type { FrameState } from "./frame-store.ts";
import { createNoticeStore, notify } from "./notices.ts";
import { undo } from "./undo.ts";

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
