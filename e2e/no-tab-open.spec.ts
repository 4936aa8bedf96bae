/** Without a tab that runs a chain, what is asked of it is answered with what to do. */
import { expect } from "./helpers.ts";
import { isKept, test } from "./site.ts";

test("no tab is open, or one that is silent: 503 in plain words, each interface in its own form, until one answers", async ({
  site,
  page,
  context,
}) => {
  const address = await site.start();
  await page.goto(address);
  await isKept(page);
  const words = `No tab has Chainlab open: open ${address} and ask again.`;

  // The only tab has left the page, and comes back for what that would answer.
  await page.goto("about:blank");
  const answer = await page.goto(`${address}cosmos/bank/v1beta1/supply`);
  expect(answer?.status()).toBe(503);
  expect(answer?.headers()["content-type"]).toBe("text/plain; charset=utf-8");
  expect(await page.evaluate(() => document.body.innerText.trim())).toBe(words);

  const ask = (path: string, type?: string) =>
    page.evaluate(
      async ({ at, type }) => {
        const post = type && { method: "POST", headers: { "content-type": type }, body: "" };
        const { status, headers, ...answer } = await fetch(at, post || {}).then(async (got) => ({
          status: got.status,
          headers: got.headers,
          text: await got.text(),
        }));
        const message = decodeURIComponent(headers.get("grpc-message") ?? "");
        return { status, ...answer, grpc: headers.get("grpc-status"), message };
      },
      { at: address + path, type },
    );
  const rest = await ask("cosmos/bank/v1beta1/supply");
  expect(rest.status).toBe(503);
  expect(JSON.parse(rest.text)).toEqual({ code: 14, message: words, details: [] });
  const method = "cosmos.bank.v1beta1.Query/TotalSupply";
  const connect = await ask(method, "application/json");
  expect(connect.status).toBe(503);
  expect(JSON.parse(connect.text)).toMatchObject({ code: "unavailable", message: words });
  expect(await ask(method, "application/grpc-web+proto")).toEqual({
    status: 200,
    text: "",
    grpc: "14",
    message: words,
  });

  // The page itself is there all the same, and answers as soon as it runs.
  const other = await context.newPage();
  await other.goto(address);
  expect((await page.reload())?.status()).toBe(200);
  expect(await page.evaluate(() => document.body.innerText)).toContain(
    '"supply":[{"denom":"stake"',
  );

  await test.step("a tab is open and silent: that is said, and what to do", async () => {
    const session = await context.newCDPSession(other);
    await session.send("Debugger.enable");
    await session.send("Debugger.pause");
    // It is given ten seconds, of which none is needed here.
    const [worker] = context.serviceWorkers();
    await worker?.evaluate(() => {
      const own = setTimeout;
      const soon = (work: () => void, ms = 0) => own(work, ms / 10);
      Object.assign(globalThis, { setTimeout: soon, own });
    });
    const silent = await page.reload();
    expect(silent?.status()).toBe(503);
    expect(await page.evaluate(() => document.body.innerText)).toContain(
      "A tab has Chainlab open and does not answer",
    );
    await worker?.evaluate(() => {
      const { own } = globalThis as unknown as { own: typeof setTimeout };
      Object.assign(globalThis, { setTimeout: own });
    });
    await session.send("Debugger.disable");
    expect((await page.reload())?.status()).toBe(200);
  });
});
