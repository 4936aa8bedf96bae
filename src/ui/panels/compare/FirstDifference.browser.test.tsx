import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../../client/client.ts";
import { createPage, PageProvider } from "../../store/page.ts";
import type { WorldComparison } from "../../store/types.ts";
import { FirstDifference } from "./FirstDifference.tsx";

type Answer = { height: number; sentence: string; searched: number; over: boolean };

let root: Root;
let page: ReturnType<typeof createPage>;
let requested: number[];
let answer: (found: Answer) => void;
let gone: number[];

const lab = {
  findDifference: ({ from }: { from: number }) => {
    requested.push(from);
    return new Promise<Answer>((resolve) => {
      answer = resolve;
    });
  },
};

const NOTHING = { height: 0, sentence: "", over: false };
const comparison = { a: { world: "a" }, b: { world: "b" }, genesis: [] };

const render = (height: number): void =>
  root.render(
    <PageProvider value={page}>
      <FirstDifference
        answer={comparison as unknown as WorldComparison}
        other={{ world: "b" }}
        height={height}
        onGo={(to) => {
          gone.push(to);
          render(to);
        }}
      />
    </PageProvider>,
  );

beforeEach(async () => {
  [requested, gone] = [[], []];
  page = createPage({ lab } as unknown as Client);
  root = createRoot(document.body.appendChild(document.createElement("div")));
  render(1);
  await screen.getByRole("button", { name: "Next difference" }).click();
});

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

test("a long history is searched piece by piece until a difference is there", async () => {
  answer({ ...NOTHING, searched: 20_001 });
  await expect.element(screen.getByRole("status")).toHaveTextContent("up to block 20,001 nothing");
  answer({ ...NOTHING, height: 30_000, sentence: "Other.", searched: 30_000 });
  await expect.element(screen.getByRole("status")).toHaveTextContent("Block 30,000: Other.");
  expect([requested, gone]).toEqual([[1, 20_001], [30_000]]);
  // It applies only to that block.
  render(30_001);
  await expect.element(screen.getByRole("status")).toHaveTextContent(/^$/);
});

test("that a search found nothing stays while the chain goes on", async () => {
  answer({ ...NOTHING, searched: 2, over: true });
  const status = screen.getByRole("status");
  await expect.element(status).toHaveTextContent("No block after 1 differs in more than hashes.");
  render(2);
  await expect.element(status).toHaveTextContent("No block after 1 differs in more than hashes.");
});

test("a search that is left meanwhile asks for no more, and goes nowhere", async () => {
  root.unmount();
  answer({ ...NOTHING, searched: 20_001 });
  answer({ ...NOTHING, height: 30_000, sentence: "Other.", searched: 30_000 });
  await new Promise((resolve) => setTimeout(resolve));
  expect([requested, gone]).toEqual([[1], []]);
});
