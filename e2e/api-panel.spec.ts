/** The API panel: every endpoint filled with what the chain has, its answer, and the same call as other programs send it. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Locator, Page } from "@playwright/test";
import { executablesNamed } from "../tools/executables.ts";
import { COMMAND, startNode } from "../tools/started-node.ts";
import { SOAK } from "../tools/test-class.ts";
import {
  expect,
  LabPage,
  SOMETHING_EVERYWHERE,
  scenarioOf,
  test,
  violationsOf,
} from "./helpers.ts";

const run = promisify(execFile);

const open = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "API", exact: true }).click();
  await expect(page.getByLabel("Search endpoints")).toBeVisible();
};
const answerOf = (page: Page) => page.getByRole("region", { name: "Answer" });
const isAccessible = async (page: Page): Promise<void> =>
  expect(await violationsOf(page, "[data-part=drawer]")).toEqual([]);

const LOOKS = [
  { colorScheme: "light", viewport: { width: 1280, height: 720 } },
  { colorScheme: "dark", viewport: { width: 1280, height: 720 } },
  { colorScheme: "light", viewport: { width: 390, height: 844 } },
  { colorScheme: "dark", viewport: { width: 390, height: 844 } },
] as const;

test("a person finds an endpoint, asks it with what the chain has, and reads and copies the answer, in every look", async ({
  lab,
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await lab.open();
  await lab.pause();
  await open(page);
  for (const { colorScheme, viewport } of LOOKS) {
    await test.step(`${viewport.width} wide, ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize(viewport);
      const isNarrow = viewport.width < 400;
      // The list has no room there beside the endpoint that was chosen before.
      if (isNarrow) await page.getByRole("button", { name: "All endpoints" }).click();
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
      if (!isNarrow) {
        await page.getByLabel("Search endpoints").fill("GetNode");
        await page.getByRole("button", { name: "GetNode", exact: true }).click();
        await expect(page.getByRole("heading", { name: "GetNode" })).toBeFocused();
      }
    });
  }
  await test.step("a message is filled in, checked as it is written, sent as a transaction, and answered with its events", async () => {
    // The last look is that of a phone in the dark.
    await page.getByRole("button", { name: "All endpoints" }).click();
    await page.getByLabel("Search endpoints").fill("MsgSubmitEvidence");
    await page.getByRole("button", { name: "MsgSubmitEvidence", exact: true }).click();
    const form = page.getByRole("region", { name: "Transaction" });
    const evidence = form.getByRole("textbox", { name: /^evidence/ });
    await expect(evidence).toHaveValue(/chain\.evidence\.v1beta1\.Equivocation/);
    await form.getByLabel("Values for evidence").selectOption({ label: "val-2" });
    await expect(form.getByRole("status")).toHaveText("The checks of the chain pass.");
    await isAccessible(page);
    const written = await evidence.inputValue();
    await evidence.fill("{");
    await expect(form.getByRole("status")).toContainText("evidence: expected JSON: ");
    await expect(form.getByRole("button", { name: "Send" })).toBeDisabled();
    await evidence.fill(written.replace(/"power": "\d+"/, '"power": "-1"'));
    await expect(form.getByRole("status")).toContainText("power");
    await evidence.fill(written);
    await expect(form.getByRole("status")).toHaveText("The checks of the chain pass.");
    const height = await lab.height();
    await form.getByRole("button", { name: "Send" }).click();
    await expect(answerOf(page)).toContainText("200 OK");
    await expect(answerOf(page)).toContainText("submit_evidence");
    await lab.reaches(height + 1);
    // The same once more: its hash is known.
    await expect(form.getByRole("status")).toContainText("already exists");
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    await page.getByRole("button", { name: "All endpoints" }).click();
    await page.getByLabel("Search endpoints").fill("MsgUnjail");
    await page.getByRole("button", { name: "MsgUnjail", exact: true }).click();
    await expect(form.getByRole("status")).toContainText(/not jailed/);
  });
  await page.setViewportSize({ width: 1280, height: 720 });

  await test.step("a transaction that is sent while the past is shown goes to a branch from there, and what is asked does not", async () => {
    await page.locator("#view").focus();
    await lab.tellScenario("run: { to: 6 }");
    await page.getByRole("slider", { name: "Blocks" }).focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await expect(page.getByTestId("past")).toContainText("You are viewing block 4 of ");
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
    await expect(form).toContainText("Your action is done in the branch.");
    await form.getByRole("button", { name: "Fork here and do it" }).click();
    await expect(form).toBeHidden();
    await expect(answerOf(page)).toContainText("tx parse error");
    await expect(page.getByTestId("past")).toBeHidden();
    expect(await lab.height()).toBe(4);
  });
});

test.describe("by the service worker", () => {
  test.use({ serviceWorkers: "allow" });

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
      // Queries of the lab are answered only at the newest height.
      await page.getByLabel("at height").fill(String(await lab.height()));
      await ask.click();
      await expect(answerOf(page)).toContainText("200 OK");
      const calls = page.getByRole("region", { name: "The same call" });
      await expect(calls).toContainText("chainlab start --cors https://wallet.example");
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
});

/** A call of the node's chain, as displayed by the panel. */
interface Shown {
  readonly family: number;
  readonly ok: boolean;
  readonly answer: unknown;
  /** The same call, by the program that reads it. */
  readonly texts: Readonly<Partial<Record<Program, string>>>;
}

const PROGRAMS = ["curl", "grpcurl", "chainlab", "fetch"] as const;
type Program = (typeof PROGRAMS)[number];

