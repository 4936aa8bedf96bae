/** Browsers that Playwright does not drive, and the common parts of both WebDriver protocols. */
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

export interface DrivenBrowser {
  goto(url: string): Promise<void>;
  /** Presses one key; `Shift+Tab` and the like hold another down meanwhile. */
  press(key: string): Promise<void>;
  /** Runs a function of a text in the page, without its closure, and returns the result. */
  evaluate<T>(act: (text: string) => T, text: string): Promise<T>;
  close(): Promise<void>;
}

/** Keys without a character, by their codes in WebDriver. */
const KEYS: Readonly<Record<string, string>> = {
  Tab: "\uE004",
  Enter: "\uE007",
  Shift: "\uE008",
  Escape: "\uE00C",
  Space: " ",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
};

/** The sources of input of a command that performs actions: a keyboard alone. */
export function keyboard(key: string): readonly object[] {
  const keys = key.split("+").map((name) => KEYS[name] ?? name);
  const actions = [
    ...keys.map((value) => ({ type: "keyDown", value })),
    ...keys.toReversed().map((value) => ({ type: "keyUp", value })),
  ];
  return [{ type: "key", id: "keyboard", actions }];
}

/** Returns the match of the first output line of a program that fits a pattern. */
export async function saidBy(
  program: ChildProcess,
  output: Readable | null,
  pattern: RegExp,
): Promise<string> {
  if (output)
    for await (const line of createInterface(output)) {
      const [, found] = pattern.exec(line) ?? [];
      if (found === undefined) continue;
      output.resume();
      return found;
    }
  throw new Error(`${program.spawnfile} ended without saying ${pattern}`);
}
