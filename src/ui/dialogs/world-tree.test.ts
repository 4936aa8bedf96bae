import { expect, test } from "vitest";
import type { WorldInfo } from "../store/types.ts";
import { asTree } from "./world-tree.ts";

const row = (id: string, parent = "") => ({
  world: { id, parent: parent ? { world: parent, height: 1 } : undefined } as WorldInfo,
});

const drawn = (...rows: ReturnType<typeof row>[]): string[] =>
  asTree(rows).map(({ world, depth }) => `${"-".repeat(depth)}${world.id}`);

test("a world is followed by its branches, and they by theirs", () => {
  expect(
    drawn(row("d", "b"), row("a"), row("b", "a"), row("e"), row("c", "a"), row("f", "e")),
  ).toEqual(["a", "-b", "--d", "-c", "e", "-f"]);
});

test("a branch whose world is gone begins a tree, and so does one that would be its own", () => {
  expect(drawn(row("a", "gone"), row("b", "a"))).toEqual(["a", "-b"]);
  expect(drawn(row("a", "b"), row("b", "a"), row("c", "c"))).toEqual(["a", "-b", "c"]);
});
