import { afterEach, expect, test, vi } from "vitest";
import { begin } from "./engine.ts";
import { CASES } from "./worker-name.ts";

const worlds = vi.hoisted(() => ({ made: 0 }));
vi.mock("../session/session.ts", () => ({
  Session: class {
    constructor() {
      worlds.made += 1;
    }
  },
}));

afterEach(() => vi.unstubAllGlobals());

test("a worker that runs cases of a search makes no world, nor anything to drive one", async () => {
  const text: unknown[] = [];
  vi.stubGlobal("self", { name: CASES });
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("postMessage", (message: unknown) => text.push(message));
  begin();
  await vi.waitUntil(() => text.length > 0, { timeout: 30_000 });
  expect(text).toEqual([{ ready: true }]);
  expect(worlds.made).toBe(0);
});
