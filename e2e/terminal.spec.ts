/** The terminal in the drawer: the commands of a shell, asked of the chain on the page. */
import type { Page } from "@playwright/test";
import { startNode } from "../tools/started-node.ts";
import { expect, LabPage, test, violationsOf } from "./helpers.ts";

const screenOf = (page: Page) => page.locator("[data-part=drawer] .xterm-rows");
const tabOf = (page: Page) => page.getByRole("button", { name: "Terminal", exact: true });

const open = async (page: Page): Promise<void> => {
  await tabOf(page).click();
  await expect(screenOf(page)).toContainText("help lists the commands.");
  await expect(page.getByLabel("Terminal input")).toBeFocused();
};
/** Waits for a text, which may go over several rows, or for a row like this. */
async function shows(page: Page, sought: string | RegExp): Promise<void> {
  await expect
    .poll(async () => {
      const rows = await screenOf(page).locator("> div").allInnerTexts();
      const plain = rows.map((row) => row.replaceAll("\u00a0", " "));
      return typeof sought === "string"
        ? plain.join("").includes(sought)
        : plain.some((row) => sought.test(row));
    }, String(sought))
    .toBe(true);
}

/** Begins with an empty screen. */
async function cleared(page: Page): Promise<void> {
  await page.keyboard.type("clear\n");
  await expect(screenOf(page)).toHaveText(/^\s*\$\s*$/);
}

const TAB = "Tab";
async function typed(page: Page, ...parts: readonly string[]): Promise<void> {
  for (const part of parts)
    await (part === TAB ? page.keyboard.press(TAB) : page.keyboard.type(part));
}

for (const viewport of [
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
]) {
  test.describe(`${viewport.width} wide`, () => {
    test.use({ viewport });

    test("a person asks the chain in the words of a shell, in light and in the dark", async ({
      lab,
      page,
    }) => {
      await lab.open();
      await lab.pause();
      await open(page);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await expect(page.locator("[data-part=drawer]")).toBeInViewport({ ratio: 0.99 });
        await page.keyboard.type("query bank balances alice --output json\n");
        await shows(page, '"amount": "1000000000"');
        await page.keyboard.type("query bank balances mallory\n");
        await shows(page, "there is no account mallory");
        await page.keyboard.type("qurey bank\n");
        await shows(page, "No command registered for `qurey`, did you mean `query`?");

        // The lines of before, and one of them with another end.
        await page.keyboard.press("ArrowUp");
        await page.keyboard.press("ArrowUp");
        await page.keyboard.press("Control+w");
        await page.keyboard.type("val-1\n");
        await shows(page, "$ query bank balances val-1");
        await shows(page, "denom: stake");

        await page.keyboard.type("clear\n");
        await expect(screenOf(page)).toHaveText(/^\s*\$\s*$/);
        expect(await violationsOf(page, "[data-part=drawer]"), colorScheme).toEqual([]);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(width).toBeLessThanOrEqual(viewport.width);
      }
      if (viewport.width === 390) await hasKeysOfAPhone(page);
      else await hasThemes(page);
    });
  });
}

/** Without keys of its own a phone has those that a shell needs. */
async function hasKeysOfAPhone(page: Page): Promise<void> {
  await page.keyboard.type("q");
  await page.getByRole("button", { name: "Complete" }).click();
  await shows(page, "$ query");
  await page.keyboard.type("upgrade authority\n");
  await shows(page, "address: chain1");
  await page.getByRole("button", { name: "The line before" }).click();
  await shows(page, /^\$ query upgrade authority/);
  await page.getByRole("button", { name: "Interrupt" }).click();
  await shows(page, "query upgrade authority^C");
}

/** The themes of the page are those of the terminal. */
async function hasThemes(page: Page): Promise<void> {
  const letters = () => screenOf(page).evaluate((rows) => getComputedStyle(rows).color);
  await page.keyboard.press("Escape");
  const seen = new Set<string>();
  for (const theme of ["Light", "Dark", "Projector"]) {
    await page.getByRole("button", { name: "Theme and presenter" }).click();
    await page.getByRole("radio", { name: theme }).check();
    await page.keyboard.press("Escape");
    const ink = await page.evaluate(() => getComputedStyle(document.body).color);
    await expect.poll(letters).toBe(ink);
    seen.add(ink);
  }
  expect(seen.size).toBe(3);
}