test.describe("the same call, as the panel shows it", () => {
  // One walk through the panel is looked at by all tests, each of which sends the calls by another program.
  test.describe.configure({ mode: "default" });
  let folder: string | undefined;
  let node: Awaited<ReturnType<typeof startNode>>;
  let page: Page;
  const calls: Shown[] = [];

  test.beforeAll(async ({ browser }) => {
    if (SOAK) test.setTimeout(600_000);
    folder = mkdtempSync(join(tmpdir(), "chainlab-api-"));
    const scenario = join(folder, "everywhere.yaml");
    writeFileSync(scenario, scenarioOf(...SOMETHING_EVERYWHERE));
    node = await startNode("--ephemeral", "--speed", "10", "--quiet", "--scenario", scenario);
    page = await browser.newPage();
    const lab = new LabPage(page);
    await page.goto(node.rest);
    await lab.reaches(20);
    await lab.pause();
    await open(page);
    const list = page.getByRole("region", { name: "List of endpoints" });
    // Messages are sent, and not asked.
    const families = (await list.getByRole("region").all()).slice(1);
    expect(families.length).toBeGreaterThan(LEAST_FAMILIES);
    expect(await list.getByRole("button").count()).toBeGreaterThan(90);
    for (const [family, endpoints] of families.entries()) {
      let requested = 0;
      for (const endpoint of await endpoints.getByRole("button").all()) {
        if (!SOAK && requested === OF_EACH_FAMILY) break;
        const shown = await askedOf(page, endpoint);
        if (shown === undefined) continue;
        requested += 1;
        calls.push({ ...shown, family });
      }
    }
    expect(calls.length).toBeGreaterThan(SOAK ? 80 : 10);
  });
  test.afterAll(async () => {
    await page?.close();
    await node?.end();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  test("fetch is answered as the panel says", async () => {
    for (const { texts, answer } of calls)
      expect(await page.evaluate(`(async () => ${texts.fetch})()`), texts.fetch).toEqual(answer);
  });

  test("the command line takes every call that the panel says is answered, and refuses the others", async () => {
    if (SOAK) test.setTimeout(600_000);
    // Each is a process of its own: one of each family is enough beside soak.
    const families = new Set<number>();
    const texts = callsBy("chainlab").filter(([, { family }]) => {
      if (families.has(family)) return SOAK;
      families.add(family);
      return true;
    });
    expect(texts.length).toBeGreaterThan(SOAK ? 50 : 5);
    for (const [text, { ok }] of texts) {
      const line = text.replace(/^chainlab/, `"${process.execPath}" "${COMMAND}"`);
      expect(await succeeds("sh", ["-c", line]), text).toBe(ok);
    }
  });

  test("curl is answered as the panel says", async () => {
    test.skip(
      !CURL,
      "The calls that the API panel shows were NOT sent by curl: it is not on the PATH.",
    );
    const texts = callsBy("curl");
    expect(texts).toHaveLength(calls.length);
    for (const [text, { answer }] of texts) {
      const { stdout } = await run("sh", ["-c", text.replace(/^curl/, "curl -s")], LARGE);
      expect(JSON.parse(stdout), text).toEqual(answer);
    }
  });

  test("grpcurl takes every call that the panel says is answered, and refuses the others", async () => {
    test.skip(
      !GRPCURL,
      "The calls that the API panel shows were NOT sent by grpcurl: it is not on the PATH.",
    );
    const texts = callsBy("grpcurl");
    expect(texts).toHaveLength(calls.length);
    for (const [text, { ok }] of texts) expect(await succeeds("sh", ["-c", text]), text).toBe(ok);
  });

  const callsBy = (program: Program) =>
    calls.flatMap((call) => {
      const text = call.texts[program];
      return text === undefined ? [] : [[text, call] as const];
    });
});

/** Those of a family that are asked for each change; all are in soak. */
const OF_EACH_FAMILY = 2;
const LEAST_FAMILIES = 8;

/** Commands for a shell need one. */
const isThere = (program: string): boolean =>
  executablesNamed([program]).length > 0 && executablesNamed(["sh"]).length > 0;
const CURL = isThere("curl");
const GRPCURL = isThere("grpcurl");
const LARGE = { maxBuffer: 1 << 26 };

/** True if a program exits successfully. */
const succeeds = (program: string, args: readonly string[]): Promise<boolean> =>
  run(program, [...args], LARGE).then(
    () => true,
    () => false,
  );

/** Asks an endpoint with what the chain has; undefined for what it has none of, such as a transaction's bytes. */
async function askedOf(page: Page, endpoint: Locator): Promise<Omit<Shown, "family"> | undefined> {
  await endpoint.click();
  const title = await endpoint.innerText();
  await expect(page.getByRole("heading", { name: title, exact: true })).toBeFocused();
  const ask = page.getByRole("button", { name: "Ask", exact: true });
  // Values that only the user can supply.
  if (await ask.isDisabled()) return undefined;
  await ask.click();
  await expect(answerOf(page).locator("b")).toHaveText(/^\d{3} /);
  const answer: unknown = JSON.parse(await answerOf(page).locator("pre").innerText());
  const ok = (await answerOf(page).locator("b").innerText()) === "200 OK";
  const texts: Partial<Record<Program, string>> = {};
  const said = await page
    .getByRole("region", { name: "The same call" })
    .locator("code")
    .allInnerTexts();
  for (const text of said) {
    const word = text.replace(/^await /, "");
    const program = PROGRAMS.find((one) => word.startsWith(one));
    if (program === undefined) throw new Error(`no program is known that reads ${text}`);
    texts[program] = text;
  }
  expect(texts.fetch).toBeDefined();
  return { ok, answer, texts };
}
