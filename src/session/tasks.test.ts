import { describe, expect, test } from "vitest";
import type { StepResult } from "../scenario/runner.ts";
import type { ScenarioStep } from "../scenario/scenario.ts";
import { TaskQueue } from "./tasks.ts";

/**
 * Script of a step: rounds before it ends, commands that it issues in each, and the reason for its
 * failure.
 */
interface Course {
  readonly rounds?: number;
  readonly commands?: number;
  readonly fails?: string;
}

/** A queue of scripted steps, in a world of rounds and commands. */
function queueOf(courses: Readonly<Record<string, Course>> = {}) {
  const world = { rounds: 0, entries: 0 };
  const begun: string[] = [];
  const log: string[] = [];
  const results: StepResult[] = [];
  const queue = new TaskQueue(
    function* ({ verb }, index) {
      begun.push(`${verb} ${index}`);
      const { rounds = 0, commands = 0, fails = "" } = courses[verb] ?? {};
      for (let i = 0; i < rounds; i++) {
        world.rounds += 1;
        world.entries += commands;
        yield;
      }
      if (rounds === 0) world.entries += commands;
      return { index, verb, ok: fails === "", height: world.rounds, message: fails };
    },
    () => ({ ...world }),
  );
  const add = (verbs: string, ofStory = false, text = (verb: string) => `{"${verb}"}`): void =>
    queue.add({
      ofStory,
      steps: verbs
        .split(" ")
        .filter((verb) => verb !== "")
        .map((verb, index) => ({
          text: ofStory ? "" : text(verb),
          step: { verb } as ScenarioStep,
          index,
        })),
      stepEnded: ({ verb, ok }) => log.push(`${verb} ${ok ? "ended" : "failed"}`),
      ended: (result) => {
        log.push(`${verbs} over`);
        results.push(result);
      },
    });
  const work = (times: number): void => {
    for (let i = 0; i < times; i++) queue.work();
  };
  return { queue, world, begun, log, results, add, work };
}

describe("a queue", () => {
  test("without tasks has nothing to do", () => {
    const { queue, begun, work } = queueOf();
    work(2);
    expect(begun).toEqual([]);
    expect([queue.busy, queue.starting, queue.begins, queue.hasStorySteps, queue.isPaused]).toEqual(
      [...[false, true, undefined], ...[false, false]],
    );
    expect([queue.stepStart, queue.texts]).toEqual([undefined, []]);
  });

  test("takes no task without steps", () => {
    const { queue, add } = queueOf();
    add("");
    expect(queue.busy).toBe(false);
  });

  test("runs steps in order, one round at a time, and tells of each, and of the task with the last", () => {
    const { queue, world, begun, log, results, add, work } = queueOf({ a: { rounds: 2 } });
    add("a b");
    add("c");
    expect(queue.busy).toBe(true);
    work(1);
    expect([begun, log, world.rounds]).toEqual([["a 0"], [], 1]);
    work(2);
    expect([begun, log, world.rounds]).toEqual([["a 0"], ["a ended"], 2]);
    work(1);
    expect(log).toEqual(["a ended", "b ended", "a b over"]);
    expect(queue.busy).toBe(true);
    work(1);
    expect(begun).toEqual(["a 0", "b 1", "c 0"]);
    expect(log.slice(3)).toEqual(["c ended", "c over"]);
    expect(queue.busy).toBe(false);
    expect(results.map(({ verb, ok }) => [verb, ok])).toEqual([
      ["b", true],
      ["c", true],
    ]);
  });

  test("ends a task at the first step that fails, and goes on with the next", () => {
    const { queue, begun, log, results, add, work } = queueOf({ b: { fails: "no" } });
    add("a b c");
    add("d");
    work(2);
    expect(log).toEqual(["a ended", "b failed", "a b c over"]);
    expect(results).toMatchObject([{ verb: "b", index: 1, ok: false, message: "no" }]);
    expect(queue.texts).toEqual(['{"d"}']);
    work(1);
    expect(begun).toEqual(["a 0", "b 1", "d 0"]);
    expect(queue.busy).toBe(false);
  });

  test("keeps no steps that follow one that failed: they would run when the world is opened again", () => {
    const { queue, add, work } = queueOf({ a: { fails: "no" } });
    add("a b");
    work(1);
    expect([queue.busy, queue.texts]).toEqual([false, []]);
  });

  test("says the number of a task's last command, and none where it gave none", () => {
    const { world, results, add, work } = queueOf({
      a: { commands: 2 },
      b: { rounds: 1, commands: 1 },
    });
    world.entries = 7;
    add("c");
    add("a c");
    add("c");
    add("a b c");
    work(20);
    expect(results.map(({ command }) => command)).toEqual([0, 9, 0, 12]);
  });
});

