import { create } from "@bufbuild/protobuf";
import { flushSync } from "react-dom";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../../client/client.ts";
import { ActivitySchema, ValidatorSchema } from "../../../gen/lab/v1/lab_pb.ts";
import { createPage, type Page, PageProvider } from "../../store/page.ts";
import { frameOf } from "../../testing.ts";
import ActivityLines from "./ActivityLines.tsx";

const ADDRESS = "chainvalcons1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnpp7jge";

let root: Root;
let page: Page;

beforeEach(() => {
  page = createPage({ lab: {} } as unknown as Client);
  const validators = [create(ValidatorSchema, { name: "val-1", consensusAddress: ADDRESS })];
  const event = [
    create(ActivitySchema, {
      seq: 1,
      height: 3,
      outcome: "info",
      text: "active_proposal proposal_id=2",
    }),
    create(ActivitySchema, {
      seq: 2,
      height: 1200,
      outcome: "info",
      text: `slash address=${ADDRESS}`,
    }),
    create(ActivitySchema, { seq: 3, height: 1201, outcome: "refused", text: "jail refused" }),
  ];
  const step = create(ActivitySchema, {
    seq: 4,
    height: 3,
    outcome: "ok",
    text: "burned 5000000 of 100000000",
  });
  page.frames.setState({
    frame: frameOf({ validators }),
    activity: { step: [step], log: [], event },
  });
  root = createRoot(document.body.appendChild(document.createElement("div")));
  show("event");
});

const show = (kind: "step" | "event"): void =>
  root.render(
    <PageProvider value={page}>
      <ActivityLines kind={kind} />
    </PageProvider>,
  );

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

test("an event names its validator in place of the address, and links to it, its block and its proposal", async () => {
  const link = (name: string) => screen.getByRole("link", { name, exact: true });
  await expect.element(link("val-1")).toHaveAttribute("href", "#/network/node/val-1");
  await expect.element(link("Block 1,200")).toHaveAttribute("href", "#/network/block/1200");
  await expect.element(link("proposal_id=2")).toHaveAttribute("href", "#/network/proposal/2");
});

test("lines are found by their words, names included, and by their outcome", async () => {
  const found = screen.getByRole("status");
  await screen.getByRole("searchbox").fill("slash VAL-1");
  await expect.element(found).toHaveTextContent(/^1 of 3 events found$/);
  await screen.getByRole("combobox").selectOptions("refused");
  await expect.element(found).toHaveTextContent("0 of 3");
  await screen.getByRole("searchbox").fill("");
  await expect.element(found).toHaveTextContent("1 of 3");
  await expect.element(screen.getByText("jail refused")).toBeVisible();
});

test("a decision's numbers are grouped, and found as they are typed either way", async () => {
  show("step");
  for (const typed of ["5000000", "5,000,000"]) {
    await screen.getByRole("searchbox").fill(typed);
    await expect.element(screen.getByText("burned 5,000,000 of 100,000,000")).toBeVisible();
  }
});

test("lines that come are followed to their end, and nothing is laid out before the page is", async () => {
  const box = document.body.appendChild(document.createElement("div"));
  box.style.height = "200px";
  const follows = createRoot(box);
  follows.render(
    <PageProvider value={page}>
      <ActivityLines kind="event" />
    </PageProvider>,
  );
  await expect.poll(() => box.querySelector("ol")).not.toBeNull();
  const list = box.querySelector("ol") as HTMLOListElement;
  list.style.cssText = "height: 100px; overflow: auto";
  const toEnd = (): number => list.scrollHeight - list.clientHeight - list.scrollTop;
  const requested = vi.spyOn(list, "scrollHeight", "get");
  const lines = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      create(ActivitySchema, { seq: i + 1, height: i + 1, outcome: "info", text: `line ${i}` }),
    );
  for (const count of [40, 80]) {
    await expect.poll(toEnd).toBeLessThan(1);
    requested.mockClear();
    flushSync(() => page.frames.setState({ activity: { step: [], log: [], event: lines(count) } }));
    expect(list.childElementCount).toBe(count);
    expect(requested).not.toHaveBeenCalled();
  }
  await expect.poll(toEnd).toBeLessThan(1);

  // The event of that scroll may arrive after other lines, before these were scrolled to.
  flushSync(() => page.frames.setState({ activity: { step: [], log: [], event: lines(120) } }));
  list.dispatchEvent(new Event("scroll"));
  await expect.poll(toEnd).toBeLessThan(1);
  // After manual scrolling away from the end they stay in place.
  list.scrollTo({ top: 100 });
  await new Promise((then) => list.addEventListener("scroll", then, { once: true }));
  flushSync(() => page.frames.setState({ activity: { step: [], log: [], event: lines(160) } }));
  await new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)));
  expect(list.scrollTop).toBe(100);
  follows.unmount();
});
