import { expect, test } from "./helpers.ts";

/** Script that saves worlds. */
const SCRIPT = "**/open-tab-*.js";

/** Has the worker be told what is saved only after it was asked for a frame. */
const LATE_DATABASES = `
  const asked = new Promise((resolve) => addEventListener("message", resolve, { once: true }));
  const { databases } = IDBFactory.prototype;
  IDBFactory.prototype.databases = async function () {
    await asked;
    return databases.call(this);
  };
`;

test("blocks are made before what saves worlds is there, and the same world is saved then", async ({
  lab,
  page,
}) => {
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.context().route(SCRIPT, async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto("/");
  await lab.reaches(3);
  await expect(page.getByTestId("saved")).toHaveCount(0);
  const height = await lab.height();
  arrive();
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  expect(await lab.height()).toBeGreaterThanOrEqual(height);
  await page.reload();
  await lab.reaches(height);
});

test("what saves worlds and cannot be loaded is said, and loaded when it can be", async ({
  lab,
  page,
}) => {
  await page.context().route(SCRIPT, (route) => route.abort());
  await page.goto("/");
  await lab.reaches(2);
  await expect(page.getByText("What saves worlds cannot be loaded")).toBeVisible();
  await page.context().unroute(SCRIPT);
  await expect(page.getByTestId("saved")).toHaveText("Saved");
  await expect(page.getByText("What saves worlds cannot be loaded")).toHaveCount(0);
});

test("the engine runs before the page's own script is there", async ({ lab, page }) => {
  const started = page.waitForEvent("worker");
  await page.route("**/assets/index-*.js", async (route) => {
    const worker = await started;
    // By then the worker has sent its first message.
    await worker.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    await route.continue();
  });
  await page.goto("/");
  await lab.reaches(1);
});

test("the page's own script is asked for first, and the worker's does not wait for what starts it", async ({
  lab,
  page,
}) => {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(request.url());
  });
  const worker = page.waitForRequest("**/engine.worker-*.js");
  await page.route("**/assets/engine-*.js", async (route) => {
    await worker;
    await route.continue();
  });
  await page.goto("/");
  await lab.reaches(1);
  expect(scripts[0]).toMatch(/\/index-[\w-]+\.js$/);
});

test("the first frame has a block, however late it is known that nothing is saved", async ({
  lab,
  page,
}) => {
  await page.addInitScript(() => {
    const heights: number[] = [];
    Object.assign(window, { heights });
    window.Worker = class extends Worker {
      constructor(...begun: ConstructorParameters<typeof Worker>) {
        super(...begun);
        this.addEventListener("message", ({ data }) => {
          if (data.response?.chain) heights.push(data.response.chain.height);
        });
      }
    };
  });
  await page.context().route("**/engine.start-*.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: LATE_DATABASES + (await response.text()) });
  });
  await page.goto("/");
  await lab.reaches(1);
  expect(await page.evaluate("heights[0]")).toBe(1);
});

test("a tab that had a world says that it comes back until the engine answers", async ({
  lab,
  page,
}) => {
  let letGo = (): void => {};
  const text = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.addInitScript(() => sessionStorage.setItem("chainlab world", "w"));
  await page.context().route("**/engine.worker-*.js", async (route) => {
    await text;
    await route.continue();
  });
  await page.goto("/");
  await expect(page.getByText("Bringing your chain back…")).toBeVisible();
  letGo();
  await lab.reaches(1);
  await expect(page.getByText("Bringing your chain back…")).toBeHidden();
});

test("until the engine answers, nothing is fetched but what makes and shows the first block", async ({
  lab,
  page,
}) => {
  const fetched: string[] = [];
  page.on("request", (request) => {
    const [file] = /[^/]+\.(js|css)$/.exec(request.url()) ?? [];
    if (file) fetched.push(file);
  });
  let letGo = (): void => {};
  const idle = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.context().route("**/engine.worker-*.js", async (route) => {
    await idle;
    await route.continue();
  });
  await page.goto("/");
  await expect(page.getByLabel("Speed")).toBeVisible();
  await page.evaluate(async () => {
    for (let i = 0; i < 3; i++) await new Promise((resolve) => requestIdleCallback(resolve));
  });
  expect(fetched.filter((file) => !/^(engine|index)[.-]/.test(file))).toEqual([]);
  letGo();
  await lab.reaches(1);
  await expect.poll(() => fetched.some((file) => file.startsWith("Timeline-"))).toBe(true);
});
