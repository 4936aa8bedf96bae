/** A Firefox as people have it, without a window, driven by WebDriver BiDi, which it speaks itself. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import WebSocket from "ws";
import { type DrivenBrowser, keyboard, saidBy } from "./driven-browser.ts";

/** Message from Firefox: the response to a command, or an event. */
interface Message {
  readonly id?: number;
  readonly type: "success" | "error" | "event";
  readonly result?: unknown;
  readonly message?: string;
  readonly params?: { readonly level: string; readonly text: string | null };
}

interface Evaluated {
  readonly type: "success" | "exception";
  readonly result?: { readonly value?: string };
  readonly exceptionDetails?: { readonly text: string };
}

export class FirefoxBrowser implements DrivenBrowser {
  /** Errors that have reached the console. */
  readonly errors: string[] = [];
  readonly #program: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Message) => void>();
  #commands = 0;
  #context = "";

  private constructor(program: ChildProcess, profile: string, socket: WebSocket) {
    this.#program = program;
    this.#profile = profile;
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(String(data)));
    socket.onclose = () => {
      for (const answer of this.#waiting.values())
        answer({ type: "error", message: "Firefox has ended" });
    };
  }

  static async start(path: string): Promise<FirefoxBrowser> {
    const profile = mkdtempSync(join(tmpdir(), "chainlab-firefox-"));
    const args = ["--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile];
    const program = spawn(path, args, {
      env: { ...process.env, HOME: profile },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const address = await saidBy(program, program.stderr, /BiDi listening on (ws:\S+)/);
    const socket = new WebSocket(`${address}/session`);
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = () => reject(new Error(`no connection to Firefox at ${address}`));
    });
    const browser = new FirefoxBrowser(program, profile, socket);
    await browser.#send("session.new", { capabilities: {} });
    await browser.#send("session.subscribe", { events: ["log.entryAdded"] });
    // The first tab never has the focus.
    const { context } = await browser.#send<{ context: string }>("browsingContext.create", {
      type: "tab",
    });
    browser.#context = context;
    return browser;
  }

  async goto(url: string): Promise<void> {
    const where = { context: this.#context, url, wait: "complete" };
    await this.#send("browsingContext.navigate", where);
  }

  async press(key: string): Promise<void> {
    const actions = keyboard(key);
    await this.#send("input.performActions", { context: this.#context, actions });
  }

  async evaluate<T>(act: (text: string) => T, text: string): Promise<T> {
    const { type, result, exceptionDetails } = await this.#send<Evaluated>("script.callFunction", {
      functionDeclaration: `(text) => JSON.stringify((${act})(text))`,
      arguments: [{ type: "string", value: text }],
      target: { context: this.#context },
      awaitPromise: false,
    });
    if (type === "exception") throw new Error(exceptionDetails?.text);
    return JSON.parse(result?.value ?? "null");
  }

  async close(): Promise<void> {
    const ended = once(this.#program, "exit");
    await this.#send("browser.close", {}).catch(() => this.#program.kill());
    await ended;
    rmSync(this.#profile, { recursive: true, force: true });
  }

  #send<T>(method: string, params: object): Promise<T> {
    this.#commands += 1;
    const id = this.#commands;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ type, result, message }) => {
        this.#waiting.delete(id);
        if (type === "error") reject(new Error(`${method}: ${message}`));
        else resolve(result as T);
      });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  #hear(message: Message): void {
    if (message.id !== undefined) this.#waiting.get(message.id)?.(message);
    else if (message.params?.level === "error") this.errors.push(message.params.text ?? "");
  }
}
