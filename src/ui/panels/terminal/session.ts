/**
 * A terminal's session: lines are edited, completed and run in sequence, and their output is shown.
 */
import type { CliContext, Output } from "../../../cli/context.ts";
import { completions, main } from "../../../cli/main.ts";
import { completed, inColumns } from "./complete.ts";
import { keysOf, LineEditor } from "./line-editor.ts";
import { readLine } from "./words.ts";

/** Output device of a terminal session. */
export interface Display {
  readonly columns: number;
  write(text: string): void;
  clear(): void;
}

export type Surroundings = Omit<CliContext, "stdout" | "stderr">;

const PROMPT = "$ ";
const WELCOME =
  "help lists the commands. Tab completes them, the arrow keys recall earlier lines, Esc leaves the terminal.\n";

const withEnd = (line: string): string => `${line}\n`;

const RED = "\x1b[31m";
const PLAIN = "\x1b[0m";

/** Commands of the terminal itself. */
const OWN = ["help", "clear", "history"];

export class Session {
  readonly #display: Display;
  readonly #around: Surroundings;
  readonly #editor = new LineEditor();
  /** Keys received while a command ran, or a line was completed. */
  #waiting: string[] = [];
  /** Number of the running command; later output of earlier ones is hidden. */
  #running: number | undefined;
  #completing = false;
  #commands = 0;
  /** Rows between the prompt and the cursor. */
  #row = 0;
  /** True if the last output did not end its line, so that the prompt would overwrite it. */
  #isMidLine = false;

  constructor(display: Display, around: Surroundings) {
    this.#display = display;
    this.#around = around;
    display.write(WELCOME);
    this.#prompt();
  }

  /** Handles typed or pasted input. */
  feed(data: string): void {
    for (const key of keysOf(data)) {
      if (this.#running === undefined && !this.#completing) this.#key(key);
      else if (key === "\x03") this.#interrupt();
      else this.#waiting.push(key);
    }
  }

  /** Redraws the line when the display's width has changed. */
  redraw(): void {
    if (this.#running === undefined) this.#draw();
  }

  #key(key: string): void {
    switch (this.#editor.key(key)) {
      case "run":
        this.#run();
        break;
      case "complete":
        void this.#complete();
        break;
      case "interrupt":
        this.#toEnd();
        this.#display.write("^C\n");
        this.#editor.drop();
        this.#prompt();
        break;
      case "clear":
        this.#display.clear();
        this.#prompt();
        break;
      default:
        this.#draw();
    }
  }

  #run(): void {
    this.#toEnd();
    this.#display.write("\n");
    const { words, open } = readLine(this.#editor.submit());
    // A line copied from a shell has the program's name.
    const [first, ...rest] = words[0] === "chainlab" ? words.slice(1) : words;
    if (open !== "") this.#print(`the ${open} is not closed\n`, RED);
    else if (first === "clear") this.#display.clear();
    else if (first === "history") this.#print(this.#editor.history.map(withEnd).join(""));
    else if (words.length > 0) {
      const asksHelp = first === undefined || first === "help";
      void this.#command(asksHelp ? [...rest, "--help"] : [first, ...rest]);
      return;
    }
    this.#prompt();
  }

  async #command(inputs: readonly string[]): Promise<void> {
    this.#commands += 1;
    const own = this.#commands;
    this.#running = own;
    const output = (color = ""): Output => ({
      columns: this.#display.columns,
      write: (text) => {
        if (this.#running === own) this.#print(text, color);
      },
    });
    await main(inputs, { ...this.#around, stdout: output(), stderr: output(RED) });
    if (this.#running === own) this.#end();
  }

  /** Stops waiting for the running command, which continues. */
  #interrupt(): void {
    this.#display.write("^C\n");
    this.#waiting = [];
    this.#editor.drop();
    this.#completing = false;
    this.#end();
  }

  #end(): void {
    this.#running = undefined;
    if (this.#isMidLine) this.#print("\n");
    this.#prompt();
    this.#continue();
  }

  /** Handles the queued input. */
  #continue(): void {
    const keys = this.#waiting;
    this.#waiting = [];
    this.feed(keys.join(""));
  }

  async #complete(): Promise<void> {
    const { text, at } = this.#editor.line;
    const before = text.slice(0, at);
    const { words, last } = readLine(before);
    const named = words[0] === "chainlab" && words.length + (last === "" ? 1 : 0) > 1;
    const input = named ? words.slice(1) : words;
    const requested = last === "" ? [...input, ""] : input;
    const helped = requested.length > 1 && requested[0] === "help" ? requested.slice(1) : requested;
    const output: Output = { write: () => {} };
    this.#completing = true;
    const proposed = await completions(helped, { ...this.#around, stdout: output, stderr: output });
    // It was cancelled meanwhile.
    if (!this.#completing) return;
    this.#completing = false;
    const own = requested.length === 1 ? OWN : [];
    const { text: longer, ways } = completed(before, [...own, ...proposed]);
    if (ways.length > 1) {
      this.#toEnd();
      this.#display.write("\n");
      this.#print(`${inColumns(ways, this.#display.columns)}\n`);
      this.#row = 0;
    }
    this.#editor.set(longer + text.slice(at), longer.length);
    this.#draw();
    this.#continue();
  }

  #print(text: string, color = ""): void {
    if (text !== "") this.#isMidLine = !text.endsWith("\n");
    this.#display.write(color ? `${color}${text}${PLAIN}` : text);
  }

  #prompt(): void {
    this.#row = 0;
    this.#draw();
  }

  /** Redraws prompt and line, and positions the cursor. */
  #draw(): void {
    const { text, at } = this.#editor.line;
    const { columns } = this.#display;
    const all = PROMPT + text;
    const place = PROMPT.length + at;
    const up = this.#row > 0 ? `\x1b[${this.#row}A` : "";
    // After a full row the cursor stays at its end until another character follows.
    const next = all.length % columns === 0 ? "\r\n" : "";
    const last = Math.floor(all.length / columns);
    this.#row = Math.floor(place / columns);
    const back = last > this.#row ? `\x1b[${last - this.#row}A` : "";
    const column = place % columns;
    const over = column > 0 ? `\x1b[${column}C` : "";
    this.#display.write(`${up}\r\x1b[J${all}${next}${back}\r${over}`);
  }

  /** Moves the cursor after the line. */
  #toEnd(): void {
    const { text } = this.#editor.line;
    this.#editor.set(text);
    this.#draw();
  }
}
