/** A person without a mouse: keys, and what the page then shows. However the browser is driven, it is the same. */
import { expect } from "@playwright/test";
import type { DrivenBrowser } from "../tools/driven-browser.ts";

/** The two things that every way to drive a browser can do. */
export type Driven = Pick<DrivenBrowser, "press" | "evaluate">;

/** Label of the focused element; empty if nothing has the focus. */
interface Focus {
  readonly label: string;
  readonly outlined: boolean;
}

/** A person looks again at once. */
export const OFTEN = { intervals: [20, 50, 100] };

/** More stops than any view has. */
const MOST_STOPS = 120;

export class Person {
  readonly #driven: Driven;

  constructor(driven: Driven) {
    this.#driven = driven;
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#driven.press(key);
  }

  /** The text of the first element that a selector finds; empty where there is none. */
  read(selector: string): Promise<string> {
    return this.#driven.evaluate(textOf, selector);
  }

  async sees(selector: string, text: string | RegExp): Promise<void> {
    const message = `${selector} shows ${text}`;
    const shown = expect.poll(() => this.read(selector), { message, ...OFTEN });
    await (typeof text === "string" ? shown.toContain(text) : shown.toMatch(text));
  }

  /** Waits until the focus is there, and drawn. */
  async isAt(label: string | RegExp): Promise<void> {
    await expect
      .poll(() => this.#driven.evaluate(focus, ""))
      .toEqual({
        label: typeof label === "string" ? label : expect.stringMatching(label),
        outlined: true,
      });
  }

  /** Has the next Tab begin at the top of the page, as it does when one comes from the browser's own bars. */
  async toTheTop(): Promise<void> {
    await this.#driven.evaluate(() => getSelection()?.collapse(document.body, 0), "");
  }

  /** Goes from stop to stop, each of which shows that it has the focus. */
  async tabTo(label: string | RegExp): Promise<void> {
    const passed: string[] = [];
    while (passed.length < MOST_STOPS) {
      await this.press("Tab");
      const at = await this.#driven.evaluate(focus, "");
      if (at.label !== "") expect(at.outlined, `the focus is drawn at “${at.label}”`).toBe(true);
      if (typeof label === "string" ? at.label === label : label.test(at.label)) return;
      passed.push(at.label);
    }
    throw new Error(`Tab does not lead to ${label}, but to ${passed.join(" | ")}`);
  }
}

/** Runs in the page. */
const textOf = (selector: string): string =>
  document.querySelector<HTMLElement>(selector)?.innerText ?? "";

/** Runs in the page. */
function focus(): Focus {
  const element = document.activeElement as HTMLInputElement | null;
  if (!element || element === document.body) return { label: "", outlined: false };
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const label = element.getAttribute("aria-label") ?? element.labels?.[0]?.innerText;
  return {
    label: (label ?? element.innerText).trim(),
    outlined: outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1,
  };
}
