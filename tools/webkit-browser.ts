/** A WebKitGTK, driven by classic WebDriver: the few of its commands that the tests need. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect } from "@playwright/test";
import { type DrivenBrowser, keyboard, saidBy } from "./driven-browser.ts";
import type { WebKit } from "./other-browsers.ts";

/** Without a graphics card, and without the sandbox that a container has no right to make. */
const SOFTWARE: Readonly<Record<string, string>> = {
  LIBGL_ALWAYS_SOFTWARE: "1",
  WEBKIT_DISABLE_COMPOSITING_MODE: "1",
  WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
};

export class WebKitBrowser implements DrivenBrowser {
  readonly #programs: readonly ChildProcess[];
  readonly #session: string;

  private constructor(programs: readonly ChildProcess[], session: string) {
    this.#programs = programs;
    this.#session = session;
  }

  static async start({ driver, screen }: WebKit): Promise<WebKitBrowser> {
    const programs: ChildProcess[] = [];
    try {
      const env: NodeJS.ProcessEnv = { ...process.env, ...SOFTWARE };
      if (screen) {
        const args = ["-displayfd", "1", "-screen", "0", "1400x900x24", "-nolisten", "tcp"];
        const shown = spawn(screen, args, { stdio: ["ignore", "pipe", "ignore"] });
        programs.push(shown);
        env.DISPLAY = `:${await saidBy(shown, shown.stdout, /^(\d+)/)}`;
      }
      const port = await freePort();
      programs.push(spawn(driver, [`--port=${port}`], { env, stdio: "ignore" }));
      const origin = `http://127.0.0.1:${port}`;
      await expect(() => command("GET", `${origin}/status`)).toPass();
      const { sessionId } = await command<{ sessionId: string }>("POST", `${origin}/session`, {
        capabilities: { alwaysMatch: { timeouts: { script: 120_000, pageLoad: 120_000 } } },
      });
      return new WebKitBrowser(programs, `${origin}/session/${sessionId}`);
    } catch (error) {
      for (const program of programs) program.kill();
      throw error;
    }
  }

  async goto(url: string): Promise<void> {
    await command("POST", `${this.#session}/url`, { url });
  }

  async press(key: string): Promise<void> {
    await command("POST", `${this.#session}/actions`, { actions: keyboard(key) });
  }

  async evaluate<T>(act: (text: string) => T, text: string): Promise<T> {
    const script = `return (${act})(arguments[0])`;
    return command("POST", `${this.#session}/execute/sync`, { script, args: [text] });
  }

  async close(): Promise<void> {
    await command("DELETE", this.#session).finally(() => {
      for (const program of this.#programs) program.kill();
    });
  }
}

async function command<T>(method: string, address: string, body?: object): Promise<T> {
  const sent = body && { body: JSON.stringify(body) };
  const answer = await fetch(address, { method, ...sent });
  const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
  if (!answer.ok) throw new Error(`${method} ${address}: ${value.error}: ${value.message}`);
  return value;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("there is no free port");
  return address.port;
}
