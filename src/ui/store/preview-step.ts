/** Previews of steps, for the forms and buttons that are about one: none of them is on the first screen. */
import { type ClientError, CODE } from "../../client/client.ts";
import { type Outcome, refusalOf } from "./actions.ts";
import type { Page } from "./page.ts";

/** The effect of a step if it were run now. */
export interface StepPreview {
  readonly sentence: string;
  /** For misbehavior: the time and the power that are true at its height. */
  readonly time: string;
  readonly power: string;
  /** Why it would be refused; undefined if it would not. */
  readonly refusal: Outcome | undefined;
  /** True if the world takes no step from this page, whichever it is: the refusal is not the chain's. */
  readonly isReadOnly?: boolean;
}

/** Asks without doing; undefined if the engine cannot be asked. */
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

/** A preview as it was announced last. */
export interface Announced {
  readonly sentence: string;
  /** True if the chain changed it since the form was left alone. */
  readonly byChain: boolean;
}

/**
 * The announcement after another preview: of what the form says, and once of what the chain changes in it. After that
 * only other words are news, and not the numbers that each block moves.
 * @param settled whether the form changed
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

/** A number, date or time by itself; digits beside a letter belong to a name, such as v2 or val-2. */
const NUMBER = /^(?=.*\d)(?:[\d.,:-]+|[\d-]+T[\d:.]+Z[.,:]*)$/;

const wordsIn = (sentence: string): string =>
  sentence.replaceAll(/[\p{L}\p{N}_.,:-]+/gu, (word) => (NUMBER.test(word) ? "0" : word));

/** A preview makes blocks in a copy: one that only follows the chain waits so many times as long as the last one took. */
const REST = 4;

/**
 * Previews what is written in a form, again with every frame: one at a time, and for a fifth of the time at most, so that a
 * playing chain is not slowed.
 * @param step what is written by then; empty for nothing
 * @param show takes each answer, whether it was asked for with `ask`, and of what it is
 */
export function followPreview(
  { client, frames }: Pick<Page, "client" | "frames">,
  step: () => string,
  show: (preview: StepPreview | undefined, settled: boolean, written: string) => void,
): { ask(): void; stop(): void } {
  let isAsking = false;
  let isOver = false;
  let restsUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The cause to ask again, from while another was asked: a frame, or what was written. */
  let next: "frame" | "written" | undefined;

  const ask = async (settled: boolean): Promise<void> => {
    if (isAsking) {
      next = settled ? "written" : (next ?? "frame");
      return;
    }
    const written = step();
    if (written === "") return;
    const began = performance.now();
    if (!settled && began < restsUntil) {
      timer ??= setTimeout(() => {
        timer = undefined;
        void ask(false);
      }, restsUntil - began);
      return;
    }
    isAsking = true;
    const preview = await previewStep(client, written);
    isAsking = false;
    if (isOver) return;
    const now = performance.now();
    restsUntil = now + REST * (now - began);
    if (next !== "written") show(preview, settled, written);
    const waiting = next;
    next = undefined;
    if (waiting !== undefined) void ask(waiting === "written");
  };
  const unsubscribe = frames.subscribe(({ frame }, before) => {
    if (frame !== before.frame) void ask(false);
  });
  return {
    ask: () => void ask(true),
    stop() {
      unsubscribe();
      clearTimeout(timer);
      isOver = true;
    },
  };
}