test("a line is completed, given up and pasted, help says what there is, and Esc leaves the terminal", async ({
  lab,
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await lab.open();
  await lab.pause();
  const height = await lab.height();
  await open(page);

  await test.step("Tab completes commands, flags and what the chain has, and lists where it cannot decide", async () => {
    await typed(page, "q", TAB, "ban", TAB);
    await shows(page, "$ query bank");
    await typed(page, "balances va", TAB);
    await shows(page, "$ query bank balances val-");
    await page.keyboard.press(TAB);
    await shows(page, "val-0  val-1  val-2  val-3");
    await typed(page, "2 --outp", TAB, "j", TAB);
    await shows(page, "$ query bank balances val-2 --output json");
    await page.keyboard.press("Enter");
    await shows(page, '"denom": "stake"');
    await typed(page, "help query g", TAB);
    await shows(page, "$ help query gov");
  });
  await page.keyboard.press("Control+c");
  await cleared(page);

  await test.step("help says what there is, and nothing that needs a file or a process", async () => {
    await page.keyboard.type("help\n");
    await shows(page, /^ +query +Queries this chain and its nodes/);
    await expect(screenOf(page)).not.toContainText("cosmovisor-home");
    await page.keyboard.type("help query evidence\n");
    await shows(page, "Evidence by its hash, or all evidence");
    await expect(screenOf(page)).not.toContainText("--scenario");
  });
  await cleared(page);

  await test.step("Ctrl C gives a line up and copies what is marked, and a pasted line runs", async () => {
    await page.keyboard.type("query no such thing");
    await page.keyboard.press("Control+c");
    await shows(page, "$ query no such thing^C");

    await page.evaluate(() => navigator.clipboard.writeText("chainlab query upgrade authority\n"));
    await page.keyboard.press("Control+v");
    const address = screenOf(page).locator("> div").filter({ hasText: "address: chain1" });
    await expect(address).toBeVisible();
    const { x, y } = (await address.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.dblclick(x + 120, y + 6);
    await page.keyboard.press("Control+c");
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^chain1[a-z0-9]+$/);
    await expect(screenOf(page).locator("> div").last()).not.toContainText("^C");
  });
  await cleared(page);

  await test.step("Esc leaves the terminal, what stands in it stays, and no key of the page fires while one types", async () => {
    await page.keyboard.type("query upgrade plan d f u r s w p t ?\n");
    await shows(page, "Too many arguments");
    await expect(page.getByRole("dialog")).toBeHidden();
    expect(await lab.height()).toBe(height);
    await page.keyboard.press("Escape");
    await expect(tabOf(page)).toBeFocused();
    await page.getByRole("button", { name: "Events", exact: true }).click();
    await tabOf(page).click();
    await shows(page, "Too many arguments");
    await page.keyboard.press("ArrowUp");
    await shows(page, /^\$ query upgrade plan d f u/);
  });
});

test("the terminal has the status, the version and the accounts of its chain, says what it has not, and acts for an account", async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.runScenario(
    "nodes: { which: [val-0], write_file: { path: config/notes, content: one line } }",
    "run: 3",
  );
  await open(page);

  await test.step("a page has the status, the version and the accounts of its chain, and says what it has not", async () => {
    await page.keyboard.type("status\n");
    await shows(page, `"latest_block_height":"${await lab.height()}"`);
    await page.keyboard.type("version --long\n");
    await shows(page, "name: chainlab");
    await page.keyboard.type("keys show val-2\n");
    await shows(page, "address: chain1");
    await page.keyboard.type("keys show val-2 --address --bech val\n");
    await shows(page, /^chainvaloper1[a-z0-9]{38}$/);
    await page.keyboard.type("query tx zz\n");
    await shows(page, "encoding/hex: invalid byte: U+007A 'z'");
    await page.keyboard.type("keys add me\n");
    await shows(page, "no key is kept in a page, whose accounts act without one");
    await page.keyboard.type("start --speed 5\n");
    await shows(page, "start needs files or a process, which a page has not: run it in a shell");
  });
  await cleared(page);

  await test.step("a transaction acts for an account of the chain, and lab makes the block that has it", async () => {
    await page.keyboard.type("tx bank send val-2 val-1 5stake\n");
    await shows(page, /^txhash: "?[0-9A-F]{64}/);
    const height = await lab.height();
    await page.keyboard.type("lab advance\n");
    await lab.reaches(height + 1);
    await page.keyboard.type("query bank balances val-1\n");
    await shows(page, /^- amount: "\d*5"$/);
    await page.keyboard.type("tx bank send mallory val-1 5stake\n");
    await shows(page, "there is no account mallory");
  });
  await cleared(page);

  await test.step("evidence is submitted as JSON in place of a file, or from one that is dropped", async () => {
    const json = JSON.stringify({
      "@type": "/chain.evidence.v1beta1.Equivocation",
      height: "2",
      time: "2026-01-01T00:00:05Z",
      power: "100",
      consensus_address: `$\{val-3.valcons}`,
    });
    const host = page.locator("[data-part=drawer] .xterm").locator("..");
    await page.keyboard.type("tx evidence submit ");
    const files = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], "my evidence.json", { type: "application/json" }));
      return transfer;
    }, json);
    await host.dispatchEvent("drop", { dataTransfer: files });
    await shows(page, "tx evidence submit 'my evidence.json' ");
    await page.keyboard.type("--from val-2 --generate-only\n");
    await shows(page, "2026-01-01T00:00:05Z");
    await cleared(page);
    await page.keyboard.type(`tx evidence submit '${json}' --from val-2\n`);
    await shows(page, /^txhash: "?[0-9A-F]{64}/);
    await page.keyboard.type("tx evidence submit other.json --from val-2\n");
    await shows(
      page,
      "other.json: cannot be read: no file of this name was dropped on the terminal",
    );
  });
  await cleared(page);

  await test.step("a file without an end of its line is printed, and the prompt stands below it", async () => {
    await page.keyboard.type("query file val-0 config/notes\n");
    await shows(page, /^one line$/);
  });

  await test.step("a page that has become narrow while another tab of the drawer was shown does not scroll sideways", async () => {
    await page.getByRole("button", { name: "Events", exact: true }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    await tabOf(page).click();
    await expect(page.getByLabel("Terminal input")).toBeFocused();
    await expect(page.locator("body")).toHaveJSProperty("scrollWidth", 390);
  });
});

