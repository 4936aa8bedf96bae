/** A browser whose data outlives it, and which can be ended as a power cut would end it. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setImmediate } from "node:timers/promises";
import { type Browser, chromium, type Page } from "@playwright/test";
import { CHROMIUM_ARGS, ensureChromium } from "./chromium.ts";

export class KillableBrowser {
  readonly #process: ChildProcess;
  readonly #browser: Browser;

  private constructor(process: ChildProcess, browser: Browser) {
    this.#process = process;
    this.#browser = browser;
  }

  /** Starts a browser that keeps its data in a folder. */
  static async start(profile: string): Promise<KillableBrowser> {
    const own = ["--headless=new", "--remote-debugging-port=0", `--user-data-dir=${profile}`];
    const child = spawn(ensureChromium(), [...CHROMIUM_ARGS, ...own, "about:blank"], {
      // A group of its own, so that a kill takes all processes of the browser.
      detached: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
    return new KillableBrowser(child, await chromium.connectOverCDP(await endpointOf(child)));
  }

  async newPage(): Promise<Page> {
    const [context] = this.#browser.contexts();
    return (context ?? (await this.#browser.newContext())).newPage();
  }

  /** The process numbers of the browser's renderers, but for that of its own window. */
  async tabs(): Promise<readonly number[]> {
    const session = await this.#browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    const renderers = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
    return renderers.filter((id) => !commandOf(id).includes("--top-chrome-webui"));
  }

  /** Ends all of its processes with SIGKILL; resolves when they are gone. */
  async kill(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#process;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const gone = once(this.#process, "exit");
    process.kill(-pid, "SIGKILL");
    await gone;
    // One that still writes would do so beside the browser that is started next with the same data.
    while (isAlive(pid)) await setImmediate();
    await this.#browser.close();
  }
}

/** True if a process of a group still runs; a zombie does not count. */
function isAlive(group: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-g", String(group)], { encoding: "utf8" });
  return stdout.split("\n").some((state) => state !== "" && !state.startsWith("Z"));
}

const commandOf = (pid: number): string =>
  execFileSync("ps", ["-ww", "-o", "args=", "-p", String(pid)], { encoding: "utf8" });

async function endpointOf({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error("the browser says nothing");
  for await (const line of createInterface(stderr)) {
    const [, endpoint] = /DevTools listening on (ws:\S+)/.exec(line) ?? [];
    if (endpoint === undefined) continue;
    stderr.resume();
    return endpoint;
  }
  throw new Error("the browser ended before it could be driven");
}
