/** The running tab serves a node's REST API: in another tab, and to any page of this origin. */
import type { Page } from "@playwright/test";
import { expect, LabPage } from "./helpers.ts";
import { isKept, test } from "./site.ts";

const EVIDENCE = "chain/evidence/v1beta1/evidence";
const NO_EVIDENCE = '{"evidence":[],"pagination":{"next_key":null,"total":"0"}}';

test("a new tab and any page of this origin are answered by the running chain, below the folder that the page lies in", async ({
  site,
  page,
  context,
}) => {
  const address = await site.start();
  const lab = await openPaused(page, address);

  await test.step("REST in a new tab shows what the running chain says", async () => {
    const height = String(await lab.height());

    const requested = await context.newPage();
    const answer = await requested.goto(address + EVIDENCE);
    expect(answer?.status()).toBe(200);
    expect(answer?.fromServiceWorker()).toBe(true);
    expect(answer?.headers()).toMatchObject({
      "content-type": "application/json",
      "x-cosmos-block-height": height,
    });
    expect(await requested.evaluate(() => document.body.innerText)).toBe(NO_EVIDENCE);

    expect(await ask(page, "cosmos/staking/v1beta1/validators?pagination.limit=1")).toMatchObject({
      status: 200,
      text: expect.stringContaining('"@type":"/cosmos.crypto.ed25519.PubKey"'),
    });
    const past = { headers: { "x-cosmos-block-height": "2" } };
    expect(await ask(page, "chain/bank/v1beta1/supply", past)).toMatchObject({
      status: 200,
      height: "2",
    });
    expect(await ask(page, EVIDENCE, { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
    expect(await ask(page, "cosmos/feegrant/v1beta1/allowances/x")).toMatchObject({
      status: 501,
      text: '{"code":12, "message":"Not Implemented", "details":[]}',
    });
    expect(await ask(page, `${EVIDENCE}/zz`)).toMatchObject({ status: 400 });
    expect(await ask(page, "health")).toMatchObject({ status: 200, text: "{}" });
    expect((await ask(page, "metrics")).text).toContain(`cometbft_consensus_height{`);
    expect(JSON.parse((await ask(page, "openapi.json")).text)).toMatchObject({ openapi: "3.1.0" });
    // The page's own files, and what is neither theirs nor the chain's, come from where they came before.
    expect((await ask(page, "scenarios/index.json")).text).toMatch(/^\[/);
    expect(await ask(page, "nothing/here")).toMatchObject({ status: 404 });
  });

  // Blocks requested below come without delay.
  await lab.fullSpeed();
  await test.step("a request beyond the limits is refused, and the next is answered", async () => {
    const post = (bytes: number) => ({ method: "POST", body: "x".repeat(bytes) });
    const path = "cosmos/tx/v1beta1/txs";
    expect(await ask(page, path, post(4_194_305))).toMatchObject({
      status: 413,
      text: '{"code":8,"message":"expected a body of at most 4194304 bytes","details":[]}',
    });
    expect(await ask(page, path, post(1_000_001))).toMatchObject({
      status: 413,
      text: '{"code":8, "message":"expected a body of at most 1000000 bytes", "details":[]}',
    });
    expect(await ask(page, path, post(10))).toMatchObject({ status: 400 });
    expect(await ask(page, `${EVIDENCE}?x=${"y".repeat(9_000)}`)).toMatchObject({ status: 400 });
    const flood = await page.evaluate(async (at) => {
      const requested = Array.from({ length: 300 }, async () => (await fetch(at)).status);
      return [...new Set(await Promise.all(requested))].sort();
    }, EVIDENCE);
    expect([[200], [200, 503]]).toContainEqual(flood);
    expect(await ask(page, EVIDENCE)).toMatchObject({ status: 200, text: NO_EVIDENCE });
  });

  await test.step("what steers is posted by a page of this origin: never a link, never a form", async () => {
    const height = await lab.height();
    const step = JSON.stringify({ step: '{"run": 5}' });
    const run = "lab.v1.Lab/RunStep";
    const got = await ask(page, `${run}?encoding=json&message=${encodeURIComponent(step)}`);
    expect(got.status).toBe(405);
    const link = await context.newPage();
    await link.setContent(
      `<form method="post" enctype="text/plain" action="${address}${run}"><input name='${step}'></form>`,
    );
    const [sent] = await Promise.all([
      link.waitForResponse((response) => response.request().method() === "POST"),
      link.evaluate(() => document.forms[0]?.submit()),
    ]);
    expect(sent.fromServiceWorker()).toBe(false);
    const text = { method: "POST", headers: { "content-type": "text/plain" }, body: step };
    expect(await ask(page, run, text)).toMatchObject({ status: 415 });
    expect(await lab.height()).toBe(height);

    const json = { ...text, headers: { "content-type": "application/json" } };
    expect(await ask(page, run, json)).toMatchObject({ status: 200 });
    await expect.poll(() => lab.height()).toBe(height + 5);
  });

  await test.step("blocks are streamed by gRPC-web and Connect for as long as the reader reads", async () => {
    const height = await lab.height();
    const reader = await context.newPage();
    await reader.goto(address + EVIDENCE);
    for (const type of ["application/grpc-web+proto", "application/connect+json"]) {
      const stream = await reader.evaluateHandle(
        async ({ path, type, from }) => {
          const sent = type.endsWith("json")
            ? new TextEncoder().encode(JSON.stringify({ from }))
            : Uint8Array.of(8, from);
          const body = Uint8Array.of(0, 0, 0, 0, sent.length, ...sent);
          const headers = { "content-type": type, "connect-protocol-version": "1" };
          const answer = await fetch(path, { method: "POST", headers, body });
          const parts = answer.body?.getReader();
          let held: number[] = [];
          /** The length of the next message, or undefined at the end. */
          const next = async (): Promise<number | undefined> => {
            for (;;) {
              const length = held.slice(1, 5).reduce((sum, byte) => sum * 256 + byte, 0);
              if (held.length >= 5 && held.length >= 5 + length) {
                held = held.slice(5 + length);
                return length;
              }
              const { value } = (await parts?.read()) ?? {};
              if (value === undefined) return undefined;
              held.push(...value);
            }
          };
          return { status: answer.status, next, cancel: () => parts?.cancel() };
        },
        { path: `../../../lab.v1.Watch/Blocks`, type, from: height - 1 },
      );
      expect(await stream.evaluate(({ status }) => status)).toBe(200);
      for (let i = 0; i < 2; i++) {
        expect(await stream.evaluate(({ next }) => next())).toBeGreaterThan(100);
      }
      // The next is there once it is made.
      const coming = stream.evaluate(({ next }) => next());
      await ask(reader, "../../../lab.v1.Lab/Control", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"step_blocks":1}',
      });
      expect(await coming).toBeGreaterThan(100);
      await stream.evaluate(({ cancel }) => cancel());
    }
    // The tab goes, and with it the stream, once it has not answered for some seconds.
    const [worker] = context.serviceWorkers();
    await worker?.evaluate(holdWaits);
    const broken = await reader.evaluateHandle(async () => {
      const body = Uint8Array.of(0, 0, 0, 0, 0);
      const headers = { "content-type": "application/grpc-web+proto" };
      const answer = await fetch("../../../lab.v1.Watch/Frames", { method: "POST", headers, body });
      const parts = answer.body?.getReader();
      await parts?.read();
      const failed = async (): Promise<string> => {
        for (;;) {
          try {
            if ((await parts?.read())?.done) return "ended";
          } catch (error) {
            return String(error);
          }
        }
      };
      return { failed: failed() };
    });
    await page.close();
    await worker?.evaluate("endWaits()");
    expect(await broken.evaluate(({ failed }) => failed)).toContain("Error");
  });
});

test("of several tabs the one that was used last answers, with the world that it shows", async ({
  site,
  page,
  context,
}) => {
  const address = await site.start();
  const lab = await openPaused(page, address);
  const height = String(await lab.height());

  // A second tab watches the world of the first: that one's chain is asked, and not steered from here.
  const second = new LabPage(await context.newPage());
  await second.page.goto(address);
  await expect(second.page.getByTestId("watching")).toBeVisible();
  await isKept(second.page);
  expect(await ask(second.page, EVIDENCE)).toMatchObject({ status: 200, height });
  const run = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ step: '{"run": 5}' }),
  };
  expect(await ask(second.page, "lab.v1.Lab/RunStep", run)).toMatchObject({
    status: 400,
    text: expect.stringContaining("it is not played here"),
  });

  // With a world of its own it answers for that.
  await second.page.getByRole("button", { name: "Open another world" }).click();
  await second.dialog("Worlds").getByRole("button", { name: "New world" }).click();
  await expect(second.page.getByTestId("watching")).toBeHidden();
  await second.fullSpeed();
  await second.reaches(Number(height) + 20);
  await second.pause();
  const own = String(await second.height());
  const asking = await context.newPage();
  await asking.goto(address + EVIDENCE);
  expect(await ask(asking, `../../../${EVIDENCE}`)).toMatchObject({ status: 200, height: own });
  await page.bringToFront();
  await lab.status.click();
  expect(await ask(asking, `../../../${EVIDENCE}`)).toMatchObject({ status: 200, height });

  // The one that is left answers.
  await page.close();
  expect(await ask(asking, `../../../${EVIDENCE}`)).toMatchObject({ status: 200, height: own });

  await test.step("after a hard reload, and after an update, the tab answers again", async () => {
    const { page: left } = second;
    await asking.close();
    await expect(left.getByTestId("saved")).toHaveText("Saved");
    const session = await context.newCDPSession(left);
    await session.send("Page.reload", { ignoreCache: true });
    await left.waitForEvent("load");
    await second.reaches(1);
    await isKept(left);
    expect(await ask(left, EVIDENCE)).toMatchObject({ status: 200, height: own });

    await site.publish("The new version");
    await left.reload();
    const take = left.getByRole("button", { name: "Reload", exact: true });
    await expect(take).toBeVisible();
    expect(await ask(left, EVIDENCE)).toMatchObject({ status: 200, height: own });
    await take.click();
    await expect(left).toHaveTitle(/The new version$/);
    await isKept(left);
    expect(await ask(left, EVIDENCE)).toMatchObject({ status: 200, height: own });

    // Without a network, too.
    await site.stop();
    await context.setOffline(true);
    await left.reload();
    expect(await ask(left, EVIDENCE)).toMatchObject({ status: 200, height: own });
  });
});

/** Runs in the service worker: what it waits for from now on is over when it is told to end its waits. */
function holdWaits(): void {
  const { setTimeout: begin, clearTimeout: end } = globalThis;
  const waits = new Map<unknown, () => void>();
  Object.assign(globalThis, {
    setTimeout(work: () => void, ms: number): unknown {
      const wait = begin(work, ms);
      waits.set(wait, work);
      return wait;
    },
    clearTimeout(wait: number): void {
      waits.delete(wait);
      end(wait);
    },
    endWaits(): void {
      for (const work of waits.values()) work();
    },
  });
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly height: string | null;
}

/** A request of a page, to an address below its own. */
const ask = (page: Page, path: string, init: RequestInit = {}): Promise<Answer> =>
  page.evaluate(
    async ({ path, init }) => {
      const answer = await fetch(path, init);
      const height = answer.headers.get("x-cosmos-block-height");
      return { status: answer.status, text: await answer.text(), height };
    },
    { path, init },
  );

async function openPaused(page: Page, address: string): Promise<LabPage> {
  const lab = new LabPage(page);
  await page.goto(address);
  await isKept(page);
  await lab.reaches(3);
  await lab.pause();
  return lab;
}
