import { expect, test } from "vitest";
import { whileProgressing } from "./progress.ts";

/** Each attempt takes 10 s and lacks what there is only at the end. */
function wait(figures: readonly string[], succeedsAt: number) {
  let attempts = 0;
  const done = whileProgressing(
    async () => figures[attempts] ?? "",
    async () => {
      attempts += 1;
      if (attempts !== succeedsAt) throw new Error("expected the end");
    },
    () => attempts * 10_000,
  );
  return { done, attempts: () => attempts };
}

test("a wait goes on as long as its figure changes", async () => {
  const figures = Array.from({ length: 100 }, (_, i) => `block ${i >> 1}`);
  await wait(figures, 99).done;
});

test("a wait ends 30 s after its figure last changed, with it and with what was missing", async () => {
  const { done, attempts } = wait(["a", "b", "c", "c", "c", "c", "c", "c"], 8);
  await expect(done).rejects.toThrow('no progress for 30 s at "c": expected the end');
  expect(attempts()).toBe(5);
});
