/** Platforms of the engine: bundled as released, in a new Node process or a headless Chromium. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { build, type PreviewServer, preview } from "vite";
import { CHROMIUM_ARGS, ensureChromium } from "../../tools/chromium.ts";
import type { Checkout } from "./builds.ts";
import type { LoadName } from "./loads.ts";
import type { NodeCall } from "./node-main.ts";
import { type RemoteSide, remoteSide, resultOf, type SideAnswer, type SideCall } from "./side.ts";
import { allocatedBy } from "./worker-heap.ts";

/** A build that waits to be told what to do. */
export interface OpenSide extends RemoteSide {
  /** Bytes in use after a garbage collection; undefined where that is not told. */
  used(): Promise<number | undefined>;
  end(): Promise<void>;
}

export interface Platform {
  /** With its version. */
  readonly name: string;
  /** Has a build run, in a process of its own. */
  open(checkout: Checkout): Promise<OpenSide>;
  /** Bytes that one round of a load allocates. */
  allocated(checkout: Checkout, load: LoadName, rounds: number): Promise<number>;
  end(): Promise<void>;
}

export const PLATFORMS = { node: inNode, chromium: inChromium };

/** So large that no collection comes between. */
const LARGE_HEAP = ["--min-semi-space-size=512", "--max-semi-space-size=512"];
const ALLOCATION_WARM_UP_MS = 1500;

async function inNode(checkouts: readonly Checkout[]): Promise<Platform> {
  for (const { root, built } of checkouts) {
    await build({
      configFile: false,
      root,
      logLevel: "warn",
      ssr: { noExternal: true },
      build: {
        ssr: join(root, "bench/engine/node-main.ts"),
        outDir: join(built, "node"),
        emptyOutDir: true,
        target: "node20",
        rolldownOptions: { output: { entryFileNames: "main.mjs", codeSplitting: false } },
      },
    });
  }
  const program = ({ built }: Checkout): string => join(built, "node/main.mjs");
  return {
    name: `Node ${process.version.slice(1)}`,
    open: async (checkout) => (await nodeSide(program(checkout))).side,
    async allocated(checkout, load, rounds) {
      const { side, held } = await nodeSide(program(checkout), LARGE_HEAP);
      await side.open(load, ALLOCATION_WARM_UP_MS);
      await side.used();
      const before = await held();
      await side.rounds(rounds);
      const after = await held();
      await side.end();
      return (after - before) / rounds;
    },
    end: async () => {},
  };
}

async function nodeSide(program: string, flags: readonly string[] = []) {
  const child = spawn(process.execPath, ["--expose-gc", ...flags, program], {
    stdio: ["ignore", 2, 2, "ipc"],
  });
  await answerOf(child);
  const call = (requested: NodeCall): Promise<SideAnswer> => {
    const answered = answerOf(child);
    child.send(requested);
    return answered;
  };
  const bytes = async (method: "used" | "held"): Promise<number> =>
    resultOf(await call({ method })) as number;
  const side: OpenSide = {
    ...remoteSide(call),
    used: () => bytes("used"),
    async end() {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
  return { side, held: () => bytes("held") };
}

function answerOf(child: ChildProcess): Promise<SideAnswer> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`it ended with code ${code}`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message as SideAnswer);
    });
  });
}

async function inChromium(checkouts: readonly Checkout[]): Promise<Platform> {
  const servers = new Map<Checkout, PreviewServer>();
  for (const checkout of checkouts) servers.set(checkout, await serveSide(checkout));
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    // Otherwise Chromium waits for a collection that comes by itself, up to a minute.
    args: [...CHROMIUM_ARGS, "--enable-blink-features=ForceEagerMeasureMemory"],
  });
  const sideOf = (checkout: Checkout) =>
    browserSide(browser, servers.get(checkout)?.resolvedUrls?.local[0] ?? "");
  return {
    name: `Chromium ${browser.version()}`,
    open: async (checkout) => (await sideOf(checkout)).side,
    async allocated(checkout, load, rounds) {
      const { side, page } = await sideOf(checkout);
      await side.open(load, ALLOCATION_WARM_UP_MS);
      const bytes = await allocatedBy(page, () => side.rounds(rounds));
      await side.end();
      return bytes / rounds;
    },
    async end() {
      await browser.close();
      for (const server of servers.values()) await server.close();
    },
  };
}

async function serveSide({ root, built }: Checkout): Promise<PreviewServer> {
  const site = {
    configFile: false,
    root: join(root, "bench/engine/browser"),
    logLevel: "warn",
  } as const;
  const output = { outDir: join(built, "site"), emptyOutDir: true, target: "es2022" };
  await build({ ...site, worker: { format: "es" }, build: output });
  return preview({
    ...site,
    build: output,
    preview: {
      host: "127.0.0.1",
      // The next one that is free, if another has it.
      port: 4290,
      // Isolated from other origins, a page has finer clocks and may ask for its memory.
      headers: {
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Embedder-Policy": "require-corp",
      },
    },
  });
}

async function browserSide(browser: Browser, address: string) {
  const page = await browser.newPage();
  page.on("console", (message) => console.error(message.text()));
  page.on("pageerror", (error) => console.error(error.message));
  await page.goto(address);
  const call = (requested: SideCall): Promise<SideAnswer> =>
    page.evaluate(`callSide(${JSON.stringify(requested)})`);
  const side: OpenSide = {
    ...remoteSide(call),
    used: () => page.evaluate("usedBytes()"),
    end: () => page.close(),
  };
  return { side, page };
}
