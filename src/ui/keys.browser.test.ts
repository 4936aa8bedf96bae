import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import type { Client } from "../client/client.ts";
import { keyActions, listenForKeys } from "./keys.ts";
import { createPage } from "./store/page.ts";
import { read } from "./store/route.ts";
import { travelTo } from "./store/travel.ts";
import { frameOf } from "./testing.ts";
import { VIEWS } from "./views/views.ts";

test("what was pressed before the keys were there is done once they are", async () => {
  const requested: string[] = [];
  const control = async ({ action }: { action: { case: string } }) => requested.push(action.case);
  await userEvent.keyboard(" ");
  const stop = listenForKeys(createPage({ lab: { control } } as unknown as Client));
  expect(requested).toEqual(["play"]);
  stop();
  await userEvent.keyboard(" ");
  expect(requested).toEqual(["play"]);
});

test("Space plays after a click, and presses what is reached by Tab", async () => {
  const requested: string[] = [];
  const control = async ({ action }: { action: { case: string } }) => requested.push(action.case);
  const end = listenForKeys(createPage({ lab: { control } } as unknown as Client));
  const stop = document.createElement("button");
  const start = document.createElement("button");
  for (const button of [stop, start]) {
    button.textContent = "a node";
    button.addEventListener("click", () => requested.push("pressed"));
    document.body.append(button);
  }
  await userEvent.click(stop);
  await userEvent.keyboard(" ");
  expect(requested).toEqual(["pressed", "play"]);
  await userEvent.keyboard("{Tab} ");
  expect(document.activeElement).toBe(start);
  await userEvent.keyboard("{Shift>}{Tab}{/Shift} ");
  expect(document.activeElement).toBe(stop);
  expect(requested).toEqual(["pressed", "play", "pressed", "pressed"]);
  end();
  document.body.replaceChildren();
});

test("Space has a story rest after its beat, and pauses a chain without one", () => {
  const requested: string[] = [];
  const control = async ({ action }: { action: { case: string } }) => requested.push(action.case);
  for (const state of ["running", "passed"]) {
    const page = createPage({ lab: { control } } as unknown as Client);
    page.frames.setState({ frame: frameOf({ player: { playing: true }, story: { state } }) });
    keyActions(page)[" "]?.();
  }
  expect(requested).toEqual(["autoplay", "pause"]);
});

/** A page that shows block 5 of 9. */
function pageInThePast() {
  const page = createPage({} as unknown as Client);
  page.frames.setState({ frame: frameOf({ chain: { height: 9, initialHeight: 1 } }) });
  travelTo(page, 5);
  return page;
}

test("the key after End acts on the newest block, which is not drawn yet", () => {
  const page = pageInThePast();
  const stop = listenForKeys(page);
  for (const key of ["End", "d"])
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  expect(page.frames.getState().travel).toBeUndefined();
  expect(page.dialog.getState().name).toBe("double-sign");
  stop();
});

test("Escape closes a dialog that is still being fetched, and the key after it is for the page", () => {
  const page = createPage({} as unknown as Client);
  const stop = listenForKeys(page);
  for (const key of ["s", "Escape", "w"])
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  expect(page.dialog.getState().name).toBe("worlds");
  stop();
});

test("End leads back to live after a click in the view, or where there is nothing to scroll", async () => {
  const page = pageInThePast();
  const stop = listenForKeys(page);
  const view = document.createElement("section");
  view.tabIndex = 0;
  view.style.cssText = "height: 100px; overflow: auto";
  view.textContent = "all in sight";
  document.body.append(view);
  view.focus();
  await userEvent.keyboard("{End}");
  await expect.poll(() => page.frames.getState().travel).toBeUndefined();

  view.innerHTML = '<div style="height: 900px">much to see</div>';
  travelTo(page, 5);
  await userEvent.click(view);
  await userEvent.keyboard("{End}");
  await expect.poll(() => page.frames.getState().travel).toBeUndefined();

  // It scrolls if it was reached by keyboard.
  travelTo(page, 5);
  view.blur();
  view.focus();
  await userEvent.keyboard("{End}");
  expect(page.frames.getState().travel).toBeDefined();
  stop();
  document.body.replaceChildren();
});

test("a view that came later has its number as a key", () => {
  const page = createPage({} as unknown as Client);
  const actions = keyActions(page);
  const added = { ...(VIEWS[0] as (typeof VIEWS)[number]), name: "added" };
  VIEWS.push(added);
  actions[VIEWS.length]?.();
  expect(read().view).toBe("added");
  VIEWS.pop();
  actions[VIEWS.length + 1]?.();
  expect(read().view).toBe("added");
  location.hash = "";
});
