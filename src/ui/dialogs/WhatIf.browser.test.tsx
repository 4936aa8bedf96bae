import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import type { Client } from "../../client/client.ts";
import { createPage, PageProvider } from "../store/page.ts";
import Otherwise from "./WhatIf.tsx";

let root: Root;
let stopped: number;
let refuse: (why: Error) => void;

const lab = {
  getBeginning: async () => ({
    values: [{ name: "profile", value: "documented", choices: ["documented", "sdk-0.53"] }],
  }),
  // It stays pending until it is cancelled.
  forkWorld: () =>
    new Promise((_, reject) => {
      refuse = reject;
    }),
  control: async ({ action }: { action: { case: string } }) => {
    expect(action.case).toBe("stopBranch");
    stopped += 1;
    refuse(new Error("the branch was given up: there is none"));
  },
};

beforeEach(async () => {
  stopped = 0;
  const page = createPage({ lab } as unknown as Client);
  root = createRoot(document.body.appendChild(document.createElement("div")));
  root.render(
    <PageProvider value={page}>
      <Otherwise />
    </PageProvider>,
  );
  await expect.element(screen.getByLabelText("New value")).toHaveValue("sdk-0.53");
  await screen.getByRole("button", { name: "Begin the branch" }).click();
  await expect.element(screen.getByRole("status")).toHaveTextContent("Replaying all commands");
});

afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
});

test("what is done again is stopped by its button, which says that there is no branch", async () => {
  await screen.getByRole("button", { name: "Stop" }).click();
  await expect
    .element(screen.getByRole("alert"))
    .toHaveTextContent("the branch was given up: there is none.");
  expect(stopped).toBe(1);
  await expect.element(screen.getByRole("button", { name: "Cancel" })).toBeVisible();
});

test("what it does stands last, as in every other form", () => {
  const buttons = [...document.querySelectorAll("form button")].slice(-2);
  expect(buttons.map(({ textContent }) => textContent)).toEqual(["Stop", "Begin the branch"]);
});

test("a form that is closed meanwhile stops it too", async () => {
  root.unmount();
  await expect.poll(() => stopped).toBe(1);
});
