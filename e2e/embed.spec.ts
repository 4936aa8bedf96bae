/** The page within a page of another origin, as docs/embedding.md describes it. */
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { test as base, type Frame, type Page } from "@playwright/test";
import { errorsOf, expect, LabPage, violationsOf } from "./helpers.ts";

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
  const heard = async (): Promise<number> => Number(await page.locator("#height").textContent());
  await expect.poll(heard).toBeGreaterThanOrEqual(3);
  await expect(page.locator("#state")).toHaveText("bonded");
  await page.getByRole("button", { name: "Have val-3 sign twice" }).click();
  await expect(page.locator("#state")).toHaveText("tombstoned");
  expect((await frameIn(page)).url()).toContain("#/evidence");
  await expect(page.locator("#problem")).toBeEmpty();
  // The chain stands where its steps ended. A person has it go on by one block, and the page around hears of it.
  await expect(inside.getByTestId("status")).toHaveText("Paused");
  const before = Number(await inside.getByTestId("height").textContent());
  expect(before).toBe(7);
  await expect.poll(heard).toBe(before);
  await inside.getByRole("button", { name: "One block" }).click();
  await expect(page.locator("#height")).toHaveText(String(before + 1));
  expect(await violationsOf(page, "iframe")).toEqual([]);
  expect(await violationsOf(await frameIn(page))).toEqual([]);
  expect(errors).toEqual([]);
});

test("what the page around says wrong is answered, its own page cannot be framed, and a damaged link is refused", async ({
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
  const text = () => page.evaluate("said") as Promise<Record<string, unknown>[]>;
  await expect.poll(text).toEqual([{ chainlab: 1, event: "ready" }]);
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
  const answer = async (id: number) => (await text()).find((one) => one.id === id);
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
  await test.step("a damaged link says so, and no other chain runs beside it", async () => {
    await page.goto(`${baseURL}embed.html#/shared/1/scenario/eJwrTi1R`);
    await expect(page.getByRole("alert")).toContainText("The link is damaged");
    await expect(page.getByTestId("height")).toBeHidden();
    await expect(page.getByRole("button", { name: "Pause" })).toBeHidden();
  });
});

test("a height is shown before it is said to be, the past is not steered, and there is a way back", async ({
  page,
  serve,
  baseURL,
}) => {
  const script = `<script>
    const heard = [];
    const waiting = new Map();
    const lab = () => document.querySelector("iframe").contentWindow;
    addEventListener("message", ({ data }) => {
      heard.push(data);
      waiting.get(data.id)?.(data);
    });
    const tell = (message) => new Promise((resolve) => {
      const id = waiting.size + 1;
      waiting.set(id, resolve);
      lab().postMessage({ chainlab: 1, id, ...message }, "*");
    });
    const framesHeard = () => heard.flatMap(({ frame }) => frame ?? []);
  </script>`;
  const origin = await serve(`${script}<iframe title="a" src="${baseURL}embed.html"></iframe>`);
  await page.goto(origin);
  const inside = page.frameLocator("iframe");
  const tell = (message: object) =>
    page.evaluate(`tell(${JSON.stringify(message)})`) as Promise<Record<string, unknown>>;
  await expect.poll(() => page.evaluate("heard.length")).toBe(1);
  const scenario = (name: string, blocks: number) =>
    `scenario: 1\nname: ${name}\ngenesis: { validators: 4, chain_id: ${name} }\nsteps:\n  - run: ${blocks}\n`;
  expect(await tell({ do: "load", scenario: scenario("one-1", 3) })).toMatchObject({ ok: true });
  await expect(inside.getByTestId("height")).toHaveText("3");
  // Its steps are all that runs.
  await expect(inside.getByTestId("status")).toHaveText("Paused");
  expect(await tell({ do: "load", scenario: scenario("two-1", 5) })).toMatchObject({ ok: true });
  await tell({ do: "frames", on: true });
  await expect(inside.getByTestId("height")).toHaveText("5");
  const chains = await page.evaluate("framesHeard().map(({ chain_id }) => chain_id)");
  expect(new Set(chains as string[])).toEqual(new Set(["two-1"]));

  expect(await tell({ do: "seek", height: 99_999 })).toMatchObject({
    ...{ ok: false, error: "there is no block 99999: there are 1 to 5" },
  });
  expect(await tell({ do: "seek", height: 2 })).toMatchObject({ ok: true });
  expect(await page.evaluate("framesHeard().at(-1).height")).toBe(2);
  await expect(inside.getByTestId("height")).toHaveText("2");
  const requested = await tell({ do: "ask", path: "/lab/v1/nodes/val-0" });
  expect(requested).toMatchObject({ ok: true, value: { status: 200 } });
  const { value } = requested as { value: { body: string } };
  expect(JSON.parse(value.body)).toMatchObject({ name: "val-0", height: 2 });
  expect(await tell({ do: "run", step: { run: 1 } })).toMatchObject({
    ...{ ok: false, error: "block 2 is past: seek 0, the newest, first" },
  });
  await expect(inside.getByRole("button", { name: "Play" })).toBeHidden();
  await inside.getByRole("button", { name: "Back to live" }).click();
  await expect(inside.getByTestId("height")).toHaveText("5");
  expect(await tell({ do: "run", step: { run: 1 } })).toMatchObject({ ok: true });
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
  await expect(inside.getByText("Done. All checks passed.")).toBeVisible();
  await inside.getByRole("button", { name: "Play" }).click();
  await expect(inside.getByRole("heading", { name: /^Block \d+ · Live$/ })).toBeVisible();
  await expect(inside.getByTestId("story-line")).toBeHidden();
  // The frame kept nothing: the person's own world is the one that was there.
  await page.goto(`${baseURL}`);
  await expect.poll(() => lab.height()).toBe(7);
  await page.keyboard.press("w");
  await expect(lab.dialog("Worlds").getByRole("listitem")).toHaveCount(2);
  await test.step("the frame's own address is no door to the saved worlds, also on the same origin", async () => {
    await page.keyboard.press("Escape");
    await page.goto(`${baseURL}embed.html`);
    await expect(page.getByTestId("height")).toBeVisible();
    const worlds = await page.evaluate(async () => (await indexedDB.databases()).length);
    expect(worlds).toBeGreaterThan(0);
    const names = await page.getByText("Four validators").count();
    expect(names).toBe(0);
  });
});
