/** Previews of steps, for forms and buttons: none of them is on the first screen. */
import { type ClientError, CODE } from "../../client/client.ts";
import { type Outcome, refusalOf } from "./actions.ts";
import type { Page } from "./page.ts";

/** The effect of a step if it ran now. */
export interface StepPreview {
  readonly sentence: string;
  /** For misbehavior: the true time and power at its height. */
  readonly time: string;
  readonly power: string;
  /** Reason why it would be refused; undefined if it would not. */
  readonly refusal: Outcome | undefined;
  /** True if the world accepts no steps from this page at all: the refusal is not the chain's. */
  readonly isReadOnly?: boolean;
}

/** Previews a step; undefined if the engine cannot be queried. */
export async function previewStep(
  { lab }: Page["client"],
  step: string,
): Promise<StepPreview | undefined> {
  try {
    const { sentence, time, power, path, message } = await lab.preview({ step });
    const refusal = message ? refusalOf(message, path) : undefined;
    return { sentence, time, power, refusal };
  } catch (error) {
    const { code, message } = error as ClientError;
    if (code !== CODE.failedPrecondition) return undefined;
    return { sentence: "", time: "", power: "", refusal: refusalOf(message), isReadOnly: true };
  }
}

/** The preview that was announced last. */
export interface Announced {
  readonly sentence: string;
  /** True if the chain has changed it since the last change of the form. */
  readonly byChain: boolean;
}

/**
 * The announcement after another preview: for a changed form, and once for a change by the chain.
 * After that only changed words are announced, not numbers that change with each block.
 * @param settled false if the form has changed
 */
export function announcedAfter(
  announced: Announced,
  sentence: string,
  settled: boolean,
): Announced {
  if (settled) return { sentence, byChain: false };
  if (sentence === "" || sentence === announced.sentence) return announced;
  const isNews = !announced.byChain || wordsIn(sentence) !== wordsIn(announced.sentence);
  return isNews ? { sentence, byChain: true } : announced;
}

/** A number, date or time alone; digits after a letter belong to a name, such as v2 or val-2. */
const NUMBER = /^(?=.*\d)(?:[\d.,:-]+|[\d-]+T[\d:.]+Z[.,:]*)$/;

const wordsIn = (sentence: string): string =>
  sentence.replaceAll(/[\p{L}\p{N}_.,:-]+/gu, (word) => (NUMBER.test(word) ? "0" : word));

/**
 * A preview makes blocks in a copy: updates by the chain wait this many times the last duration.
 */
const REST = 4;

/**
 * Previews the step in a form, again with every frame: one at a time, and for at most a fifth of
 * the time, so that a playing chain is not slowed.
 * @param step returns the current step; empty for none
 * @param show receives each answer, whether `ask` requested it, and its step
 */
export function followPreview(
  { client, frames }: Pick<Page, "client" | "frames">,
  step: () => string,
  show: (preview: StepPreview | undefined, settled: boolean, source: string) => void,
): { request(): void; stop(): void } {
  let isAsking = false;
  let isOver = false;
  let restsUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The cause of the next query, requested while another is pending: a frame, or input. */
  let next: "frame" | "written" | undefined;

  const ask = async (settled: boolean): Promise<void> => {
    if (isAsking) {
      next = settled ? "written" : (next ?? "frame");
      return;
    }
    const source = step();
    if (source === "") return;
    const startMs = performance.now();
    if (!settled && startMs < restsUntil) {
      timer ??= setTimeout(() => {
        timer = undefined;
        void ask(false);
      }, restsUntil - startMs);
      return;
    }
    isAsking = true;
    const preview = await previewStep(client, source);
    isAsking = false;
    if (isOver) return;
    const now = performance.now();
    restsUntil = now + REST * (now - startMs);
    if (next !== "written") show(preview, settled, source);
    const waiting = next;
    next = undefined;
    if (waiting !== undefined) void ask(waiting === "written");
  };
  const unsubscribe = frames.subscribe(({ frame }, before) => {
    if (frame !== before.frame) void ask(false);
  });
  return {
    request: () => void ask(true),
    stop() {
      unsubscribe();
      clearTimeout(timer);
      isOver = true;
    },
  };
}
