import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import type { Client } from "../../client/client.ts";
import { listenForKeys } from "./keys.ts";
import { createPage } from "./page.ts";

test("what was pressed before the keys were there is done once they are", async () => {
  const asked: string[] = [];
  const control = async ({ action }: { action: { case: string } }) => asked.push(action.case);
  await userEvent.keyboard(" ");
  const stop = listenForKeys(createPage({ lab: { control } } as unknown as Client));
  expect(asked).toEqual(["play"]);
  stop();
  await userEvent.keyboard(" ");
  expect(asked).toEqual(["play"]);
});

test("Space plays after a click, and presses what is reached by Tab", async () => {
  const asked: string[] = [];
  const control = async ({ action }: { action: { case: string } }) => asked.push(action.case);
  listenForKeys(createPage({ lab: { control } } as unknown as Client));
  const stop = document.createElement("button");
  const start = document.createElement("button");
  for (const button of [stop, start]) {
    button.textContent = "a node";
    button.addEventListener("click", () => asked.push("pressed"));
    document.body.append(button);
  }
  await userEvent.click(stop);
  await userEvent.keyboard(" ");
  expect(asked).toEqual(["pressed", "play"]);
  await userEvent.keyboard("{Tab} ");
  expect(document.activeElement).toBe(start);
  await userEvent.keyboard("{Shift>}{Tab}{/Shift} ");
  expect(document.activeElement).toBe(stop);
  expect(asked).toEqual(["pressed", "play", "pressed", "pressed"]);
  document.body.replaceChildren();
});