test("on a page that is attached to a node the terminal asks the node's chain, and refuses in words what steers it to one who watches", async ({
  page,
}) => {
  const node = await startNode("--ephemeral", "--speed", "10", "--lab-token", "mint-otter-41");
  try {
    const lab = new LabPage(page);
    await page.goto(node.rest);
    await expect(page.getByTestId("watching")).toBeVisible();
    await lab.reaches(5);
    const read = (path: string): Promise<string> =>
      page.evaluate(async (at) => (await fetch(at)).text(), path);
    await open(page);
    const steers = [
      "lab double-sign val-1",
      "lab node stop val-2",
      "lab pause",
      "tx bank send val-0 val-1 5stake",
    ];
    for (const line of steers) {
      await page.keyboard.type(`${line}\n`);
      await expect
        .poll(async () => {
          const rows = await screenOf(page).locator("> div").allInnerTexts();
          const text = rows.join("").replaceAll("\u00a0", " ");
          return text
            .slice(text.lastIndexOf(`$ ${line}`))
            .replace(`$ ${line}`, "")
            .trim();
        }, line)
        .toMatch(/^You watch this chain\. Enter its token to steer it\./);
    }
    const run = await page.evaluate(async () => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ step: '{"double_sign":{"by":"val-1"}}' });
      const answer = await fetch("/lab.v1.Lab/RunStep", { method: "POST", headers, body });
      return { status: answer.status, text: await answer.text() };
    });
    expect(run.status).toBe(401);
    expect(run.text).toContain("control needs the chain's token");
    // By now an executed command would have had an effect.
    await lab.reaches((await lab.height()) + 20);
    expect(JSON.parse(await read("/chain/evidence/v1beta1/evidence")).evidence).toEqual([]);
    const { nodes } = JSON.parse(await read("/lab/v1/nodes"));
    expect(new Set(nodes.map((one: { process: string }) => one.process))).toEqual(
      new Set(["running"]),
    );
    const { txs } = JSON.parse(
      await read(`/chain/tx/v1beta1/txs?query=${encodeURIComponent("tx.height>0")}`),
    );
    expect(txs).toEqual([]);

    // A page with the token controls this chain, and its terminal queries it.
    await page.getByTestId("watching").getByRole("button", { name: "Enter a token…" }).click();
    await page.getByLabel("Token").fill("mint-otter-41");
    await page.getByRole("button", { name: "Steer" }).click();
    await expect(page.getByTestId("attached")).toContainText("In control");
    await lab.reaches(12);
    await lab.pause();
    await page.getByLabel("Terminal input").focus();
    await page.keyboard.type("query block 12\n");
    await shows(page, /^height: 12$/);
  } finally {
    await node.end();
  }
});
