import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFrameStore } from "./frame-store.ts";
import type { Page } from "./page.ts";
import { announcedAfter, followPreview, type StepPreview } from "./preview-step.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a preview that follows a playing chain takes a fifth of the time at most, and shows what it came to at last", async () => {
  const frames = createFrameStore();
  const starts: number[] = [];
  const preview = async () => {
    starts.push(performance.now());
    const sentence = `at ${frames.getState().frame?.chain?.height}`;
    await new Promise((resolve) => setTimeout(resolve, 10));
    return { sentence, time: "", power: "", path: "", message: "" };
  };
  const shown: (string | undefined)[] = [];
  const { request, stop } = followPreview(
    { client: { lab: { preview } }, frames } as unknown as Page,
    () => "{}",
    (answer: StepPreview | undefined) => shown.push(answer?.sentence),
  );
  request();
  for (let height = 1; height <= 100; height++) {
    frames.setState({ frame: { chain: { height } } as never });
    await vi.advanceTimersByTimeAsync(5);
  }
  await vi.advanceTimersByTimeAsync(200);
  expect(starts.length).toBeGreaterThan(5);
  expect(starts.length).toBeLessThanOrEqual(Math.ceil(700 / 50) + 1);
  expect(shown.at(-1)).toBe("at 100");

  // A changed form waits for the running request only.
  const before = starts.length;
  frames.setState({ frame: { chain: { height: 101 } } as never });
  request();
  await vi.advanceTimersByTimeAsync(11);
  expect(starts.length).toBe(before + 2);
  frames.setState({ frame: undefined });
  stop();
  await vi.advanceTimersByTimeAsync(500);
  expect(starts.length).toBe(before + 2);
});

test("a preview is announced when the form changes, once when the chain changes it, and then only in other words", () => {
  const says = (before: Parameters<typeof announcedAfter>[0], sentence: string, settled = false) =>
    announcedAfter(before, sentence, settled);
  const first = says({ sentence: "", byChain: false }, "Ends at block 7.", true);
  expect(first.sentence).toBe("Ends at block 7.");
  const second = says(first, "Ends at block 8.");
  expect(second.sentence).toBe("Ends at block 8.");
  expect(says(second, "Ends at block 9.")).toBe(second);
  expect(says(second, "")).toBe(second);
  expect(says(second, "It has ended.").sentence).toBe("It has ended.");
  expect(says(second, "Ends at block 10.", true).sentence).toBe("Ends at block 10.");
});

test.each([
  ["Then v2, due at 40, is cancelled.", "Then v3, due at 40, is cancelled."],
  ["val-2 goes unpunished.", "val-3 goes unpunished."],
  ["v1.2.3, due at 40, comes first.", "v1.2.4, due at 41, comes first."],
  ["node_2 halts.", "node_3 halts."],
  ['Handler "v2-1" is missing.', 'Handler "v2-2" is missing.'],
  ["Alice delegates 5stake.", "Alice delegates 6stake."],
])("another name is other words: %s", (before, after) => {
  const announced = { sentence: before, byChain: true };
  expect(announcedAfter(announced, after, false).sentence).toBe(after);
});

test.each([
  ["v2, due at 40, is cancelled at 1,000.5.", "v2, due at 41, is cancelled at 1,001.5."],
  ["It is locked until 2026-01-22T00:00:10Z.", "It is locked until 2026-01-22T00:00:15.5Z."],
  ["no older than 2026-01-01 00:00:10 +0000 UTC", "no older than 2026-01-02 00:00:00 +0000 UTC"],
  ["267 of 400 power: more than 2/3", "266 of 399 power: more than 1/3"],
])("another number or time is no other words: %s", (before, after) => {
  const announced = { sentence: before, byChain: true };
  expect(announcedAfter(announced, after, false)).toBe(announced);
});
