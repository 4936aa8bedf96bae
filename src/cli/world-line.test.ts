import { expect, test } from "vitest";
import { worldNamed } from "./world-line.ts";

const WORLDS = [
  { id: "lab", name: "first" },
  { id: "lab-1", name: "lab" },
  { id: "lab-2", name: "twice" },
  { id: "lab-3", name: "twice" },
];

test("a world is found by its id, also where another has that as its name, and by a name that only it has", () => {
  expect(worldNamed(WORLDS, "lab").name).toBe("first");
  expect(worldNamed(WORLDS, "first").id).toBe("lab");
});

test("a name that several worlds have is refused with their ids, and one that none has with all", () => {
  expect(() => worldNamed(WORLDS, "twice")).toThrow(
    "twice: 2 worlds have this name; expected the id of one: lab-2 (twice), lab-3 (twice)",
  );
  expect(() => worldNamed(WORLDS, "third")).toThrow(
    "expected a world by its name or id, found third; there are lab (first), lab-1 (lab)",
  );
  expect(() => worldNamed([], "third", "a deleted world")).toThrow(
    "expected a deleted world by its name or id, found third; there is none",
  );
});
