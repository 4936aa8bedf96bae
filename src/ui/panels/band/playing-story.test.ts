import { expect, test } from "vitest";
import type { Beat, Story, StoryStep } from "../../store/types.ts";
import { checksOf, messageOf, playingStory, sentenceOf } from "./playing-story.ts";

const step = (verb: string, state: string): StoryStep => ({
  ...{ index: 0, verb, state, note: "", expected: "tokens: val-2, is: 5", found: "" },
  message: state === "failed" ? "found 3" : "",
  does: { run: "runs until halted", double_sign: "val-2 signs twice" }[verb] ?? "",
});
const beat = (first: number, end: number, sentence = ""): Beat => ({
  ...{
    sentence,
    does: sentence ? "" : "val-2 signs twice.",
    first,
    end,
    state: "ok",
    view: "",
    drawer: "",
    highlight: "",
  },
  ...{ selectionKind: "", selectionId: "" },
});
const STORY: Story = {
  ...{ name: "n", title: "T", about: "", state: "running", file: "", current: 0 },
  ...{ beat: 0, autoplay: true, acted: false },
  beats: [beat(0, 3, "One."), beat(3, 6)],
  steps: ["run", "expect", "expect", "double_sign", "run", "expect"].map((verb, i) =>
    step(verb, i < 2 ? "ok" : i === 2 ? "failed" : "pending"),
  ),
};

test("a beat is its sentence, or what it does", () => {
  expect(STORY.beats.map((one) => sentenceOf(STORY, one))).toEqual([
    "One.",
    "val-2 signs twice, then runs until halted, then 1 check.",
  ]);
});

test("a beat that begins with what is done begins with a capital", () => {
  expect(sentenceOf(STORY, beat(4, 5))).toBe("Runs until halted.");
});

test("a beat says which of its checks were made, and why it failed", () => {
  const [first, second] = STORY.beats as readonly [Beat, Beat];
  expect(checksOf(STORY, first).map(({ state }) => state)).toEqual(["ok", "failed"]);
  expect(messageOf(STORY, first)).toBe("found 3");
  expect([checksOf(STORY, second), messageOf(STORY, second)]).toEqual([[], ""]);
});

test("a story is told from its first beat on", () => {
  expect(playingStory(STORY)).toBe(STORY);
  expect(playingStory({ ...STORY, state: "none" })).toBeUndefined();
  expect(playingStory({ ...STORY, beats: [] })).toBeUndefined();
  expect(playingStory(undefined)).toBeUndefined();
});
