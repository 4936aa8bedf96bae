/** The API panel: every endpoint filled with what the chain has, its answer, and the same call as other programs send it. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { executablesNamed } from "../tools/executables.ts";
import { COMMAND, startNode } from "../tools/started-node.ts";
import { expect, LabPage, SOMETHING_EVERYWHERE, scenarioOf, test } from "./helpers.ts";

const run = promisify(execFile);

const open = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "API", exact: true }).click();
  await expect(page.getByLabel("Search endpoints")).toBeVisible();
};
const answerOf = (page: Page) => page.getByRole("region", { name: "Answer" });
const isAccessible = async (page: Page): Promise<void> => {
  const { violations } = await new AxeBuilder({ page }).include("[data-part=drawer]").analyze();
  expect(violations).toEqual([]);
};

test("a transaction that is sent while the past is shown goes to a branch from there, and what is asked does not", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.tellScenario("run: { to: 6 }");
  await page.getByRole("slider", { name: "Blocks" }).focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByTestId("past")).toContainText("Everything below is block 4.");
  await open(page);
  await page.getByLabel("Search endpoints").fill("TxDecode");
  await page.getByRole("button", { name: "TxDecode", exact: true }).click();
  await page.getByLabel("tx bytes").fill("AAAA");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await expect(answerOf(page)).toContainText(/\d{3} /);

  await page.getByLabel("Search endpoints").fill("BroadcastTx");
  await page.getByRole("button", { name: "BroadcastTx", exact: true }).click();
  await page.getByLabel("tx bytes").fill("AAAA");
  await page.getByLabel("mode").fill("BROADCAST_MODE_SYNC");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  const form = lab.dialog("Fork at block 4");
  await expect(form).toContainText("What you were about to do is done there.");
  await form.getByRole("button", { name: "Fork here and do it" }).click();
  await expect(form).toBeHidden();
  await expect(answerOf(page)).toContainText("tx parse error");
  await expect(page.getByTestId("past")).toBeHidden();
  expect(await lab.height()).toBe(4);
});

const LOOKS = [
  { colorScheme: "light", viewport: { width: 1280, height: 720 } },
  { colorScheme: "dark", viewport: { width: 1280, height: 720 } },
  { colorScheme: "light", viewport: { width: 390, height: 844 } },
  { colorScheme: "dark", viewport: { width: 390, height: 844 } },
] as const;

for (const { colorScheme, viewport } of LOOKS) {
  test.describe(`${viewport.width} wide, ${colorScheme}`, () => {
    test.use({ colorScheme, viewport });

    test("a person finds an endpoint, asks it with what the chain has, and reads and copies the answer", async ({
      lab,
      page,
      context,
    }) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await lab.open();
      await lab.pause();
      await open(page);
      await isAccessible(page);
      await page.getByLabel("Search endpoints").fill("no such thing");
      await expect(page.getByText("No endpoint has that.")).toBeVisible();
      await page.getByLabel("Search endpoints").fill("balances account");
      await page.getByRole("button", { name: "AllBalances", exact: true }).click();
      await expect(page.getByRole("heading", { name: "AllBalances" })).toBeFocused();

      // The first account of the chain stands there; another can be written.
      await expect(page.getByLabel("address")).toHaveValue(/^chain1/);
      await page.keyboard.press("Tab");
      await page.getByRole("button", { name: "Ask", exact: true }).click();
      await expect(answerOf(page)).toContainText(`200 OKblock ${await lab.height()}`);
      await expect(answerOf(page)).toContainText('"denom": "stake"');
      await isAccessible(page);
      await page.getByRole("button", { name: "Copy the answer" }).click();
      const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
      expect(copied).toMatchObject({ balances: [{ denom: "stake" }] });

      await page.getByLabel("address").fill("nonsense");
      await page.getByLabel("address").press("Enter");
      await expect(answerOf(page)).toContainText("400 Bad Request");
      await expect(answerOf(page)).toContainText("decoding bech32 failed");
      await page.getByLabel("address").fill("");
      await expect(page.getByRole("button", { name: "Ask", exact: true })).toBeDisabled();
      await expect(page.getByText("address is needed")).toBeVisible();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(viewport.width);
    });
  });
}

test("without a node the page's console asks the tab, and is answered as the panel is", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.pause();
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state))
    .toBe("activated");
  await open(page);
  for (const title of ["AllBalances", "GetNode", "GetLatestBlock", "Bech32Prefix"]) {
    await page.getByRole("button", { name: title, exact: true }).click();
    const ask = page.getByRole("button", { name: "Ask", exact: true });
    await expect(ask).toBeEnabled();
    // What is of the lab is known at the newest height alone.
    await page.getByLabel("at height").fill(String(await lab.height()));
    await ask.click();
    await expect(answerOf(page)).toContainText("200 OK");
    const calls = page.getByRole("region", { name: "The same call" });
    const text = await calls.getByText("await fetch").innerText();
    const shown = JSON.parse(await answerOf(page).locator("pre").innerText());
    expect(await page.evaluate(`(async () => ${text})()`)).toEqual(shown);
  }

  // A transaction is taken, too: this one is none.
  await page.getByRole("button", { name: "BroadcastTx", exact: true }).click();
  await page.getByLabel("tx bytes").fill("AAAA");
  await page.getByLabel("mode").fill("BROADCAST_MODE_SYNC");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await expect(answerOf(page)).toContainText("200 OK");
  await expect(answerOf(page)).toContainText('"codespace": "sdk"');
});

test("every call that the panel shows is answered as it says, by curl, the command line, fetch and grpcurl", async ({
  page,
}) => {
  test.setTimeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), "chainlab-api-"));
  const scenario = join(folder, "everywhere.yaml");
  writeFileSync(scenario, scenarioOf(...SOMETHING_EVERYWHERE));
  const node = await startNode("--ephemeral", "--speed", "10", "--quiet", "--scenario", scenario);
  try {
    const lab = new LabPage(page);
    await page.goto(node.rest);
    await lab.reaches(20);
    await lab.pause();
    await open(page);
    const endpoints = await page
      .getByRole("region", { name: "List of endpoints" })
      .getByRole("button")
      .all();
    expect(endpoints.length).toBeGreaterThan(90);
    const asked = { curl: 0, chainlab: 0, fetch: 0, grpcurl: 0 };
    for (const endpoint of endpoints) {
      await endpoint.click();
      const title = await endpoint.innerText();
      await expect(page.getByRole("heading", { name: title, exact: true })).toBeFocused();
      const ask = page.getByRole("button", { name: "Ask", exact: true });
      // What this chain has none of, such as a transaction's bytes, is left to the person.
      if (await ask.isDisabled()) continue;
      await ask.click();
      await expect(answerOf(page).locator("b")).toHaveText(/^\d{3} /);
      const shown = JSON.parse(await answerOf(page).locator("pre").innerText());
      const ok = (await answerOf(page).locator("b").innerText()) === "200 OK";
      const said = await page.getByRole("region", { name: "The same call" }).locator("code").all();
      const texts = await Promise.all(said.map((one) => one.innerText()));
      for (const [program, answered, text] of await Promise.all(texts.map(pasted(page)))) {
        if (answered === undefined) continue;
        asked[program] += 1;
        if (program === "curl" || program === "fetch") expect(answered, text).toEqual(shown);
        else expect(answered === "refused", text).toBe(!ok);
      }
    }
    expect(asked.curl).toBeGreaterThan(80);
    expect(asked.fetch).toBe(asked.curl);
    expect(asked.chainlab).toBeGreaterThan(50);
    if (GRPCURL) expect(asked.grpcurl).toBe(asked.curl);
    else test.info().annotations.push({ type: "grpcurl", description: "It is not on the PATH." });
  } finally {
    await node.end();
    rmSync(folder, { recursive: true });
  }
});

const GRPCURL = executablesNamed(["grpcurl"]).length > 0;

const PROGRAMS = ["curl", "grpcurl", "chainlab", "fetch"] as const;
type Program = (typeof PROGRAMS)[number];

/** What a text answers where it is pasted: its JSON, "refused", or undefined where there is no such program. */
const ANSWERS: Readonly<Record<Program, (text: string, page: Page) => Promise<unknown>>> = {
  curl: async (text) => JSON.parse((await shell(text.replace(/^curl/, "curl -s"))) ?? ""),
  chainlab: async (text) =>
    (await shell(text.replace(/^chainlab/, `${process.execPath} ${COMMAND}`))) ?? "refused",
  grpcurl: async (text) => (GRPCURL ? ((await shell(text)) ?? "refused") : undefined),
  // As the console does it.
  fetch: (text, page) => page.evaluate(`(async () => ${text})()`),
};

const pasted =
  (page: Page) =>
  async (text: string): Promise<[Program, unknown, string]> => {
    const word = text.replace(/^await /, "");
    const program = PROGRAMS.find((one) => word.startsWith(one));
    if (program === undefined) throw new Error(`no program is known that reads ${text}`);
    return [program, await ANSWERS[program](text, page), text];
  };

/** What a shell prints; undefined where the command fails. */
const shell = (text: string): Promise<string | undefined> =>
  run("sh", ["-c", text], { maxBuffer: 1 << 26 }).then(
    ({ stdout }) => stdout,
    () => undefined,
  );
