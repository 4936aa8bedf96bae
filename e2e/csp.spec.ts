import { test as bare, type Page } from "@playwright/test";
import { expect, TWO_CHAINS, test } from "./helpers.ts";

const DIALOG_KEYS = ["d", "f", "i", "u", "r", "s", "w", "?"];

test("nothing that the page does is against its policy", async ({ lab, page }) => {
  await lab.open();
  for (const key of DIALOG_KEYS) {
    await page.keyboard.press(key);
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  }
  await lab.runScenario(...TWO_CHAINS);
  const links = await lab.views.all();
  expect(links.length).toBeGreaterThan(1);
  for (const link of links) {
    await link.click();
    await expect(link).toHaveAttribute("aria-current", "page");
    await expect(page.getByRole("main")).not.toBeEmpty();
  }
  await expect(page.locator("svg.recharts-surface").first()).toBeVisible();
  await page.goto("#/network/block/3");
  await lab.inspector.getByText("Commit", { exact: true }).click();
  await expect(lab.inspector).toContainText("Verified");
  await page.goto("#/network");
  const download = page.waitForEvent("download");
  await lab.inspector.getByRole("button", { name: "Save as a genesis file" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.json$/);

  for (const [tab, sight] of [
    ["API", "Choose an endpoint"],
    ["Terminal", "help lists the commands."],
  ] as const) {
    await page.getByRole("button", { name: tab, exact: true }).click();
    await expect(page.getByText(sight).first()).toBeVisible();
  }

  expect(page.workers()).toHaveLength(1);
  expect(await violations(page)).toEqual([]);
});

// Playwright's replacement for registering a service worker would refuse nothing.
bare.use({ serviceWorkers: "allow" });

for (const sender of ["the server's policy", "the page's own policy alone"]) {
  bare(`${sender}, which both state alike, stops what is injected`, async ({ page }) => {
    if (sender !== "the server's policy") {
      await page.route("**/*", async (route) => {
        const response = await route.fetch();
        const { "content-security-policy": _, ...headers } = response.headers();
        await route.fulfill({ response, headers });
      });
    }
    await page.route("https://example.com/**", (route) =>
      route.fulfill({
        contentType: "text/javascript",
        headers: {
          "access-control-allow-origin": "*",
          "cross-origin-resource-policy": "cross-origin",
        },
        body: 'document.documentElement.dataset.foreign = "ran"',
      }),
    );
    const answer = await page.goto("/");
    const sent = await answer?.headerValue("content-security-policy");
    const own = await page
      .locator('meta[http-equiv="Content-Security-Policy"]')
      .getAttribute("content");
    if (sender === "the server's policy") {
      // The page states the same policy of itself; browsers take this one from the server alone.
      expect(sent?.replace(" frame-ancestors 'none';", "")).toBe(own);
      expect(sent).toContain("frame-ancestors 'none'");
    } else expect(sent).toBeNull();
    await expect(page.getByTestId("height")).toBeVisible();

    expect(await outcomes(page)).toEqual({
      "an inline script": "did not run",
      "a script of another origin": "did not run",
      "a handler in an attribute": "did not run",
      "an address of script": "did not run",
      eval: "refused",
      "a function from text": "refused",
      "a timer from text": "refused",
      "HTML from text": "refused",
      "a worker of another origin": "refused",
      "a worker from a blob": "refused",
      "a worker by a bare address of our own": "refused",
      "a service worker of another folder": "refused",
      "another Trusted Types policy": "refused",
      "a request to another origin": "refused",
      "a base for addresses": "ignored",
    });
    expect((await violations(page)).length).toBeGreaterThan(10);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
}

/** Returns the result of each attempt of an injected script. */
function outcomes(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const ran = (name: string) => `document.documentElement.dataset.${name} = "ran"`;
    const hasRun = (name: string) =>
      document.documentElement.dataset[name] === "ran" ? "ran" : "did not run";
    const attempt = async (act: () => unknown): Promise<string> => {
      try {
        await act();
        return "done";
      } catch {
        return "refused";
      }
    };
    const add = (tag: string, attributes: Record<string, string>): HTMLElement => {
      const element = document.createElement(tag);
      // Past Trusted Types, as the parser does it: the policy alone has to hold.
      for (const [name, value] of Object.entries(attributes))
        element.setAttributeNode(Object.assign(document.createAttribute(name), { value }));
      document.body.append(element);
      return element;
    };
    // Scripts given to a debugger may evaluate; what they leave for later may not.
    await new Promise((resolve) => setTimeout(resolve));

    const inline = document.createElement("script");
    inline.append(ran("inline"));
    document.body.append(inline);
    await attempt(() => {
      const script = add("script", { src: "https://example.com/x.js" });
      return new Promise((resolve) => {
        for (const type of ["load", "error"]) script.addEventListener(type, resolve);
      });
    });
    await attempt(() => add("button", { onclick: ran("handler") }).click());
    await attempt(() => add("a", { href: `javascript:${ran("address")}` }).click());
    const base = document.createElement("base");
    base.href = "https://example.com/";
    document.head.append(base);

    // biome-ignore lint/security/noGlobalEval: it is what has to be refused
    const evaluate = (text: string) => eval(text);
    const blob = URL.createObjectURL(new Blob([""], { type: "text/javascript" }));
    const { trustedTypes } = window as unknown as {
      trustedTypes: { createPolicy: (name: string, rules: object) => unknown };
    };
    const refused = {
      eval: await attempt(() => evaluate("1")),
      "a function from text": await attempt(() => new Function("return 1")()),
      "a timer from text": await attempt(() => setTimeout("1" as unknown as () => void)),
      "HTML from text": await attempt(() => {
        document.createElement("div").innerHTML = "<b>x</b>";
      }),
      "a worker of another origin": await attempt(() => new Worker("https://example.com/x.js")),
      "a worker from a blob": await attempt(() => new Worker(blob)),
      "a worker by a bare address of our own": await attempt(() => new Worker("sw.js")),
      "a service worker of another folder": await attempt(() =>
        navigator.serviceWorker.register("scenarios/sw.js"),
      ),
      "another Trusted Types policy": await attempt(() => trustedTypes.createPolicy("mine", {})),
      "a request to another origin": await attempt(() => fetch("https://example.com/")),
    };
    return {
      "an inline script": hasRun("inline"),
      "a script of another origin": hasRun("foreign"),
      "a handler in an attribute": hasRun("handler"),
      "an address of script": hasRun("address"),
      ...refused,
      "a base for addresses": document.baseURI.startsWith(location.origin) ? "ignored" : "taken",
    };
  });
}

/** Returns the violations of the policy so far, in the page and in its workers. */
async function violations(page: Page): Promise<unknown[]> {
  const reports = () => {
    const observer = new ReportingObserver(() => {}, { types: ["csp-violation"], buffered: true });
    observer.observe();
    return observer.takeRecords().map(({ body }) => body);
  };
  const inWorkers = page.workers().map((worker) => worker.evaluate(reports));
  return (await Promise.all([page.evaluate(reports), ...inWorkers])).flat();
}
