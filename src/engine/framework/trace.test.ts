import { expect, test } from "vitest";
import { stepNoter } from "./context.ts";
import { TestChain } from "./testing.ts";

const note = stepNoter<{ asked: { readonly by: string } }>("market");
const BY_ANN = { by: "ann" };

test("a step holds its phase, module, kind and data as they were given", () => {
  const chain = new TestChain();
  chain.trace.phase = "tx 0";
  note(chain.block(), "asked", BY_ANN);
  note(chain.block(), "asked", BY_ANN, "refused");
  const step = { phase: "tx 0", module: "market", kind: "asked", data: BY_ANN };
  expect(chain.trace.steps).toEqual([
    { ...step, outcome: "info" },
    { ...step, outcome: "refused" },
  ]);
});

test("steps carry the number of the piece of evidence that is being decided on, nested and thrown over too", () => {
  const chain = new TestChain();
  const ctx = chain.block();
  const noted = () => note(ctx, "asked", BY_ANN);
  noted();
  expect(ctx.decideItem(() => "decided")).toBe("decided");
  ctx.decideItem(() => {
    noted();
    ctx.decideItem(noted);
    noted();
  });
  noted();
  expect(() =>
    ctx.decideItem(() => {
      throw new Error("refused");
    }),
  ).toThrow("refused");
  noted();
  expect(chain.trace.steps.map(({ item }) => item)).toEqual([
    undefined,
    2,
    3,
    2,
    undefined,
    undefined,
  ]);
});

test("steps of what is taken back stay and say so, and those before it are as they were", () => {
  const chain = new TestChain();
  const ctx = chain.block();
  const noted = () => note(ctx, "asked", BY_ANN);
  noted();
  ctx.atomically(noted);
  expect(() =>
    ctx.atomically(() => {
      noted();
      throw new Error("refused");
    }),
  ).toThrow("refused");
  noted();
  expect(chain.trace.steps.map(({ reverted }) => reverted)).toEqual([
    undefined,
    undefined,
    true,
    undefined,
  ]);
});
