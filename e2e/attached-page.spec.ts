/** The page as a node serves it, attached to that node's chain: several people watch it, and those with the token steer. */
import { startNode } from "../tools/started-node.ts";
import { errorsOf, expect, LabPage, test, violationsOf } from "./helpers.ts";

const TOKEN = "mint-otter-41";
let node: Awaited<ReturnType<typeof startNode>>;
test.beforeEach(async () => {
  node = await startNode("--ephemeral", "--speed", "10", "--lab-token", TOKEN);
});
test.afterEach(async () => {
  expect(await node.end()).toBe(0);
});

test("one who watches is told so and may press nothing; with the token the page steers, and others see it", async ({
  context,
  page,
}) => {
  const errors = errorsOf(page);
  const lab = new LabPage(page);
  await page.goto(node.rest);
  const band = page.getByTestId("watching");
  await expect(band).toContainText(
    "No page controls this chain now. You watch, and change nothing.",
  );
  await lab.reaches(10);
  // Controls are hidden on a page that only watches; in place of the transport it shows who
  // controls the chain.
  await expect(page.getByTestId("steering")).toHaveText("0 in control · 1 watching · 10 blocks/s");
  for (const name of ["Pause", "Double sign…", "Upgrade…", "Inject a fault…"])
    await expect(page.getByRole("button", { name, exact: true })).toHaveCount(0);
  expect(await violationsOf(page)).toEqual([]);

  await band.getByRole("button", { name: "Enter a token…" }).click();
  await page.getByLabel("Token").fill("another");
  await page.getByRole("button", { name: "Steer" }).click();
  await expect(band.getByRole("alert")).toHaveText("This is not the token of this chain.");
  await page.getByLabel("Token").fill(TOKEN);
  await page.getByRole("button", { name: "Steer" }).click();
  await expect(band).toBeHidden();
  await expect(page.getByTestId("attached")).toContainText("In control");

  const second = await context.newPage();
  await second.goto(node.rest);
  await expect(second.getByTestId("watching")).toContainText("1 page controls this chain.");
  // A page behind another one draws rarely, and what is looked for in the viewport waits until it has drawn.
  await page.bringToFront();
  const attached = page.getByTestId("attached");
  await expect(attached).toContainText("2 here");
  for (const width of [360, 768, 960, 1100, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(attached.locator("> span"), `${width} px`).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: "Keys and terms" })).toBeInViewport({ ratio: 1 });
    const { x = 0, width: words = 0 } = (await attached.boundingBox()) ?? {};
    const height = await page.getByText("height", { exact: true }).first().boundingBox();
    expect(x + words, `${width} px`).toBeLessThanOrEqual(height?.x ?? 0);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  // The chain runs on for all: a form keeps its numbers, and says when they are not true any more.
  await page.keyboard.press("u");
  const form = lab.dialog("Propose an upgrade");
  const at = form.getByLabel("At height");
  const usual = await at.inputValue();
  await lab.reaches((await lab.height()) + 5);
  await expect(at).toHaveValue(usual);
  // A value that was valid when typed is no error: it is amber, with the reason.
  let margin = 50;
  await expect(async () => {
    const typed = (await lab.height()) + margin;
    margin += 50;
    await at.fill(String(typed));
    await expect(form.getByTestId("preview")).toContainText(`At height ${typed} `, {
      timeout: 2_000,
    });
  }, "a height that the chain does not outrun before it is previewed").toPass();
  await expect(form.getByRole("alert")).toContainText("The chain has moved on: ");
  const colors = await form.getByRole("alert").evaluate((alert) => {
    const page = getComputedStyle(document.documentElement);
    const probe = alert.appendChild(document.createElement("i"));
    const named = ["--warn", "--bad"].map((name) => {
      probe.style.color = page.getPropertyValue(name);
      return getComputedStyle(probe).color;
    });
    probe.remove();
    return [getComputedStyle(alert).color, ...named];
  });
  expect(colors[0]).toBe(colors[1]);
  expect(colors[0]).not.toBe(colors[2]);
  await at.fill(String((await lab.height()) + 20));
  await expect(form.getByRole("alert")).toContainText("expected that height or a later one");
  await expect(form.getByRole("alert")).toContainText("expected a later height");
  const then = (await form.getByRole("alert").textContent()) ?? "";
  await expect(form.getByRole("alert"), "it follows the chain").not.toHaveText(then);
  await page.keyboard.press("Escape");
  await expect(second.getByTestId("steering")).toHaveText(
    "1 in control · 1 watching · 10 blocks/s",
  );
  await lab.pause();
  await expect(second.getByTestId("status")).toHaveText("Paused");
  const height = await lab.height();
  await expect.poll(() => new LabPage(second).height()).toBe(height);

  // The token stays with its tab; REST is that of the chain which is seen.
  await page.reload();
  await expect(page.getByTestId("attached")).toContainText("In control");
  const answer = await page.evaluate(async () =>
    (await fetch("/chain/bank/v1beta1/supply")).headers.get("x-cosmos-block-height"),
  );
  expect(Number(answer)).toBe(height);
  expect(errors).toEqual([]);
});
