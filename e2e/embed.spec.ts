/** The page within a page of another origin, as docs/embedding.md describes it. */
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import AxeBuilder from "@axe-core/playwright";
import { test as base, type Frame, type Page } from "@playwright/test";
import { errorsOf, expect, LabPage } from "./helpers.ts";

const GUIDE = readFileSync("docs/embedding.md", "utf8");
const [, , EXAMPLE = ""] = GUIDE.split("```html\n");
const PLACE = "https://lab.example/";

/** Serves one page from an origin of its own. */
const test = base.extend<{ serve: (html: string) => Promise<string> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters
  serve: async ({}, use) => {
    const servers: Server[] = [];
    await use(async (html) => {
      const server = createServer((_, response) =>
        response.setHeader("Content-Type", "text/html").end(html),
      );
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  },
});

async function frameIn(page: Page): Promise<Frame> {
  const element = await page.locator("iframe").elementHandle();
  const frame = await element?.contentFrame();
  if (!frame) throw new Error("nothing is in the frame");
  return frame;
}

test("the guide's example runs from another origin, which the frame names", async ({
  page,
  serve,
  baseURL,
}) => {
  const errors = errorsOf(page);
  const [html = ""] = EXAMPLE.split("```", 1);
  expect(html).toContain(PLACE);
  const origin = await serve(html.replace(PLACE, `${baseURL}`));
  await page.goto(origin);
  const inside = page.frameLocator("iframe");
  await expect(inside.getByTestId("embedder")).toContainText(origin);
  // The chain goes on after the steps of the scenario.
  const heard = async (): Promise<number> => Number(await page.locator("#height").textContent());
  await expect.poll(heard).toBeGreaterThanOrEqual(3);
  await expect(page.locator("#state")).toHaveText("bonded");
  await page.getByRole("button", { name: "Have val-3 sign twice" }).click();
  await expect(page.locator("#state")).toHaveText("tombstoned");
  expect((await frameIn(page)).url()).toContain("#/evidence");
  await expect(page.locator("#problem")).toBeEmpty();
  // A person in the frame has the chain go on by one block, and the page around hears of it.
  await inside.getByRole("button", { name: "Pause" }).click();
  await expect(inside.getByTestId("status")).toHaveText("Paused");
  const before = Number(await inside.getByTestId("height").textContent());
  await expect.poll(heard).toBe(before);
  await inside.getByRole("button", { name: "One block" }).click();
  await expect(page.locator("#height")).toHaveText(String(before + 1));
  const axe = await new AxeBuilder({ page }).include("iframe").analyze();
  expect(axe.violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual(
    [],
  );
  expect(errors).toEqual([]);
});

test("what the page around says wrong is answered, and its own page cannot be framed", async ({
  page,
  serve,
  baseURL,
}) => {
  const listener = `<script>
    const said = [];
    addEventListener("message", ({ data }) => said.push(data));
    const tell = (message) => document.querySelector("iframe").contentWindow.postMessage(message, "*");
  </script>`;
  const origin = await serve(`${listener}<iframe title="a" src="${baseURL}embed.html"></iframe>`);
  await page.goto(origin);
  const said = () => page.evaluate("said") as Promise<Record<string, unknown>[]>;
  await expect.poll(said).toEqual([{ chainlab: 1, event: "ready" }]);
  await page.evaluate(`tell({ chainlab: 1, id: 1, do: "load", scenario: "scenario: 1" })`);
  await page.evaluate(`tell({ chainlab: 1, id: 2, do: "run", step: { run: { to: -1 } } })`);
  await page.evaluate(`tell({ chainlab: 1, id: 3, do: "eval", code: "1" })`);
  await page.evaluate(`tell({ chainlab: 1, id: 4, do: "ask", path: "/lab/v1/nodes/val-0" })`);
  await page.evaluate(`tell({ chainlab: 1, id: 5, do: "advance", blocks: 5 })`);
  const inside = page.frameLocator("iframe");
  await expect
    .poll(async () => Number(await inside.getByTestId("height").textContent()))
    .toBeGreaterThan(4);
  await page.evaluate(`tell({ chainlab: 1, id: 6, do: "seek", height: 2 })`);
  await expect(inside.getByRole("heading", { name: /^Block 2 · the past/ })).toBeVisible();
  await page.evaluate(`tell({ chainlab: 1, id: 7, do: "seek", height: 0 })`);
  await expect(inside.getByRole("heading", { name: /the past/ })).toBeHidden();
  const answer = async (id: number) => (await said()).find((one) => one.id === id);
  await expect.poll(() => answer(4)).toMatchObject({ ok: true, value: { status: 200 } });
  expect(await answer(1)).toMatchObject({
    ok: false,
    error: expect.stringContaining("embedded.yaml:1"),
  });
  expect(await answer(2)).toMatchObject({ ok: false, error: expect.stringContaining("run.to") });
  expect(await answer(3)).toMatchObject({
    ok: false,
    error: expect.stringContaining("do: expected"),
  });

  const refused = await serve(`<iframe title="a" src="${baseURL}"></iframe>`);
  const blocked = page.waitForEvent("console", (message) => /frame-ancestors/.test(message.text()));
  await page.goto(refused);
  await blocked;
});

test("a link of a scenario is loaded in the frame, paused, and no world of this browser is there", async ({
  page,
  serve,
  baseURL,
}) => {
  const lab = new LabPage(page);
  await lab.open();
  await lab.tellScenario("run: 7");
  await page.keyboard.press("l");
  const link = await lab.dialog("Share").getByLabel("The link").inputValue();
  const src = `${baseURL}embed.html${link.slice(link.indexOf("#"))}`;
  const origin = await serve(`<iframe title="a" width="380" height="600" src="${src}"></iframe>`);
  await page.goto(origin);
  const inside = page.frameLocator("iframe");
  await expect(inside.getByTestId("status")).toHaveText("Paused");
  await expect(inside.getByTestId("height")).toHaveText("0");
  await expect(inside.getByTestId("story-line")).toBeVisible();
  await inside.getByRole("button", { name: "Play" }).click();
  await expect(inside.getByTestId("height")).toHaveText("7");
  // The frame kept nothing: the person's own world is the one that was there.
  await page.goto(`${baseURL}`);
  await expect.poll(() => lab.height()).toBe(7);
  await page.keyboard.press("w");
  await expect(lab.dialog("Worlds").getByRole("listitem")).toHaveCount(2);
});

test("the frame's own address is no door to the saved worlds, also on the same origin", async ({
  page,
  baseURL,
}) => {
  const lab = new LabPage(page);
  await lab.open();
  await lab.reaches(3);
  await lab.pause();
  await page.goto(`${baseURL}embed.html`);
  await expect(page.getByTestId("height")).toBeVisible();
  const worlds = await page.evaluate(async () => (await indexedDB.databases()).length);
  expect(worlds).toBeGreaterThan(0);
  const names = await page.getByText("Four validators").count();
  expect(names).toBe(0);
});
