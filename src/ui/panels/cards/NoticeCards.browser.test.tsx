import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../../client/client.ts";
import { notify, type Undo } from "../../store/notices.ts";
import { createPage, type Page, PageProvider } from "../../store/page.ts";
import NoticeCards from "./NoticeCards.tsx";

/** Too long for a user to read and decide. */
const LONG_MS = 10_000;

let root: Root;
let page: Page;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  page = createPage({ lab: {} } as unknown as Client);
  root = createRoot(document.body.appendChild(document.createElement("div")));
});

afterEach(() => {
  vi.useRealTimers();
  root.unmount();
  document.body.replaceChildren();
});

/** Shows a notice; React uses its own queue, without fake timers. */
async function show(text: string, undo?: Undo): Promise<HTMLElement> {
  notify(page.notices, text, "info", undo);
  root.render(
    <PageProvider value={page}>
      <NoticeCards />
    </PageProvider>,
  );
  const notice = screen.getByRole("listitem");
  await expect.element(notice).toHaveTextContent(text);
  return notice.element() as HTMLElement;
}

const shown = () => page.notices.getState().shown.length;

test("a notice with something to undo stays longer than it takes to read it", async () => {
  await show("Replaced lab-1.", { world: "w", take: () => undefined });
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(LONG_MS);
  expect(shown()).toBe(1);
  vi.advanceTimersByTime(LONG_MS);
  expect(shown()).toBe(0);
});

test.each([
  ["pointer is over", "pointerover", "pointerout"],
  ["focus is in", "focusin", "focusout"],
])("while the %s a notice it stays, and it leaves some time after", async (_, on, off) => {
  const notice = await show("val-1 is stopped.");
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  notice.dispatchEvent(new Event(on, { bubbles: true }));
  await expect.poll(() => vi.getTimerCount()).toBe(0);
  expect(shown()).toBe(1);
  notice.dispatchEvent(new Event(off, { bubbles: true }));
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(LONG_MS);
  expect(shown()).toBe(0);
});
