import { afterEach, expect, test, vi } from "vitest";
import type { Client } from "../../client/client.ts";
import { frameOf } from "../testing.ts";
import { beginAnew, loadScenario, startOver } from "./new-worlds.ts";
import { createPage, type Page } from "./page.ts";
import { forgetUntrue } from "./untrue-notices.ts";

afterEach(() => vi.unstubAllGlobals());

const PROBLEM = { path: "genesis", line: 3, column: 1, message: "expected a map" };

/** A page with a saved, played world, and its calls to the engine. */
function pageOf(kept: { id: string; role?: string }, problems: readonly object[] = []) {
  const requested: unknown[] = [];
  const lab = {
    control: async ({ action }: { action: { case: string } }) => void requested.push(action.case),
    loadScenario: async () => {
      requested.push("loadScenario");
      return { problems };
    },
    openWorld: async (request: unknown) => void requested.push(request),
  };
  const page = createPage({ lab } as unknown as Client);
  page.frames.setState({ frame: frameAt("mine", { name: "Mine", role: "owner", ...kept }) });
  return { page, asked: requested };
}

const frameAt = (world: string, kept: object) =>
  frameOf({ world, chain: { height: 42 }, player: { playing: true, kept } });

test("what takes the place of a chain of one's own says where that one is, and Undo brings it back", async () => {
  const { page, asked: requested } = pageOf({ id: "w1" });
  expect(await loadScenario(page, "text", "a.yaml")).toEqual([]);
  const [notice] = page.notices.getState().shown;
  expect(notice?.text).toBe("“Mine” is paused at block 42.");
  await notice?.undo?.take();
  expect(requested).toEqual(["pause", "loadScenario", { world: "w1" }, "play"]);
});

test("a new chain that is begun anew can be undone too", async () => {
  const { page, asked: requested } = pageOf({ id: "w1" });
  await startOver(page);
  await page.notices.getState().shown[0]?.undo?.take();
  expect(requested).toEqual(["startOver", { world: "w1" }, "play"]);
});

test("at one press it is not begun in place of a world that could not come back", async () => {
  const { page, asked: requested } = pageOf({ id: "" });
  await beginAnew(page);
  expect(requested).toEqual([]);
  expect(page.notices.getState().shown[0]?.text).toContain("it would be lost");
  const kept = pageOf({ id: "w1" });
  await beginAnew(kept.page);
  expect(kept.asked).toEqual(["startOver"]);
});

test("a file with problems changes nothing, and there is nothing to undo", async () => {
  const { page, asked: requested } = pageOf({ id: "w1" }, [PROBLEM]);
  expect(await loadScenario(page, "text", "a.yaml")).toEqual([PROBLEM]);
  expect(page.notices.getState().shown).toEqual([]);
  expect(requested).toEqual(["pause", "loadScenario", "play"]);
});

test("a world that is not kept, or that another tab plays, is not offered", async () => {
  for (const kept of [{ id: "" }, { id: "w1", role: "watching" }]) {
    const { page } = pageOf(kept);
    await loadScenario(page, "text", "a.yaml");
    expect(page.notices.getState().shown).toEqual([]);
  }
});

test("what was selected ends with its world, not with a file that has problems", async () => {
  const replace = vi.fn();
  vi.stubGlobal("location", { hash: "#/governance/node/val-1", replace });
  const appears = ({ page }: ReturnType<typeof pageOf>) =>
    page.frames.setState({ frame: frameAt("story", { id: "w2" }) });
  const refused = pageOf({ id: "w1" }, [PROBLEM]);
  await loadScenario(refused.page, "text", "a.yaml");
  appears(refused);
  expect(replace).not.toHaveBeenCalled();
  for (const begin of [
    (page: Page) => loadScenario(page, "text", "a.yaml"),
    (page: Page) => startOver(page),
  ]) {
    replace.mockClear();
    const begun = pageOf({ id: "w1" });
    await begin(begun.page);
    expect(replace).not.toHaveBeenCalled();
    appears(begun);
    expect(replace.mock.calls).toEqual([["#/governance"]]);
  }
});

test("Undo stays when the new world appears, and goes when the old one is back", async () => {
  const { page } = pageOf({ id: "w1" });
  await loadScenario(page, "text", "a.yaml");
  const [old, next] = [frameAt("mine", { id: "w1" }), frameAt("story", { id: "w2" })];
  forgetUntrue(page.notices, old, old);
  forgetUntrue(page.notices, old, next);
  expect(page.notices.getState().shown).toHaveLength(1);
  forgetUntrue(page.notices, next, frameAt("mine again", { id: "w1" }));
  expect(page.notices.getState().shown).toEqual([]);
});
