import { describe, expect, test, vi } from "vitest";
import { StepError } from "../scenario/step-context.ts";
import { FIRST_WORLD } from "./first-world.ts";
import { RunningWorld } from "./running-world.ts";
import { restoredResults, savedPlay, savedResults } from "./save.ts";
import { Story } from "./story.ts";

const WAITING = { playing: false, speed: 1, blocks: 0 };

describe("what steps have named", () => {
  test("is saved by name with what there is of it: a value, the hash of evidence, both or none", () => {
    const results = new Map([
      ["p", { value: "7" }],
      ["empty", { value: "" }],
      ["e", { evidence: () => "AB" }],
      ["both", { value: "7", evidence: () => "CD" }],
      ["none", {}],
    ]);
    const saved = [
      { name: "p", value: "7" },
      { name: "empty", value: "" },
      { name: "e", evidence: "AB" },
      { name: "both", value: "7", evidence: "CD" },
      { name: "none" },
    ];
    expect(savedResults(results)).toStrictEqual(saved);
    const restored = restoredResults(saved);
    expect(savedResults(restored)).toStrictEqual(saved);
    expect([...restored].map(([name, { value }]) => [name, value])).toEqual([
      ["p", "7"],
      ["empty", ""],
      ["e", undefined],
      ["both", "7"],
      ["none", undefined],
    ]);
    expect(Object.keys(restored.get("none") ?? { x: 1 })).toEqual([]);
    expect(restored.get("both")?.evidence?.()).toBe("CD");
  });

  test("is asked for its evidence until there is some, and then no more", () => {
    const evidence = vi.fn((): string => {
      throw new StepError("not stored yet");
    });
    const results = new Map([["e", { evidence }]]);
    expect(savedResults(results)).toStrictEqual([{ name: "e" }]);
    expect(savedResults(results)).toStrictEqual([{ name: "e" }]);
    expect(evidence).toHaveBeenCalledTimes(2);
    evidence.mockReturnValue("AB");
    for (let i = 0; i < 3; i++) {
      expect(savedResults(results)).toStrictEqual([{ name: "e", evidence: "AB" }]);
    }
    expect(evidence).toHaveBeenCalledTimes(3);
  });
});

describe("the story of a world", () => {
  const refused = (): never => {
    throw new StepError("no block");
  };
  const steps = [
    { verb: "run", action: { *run() {} } },
    { verb: "run", action: { run: refused } },
  ] as unknown as typeof FIRST_WORLD.steps;
  const scenario = { ...FIRST_WORLD, steps };

  test("is saved with how far it is, and where its beats began", () => {
    const live = new RunningWorld({ scenario, file: "a.yaml", text: "scenario: 1" });
    const story = new Story(live);
    live.story = story;
    story.begin();
    story.playBeat();
    const begun = { state: "running", message: "", autoplay: true, speed: 2 };
    const starts = [{ rounds: 0, entries: 0 }];
    expect(savedPlay(live, WAITING).story).toStrictEqual({ ...begun, current: 0, starts });
    live.tasks.work();
    const rests = { ...begun, current: 1, resting: true, starts, told: 0, own: 0 };
    expect(savedPlay(live, WAITING).story).toStrictEqual(rests);
    story.playBeat();
    live.tasks.work();
    expect(savedPlay(live, WAITING).story).toStrictEqual({
      ...{ ...begun, state: "failed", message: "no block", current: 1 },
      ...{ told: 0, own: 0 },
      starts: [...starts, ...starts],
    });
  });

  test("is none where the world came from no file", () => {
    const live = new RunningWorld({ scenario, file: "", text: "" });
    expect(savedPlay(live, WAITING)).not.toHaveProperty("story");
  });
});