describe("a step that is running", () => {
  test("began where the world was, until it has ended", () => {
    const { queue, world, add, work } = queueOf({ a: { rounds: 2, commands: 1 } });
    Object.assign(world, { rounds: 4, entries: 3 });
    add("a b");
    expect([queue.stepStart, queue.begins?.verb]).toEqual([undefined, "a"]);
    work(1);
    expect([queue.stepStart, queue.begins]).toEqual([{ rounds: 4, entries: 3 }, undefined]);
    work(1);
    expect([world, queue.stepStart]).toEqual([
      { rounds: 6, entries: 5 },
      { rounds: 4, entries: 3 },
    ]);
    work(1);
    expect([queue.stepStart, queue.begins?.verb]).toEqual([undefined, "b"]);
  });

  test("needs a round of its own in a story, and to go on, but not to start", () => {
    const { queue, add, work } = queueOf({ a: { rounds: 1 } });
    add("a b");
    expect(queue.starting).toBe(true);
    work(1);
    expect(queue.starting).toBe(false);
    work(1);
    expect(queue.starting).toBe(true);
    work(1);
    add("a b", true);
    expect(queue.starting).toBe(true);
    work(2);
    expect([queue.starting, queue.begins?.verb]).toEqual([false, "b"]);
  });
});

describe("steps of a story", () => {
  test("are told of while they run or wait, and have no texts", () => {
    const { queue, add, work } = queueOf({ a: { rounds: 1 } });
    add("a");
    expect(queue.hasStorySteps).toBe(false);
    add("a b", true);
    expect([queue.hasStorySteps, queue.texts]).toEqual([true, ['{"a"}']]);
    work(2);
    expect([queue.hasStorySteps, queue.texts]).toEqual([true, []]);
    work(1);
    add("c");
    expect([queue.hasStorySteps, queue.texts]).toEqual([true, ['{"c"}']]);
    work(2);
    expect([queue.hasStorySteps, queue.texts]).toEqual([false, ['{"c"}']]);
  });

  test("leave the texts of others, which are those that run or wait", () => {
    const { queue, add, work } = queueOf({ b: { rounds: 1 } });
    add("a b c");
    add("d e", false, (verb) => (verb === "d" ? "" : `{"${verb}"}`));
    expect(queue.texts).toEqual(['{"a"}', '{"b"}', '{"c"}', '{"e"}']);
    work(2);
    expect(queue.texts).toEqual(['{"b"}', '{"c"}', '{"e"}']);
  });
});

describe("a held queue", () => {
  test("is released once nothing is left, and not before", () => {
    const { queue, add, work } = queueOf();
    add("a b");
    add("c");
    queue.isPaused = true;
    work(2);
    expect([queue.busy, queue.isPaused]).toEqual([true, true]);
    work(1);
    expect([queue.busy, queue.isPaused]).toEqual([false, false]);
  });

  test("is so before the end of its last step is told of, so that it may be held by that", () => {
    const { queue } = queueOf();
    queue.add({
      ofStory: false,
      steps: [{ text: "", step: { verb: "a" } as ScenarioStep, index: 0 }],
      stepEnded: () => {
        queue.isPaused = true;
      },
      ended() {},
    });
    queue.work();
    expect(queue.isPaused).toBe(true);
  });
});

describe("abandoned", () => {
  test("are the step that runs and the first of each task that waits, with the reason and the height", () => {
    const { queue, log, results, add, work } = queueOf({ b: { rounds: 3 } });
    add("a b c");
    add("d e");
    work(2);
    queue.isPaused = true;
    queue.abandon("stopped", 9);
    expect(log).toEqual(["a ended", "b failed", "a b c over", "d failed", "d e over"]);
    const failed = { ok: false, height: 9, message: "stopped" };
    expect(results).toEqual([
      { index: 1, verb: "b", ...failed },
      { index: 0, verb: "d", ...failed },
    ]);
    expect([queue.busy, queue.isPaused, queue.stepStart, queue.texts]).toEqual([
      false,
      false,
      undefined,
      [],
    ]);
    expect(queue.begins).toBeUndefined();
  });

  test("is the next step of a task where one has just ended, and the first of one that has not begun", () => {
    const { queue, results, add, work } = queueOf();
    add("a b");
    work(1);
    queue.abandon("stopped", 1);
    add("c d");
    queue.abandon("stopped", 1);
    expect(results.map(({ verb }) => verb)).toEqual(["b", "c"]);
  });

  test("tasks are not run, and later ones are", () => {
    const { queue, begun, results, add, work } = queueOf({ a: { rounds: 2 }, c: { commands: 1 } });
    add("a b");
    work(1);
    queue.abandon("stopped", 1);
    add("c");
    work(5);
    expect(begun).toEqual(["a 0", "c 0"]);
    expect(results.at(-1)).toMatchObject({ verb: "c", ok: true, command: 1 });
  });

  test("nothing is where nothing is to be done", () => {
    const { queue, log } = queueOf();
    queue.abandon("stopped", 1);
    expect(log).toEqual([]);
  });

  test("tasks may add others when they are told of it", () => {
    const { queue, add, begun, work } = queueOf();
    queue.add({
      ofStory: false,
      steps: [{ text: "", step: { verb: "a" } as ScenarioStep, index: 0 }],
      stepEnded() {},
      ended: () => add("b"),
    });
    queue.abandon("stopped", 1);
    work(1);
    expect(begun).toEqual(["b 0"]);
  });
});
