import { expect, test } from "vitest";
import { type Bundled, groupsOf } from "./bundled-stories.ts";

const STORIES: readonly Bundled[] = [
  { file: "a", title: "Late", about: "Stake is burned.", group: "evidence", words: ["slashing"] },
  { file: "b", title: "Sidecars", about: "", group: "sidecar", words: ["cosmovisor", "halt"] },
  { file: "c", title: "First", about: "", group: "start_here", words: ["jail"] },
  { file: "d", title: "Own", about: "Something else." },
];
const found = (wanted: string) =>
  groupsOf(STORIES, wanted).map(({ title, stories }) => [
    title,
    ...stories.map(({ file }) => file),
  ]);

test("stories stand in groups, the first ones first, and those of none last", () => {
  expect(found("")).toEqual([
    ["Start here", "c"],
    ["Evidence", "a"],
    ["Sidecar (Cosmovisor)", "b"],
    ["Others", "d"],
  ]);
});

test("a story is found by the words of the field, in any order, and by those of its text", () => {
  expect(found("Cosmovisor")).toEqual([["Sidecar (Cosmovisor)", "b"]]);
  expect(found(" halt cosmo ")).toEqual([["Sidecar (Cosmovisor)", "b"]]);
  expect(found("slashing late")).toEqual([["Evidence", "a"]]);
  expect(found("halt-Cosmovisor")).toEqual([["Sidecar (Cosmovisor)", "b"]]);
  expect(found("jail burned")).toEqual([]);
});

test("what has all the words in its title comes first, and so does its group", () => {
  const of = (file: string, title: string, group: string, level: string, about = "") => ({
    ...{ file, title, group, level, about },
  });
  const stories = [
    of("a", "Two nodes", "evidence", "beginner", "They make two chains."),
    of("b", "A cut", "network", "beginner", "Two chains grow."),
    of("c", "One network, two chains", "network", "expert"),
  ];
  expect(groupsOf(stories, "two chains").map(({ stories }) => stories.map((s) => s.file))).toEqual([
    ["c", "b"],
    ["a"],
  ]);
});

test("in a group the easiest stories come first, otherwise in their order", () => {
  const stories = ["expert", "beginner", "advanced", "beginner"].map((level, i) => ({
    ...{ file: String(i), title: "", about: "", group: "evidence", level },
  }));
  expect(groupsOf(stories, "")[0]?.stories.map(({ file }) => file)).toEqual(["1", "3", "2", "0"]);
});
