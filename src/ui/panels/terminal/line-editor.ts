/** The edited line of a terminal, with its history. */

export interface EditedLine {
  readonly text: string;
  /** Characters before the cursor. */
  readonly at: number;
}

/** Action that a key triggers besides editing the line. */
export type LineAction = "run" | "complete" | "interrupt" | "clear" | undefined;

/** Maximum lines of the history. */
const REMEMBERED = 500;

export class LineEditor {
  #text = "";
  #at = 0;
  readonly #before: string[] = [];
  /** Index of the history line that is shown; the history's length for the line being typed. */
  #shown = 0;
  /** The line that was being typed before the history was opened. */
  #typed = "";

  get line(): EditedLine {
    return { text: this.#text, at: this.#at };
  }

  get history(): readonly string[] {
    return this.#before;
  }

  set(text: string, at = text.length): void {
    this.#text = text;
    this.#at = at;
  }

  /** Completes the line: it is added to the history, and a new one starts. */
  submit(): string {
    const text = this.#text;
    if (text.trim() !== "" && text !== this.#before.at(-1)) this.#before.push(text);
    if (this.#before.length > REMEMBERED) this.#before.shift();
    this.#shown = this.#before.length;
    this.set("");
    return text;
  }

  /** Discards the line. */
  drop(): void {
    this.#shown = this.#before.length;
    this.set("");
  }

  /** Handles one key, as named by terminals, or one character. */
  key(key: string): LineAction {
    const asks = ASKS[key];
    if (asks !== undefined) return asks;
    const move = MOVES[key];
    if (move !== undefined) this.#at = move(this.line);
    else if (key === "\x1b[A" || key === "\x10") this.#look(-1);
    else if (key === "\x1b[B" || key === "\x0e") this.#look(1);
    else {
      const deleted = DELETES[key]?.(this.line);
      if (deleted) this.#replace(...deleted, "");
      // Ignores everything else that is not a visible character.
      else if (!/[\p{Cc}\p{Cf}]/u.test(key)) this.#replace(this.#at, this.#at, key);
    }
    return undefined;
  }

  #replace(from: number, to: number, text: string): void {
    this.set(this.#text.slice(0, from) + text + this.#text.slice(to), from + text.length);
  }

  #look(by: number): void {
    const to = this.#shown + by;
    if (to < 0 || to > this.#before.length) return;
    if (this.#shown === this.#before.length) this.#typed = this.#text;
    this.#shown = to;
    this.set(this.#before[to] ?? this.#typed);
  }
}

const ASKS: Readonly<Record<string, LineAction>> = {
  "\r": "run",
  "\n": "run",
  "\t": "complete",
  "\x03": "interrupt",
  "\x0c": "clear",
};

const before = ({ text, at }: EditedLine): number =>
  at - (/\S*\s*$/.exec(text.slice(0, at))?.[0].length ?? 0);
const after = ({ text, at }: EditedLine): number =>
  at + (/^\s*\S*/.exec(text.slice(at))?.[0].length ?? 0);
const left = ({ text, at }: EditedLine): number =>
  at - ([...text.slice(0, at)].at(-1)?.length ?? 0);
const right = ({ text, at }: EditedLine): number => at + ([...text.slice(at)][0]?.length ?? 0);
const start = (): number => 0;
const end = ({ text }: EditedLine): number => text.length;

const MOVES: Readonly<Record<string, (line: EditedLine) => number>> = {
  "\x1b[D": left,
  "\x02": left,
  "\x1b[C": right,
  "\x06": right,
  "\x1b[H": start,
  "\x1bOH": start,
  "\x01": start,
  "\x1b[F": end,
  "\x1bOF": end,
  "\x05": end,
  "\x1bb": before,
  "\x1b[1;5D": before,
  "\x1b[1;3D": before,
  "\x1bf": after,
  "\x1b[1;5C": after,
  "\x1b[1;3C": after,
};

const DELETES: Readonly<Record<string, (line: EditedLine) => readonly [from: number, to: number]>> =
  {
    "\x7f": (line) => [left(line), line.at],
    "\b": (line) => [left(line), line.at],
    "\x1b[3~": (line) => [line.at, right(line)],
    "\x04": (line) => [line.at, right(line)],
    "\x15": ({ at }) => [0, at],
    "\x0b": ({ text, at }) => [at, text.length],
    "\x17": (line) => [before(line), line.at],
    "\x1b\x7f": (line) => [before(line), line.at],
  };

/** Splits terminal input into keys: an escape sequence is one key, any other character too. */
export const keysOf = (data: string): readonly string[] =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals send them
  data.match(/\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z]|[\s\S])?|[\s\S]/gu) ?? [];
