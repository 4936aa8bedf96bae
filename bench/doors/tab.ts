/** REST that a tab answers: a chain at full speed in one tab, asked through the service worker by another. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { CHROMIUM_ARGS, ensureChromium } from "../../tools/chromium.ts";
import { heightOf, reaches, servePage } from "../durable/page.ts";
import { askedFor } from "./asking.ts";
import { cpuSeconds } from "./cpu.ts";
import type { Asked } from "./doors.ts";

/** Chromium's name for the thread of a page's worker, in which the chain runs. */
const WORKER = "DedicatedWorker";

const SUPPLY = "cosmos/bank/v1beta1/supply";

interface AskedTab extends Asked {
  close(): Promise<void>;
}

/** Builds the page, and opens it twice: where the chain runs, and where its REST is asked. */
export async function openTab(): Promise<AskedTab> {
  const scratch = await mkdtemp(join(tmpdir(), "chainlab-doors-"));
  const { origin, close } = await servePage(scratch);
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: CHROMIUM_ARGS,
  });
  const end = async (): Promise<void> => {
    await browser.close();
    await close();
    await rm(scratch, { recursive: true, force: true });
  };
  try {
    const devTools = await browser.newBrowserCDPSession();
    const context = await browser.newContext();
    const chain = await context.newPage();
    await chain.goto(origin);
    await reaches(chain, 1);
    await chain.getByLabel("Speed").selectOption("full speed");
    await chain.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
    const asking = await context.newPage();
    // tsx wraps functions in a `__name` helper, which the page does not have.
    await asking.addInitScript("globalThis.__name = (named) => named");
    await asking.goto(origin + SUPPLY);
    return {
      door: "REST through the service worker",
      ask: (how) =>
        asking.evaluate(`(${askedFor})(async () => {
          const answer = await fetch(${JSON.stringify(origin + SUPPLY)});
          await answer.text();
          if (answer.status !== 200) throw new Error("status " + answer.status);
        }, ${JSON.stringify(how)})`),
      height: () => heightOf(chain),
      async cpu() {
        const { processInfo } = await devTools.send("SystemInfo.getProcessInfo");
        const times = processInfo.flatMap(({ type, id }) =>
          type === "renderer" ? (cpuSeconds(id, WORKER) ?? []) : [],
        );
        return times.length === 0 ? undefined : Math.max(...times);
      },
      close: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
