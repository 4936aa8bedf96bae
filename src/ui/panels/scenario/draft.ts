/** The text that is written, as this tab keeps it over a reload. */
/** Of the scenario; what else is written has its own. */
const KEY = "chainlab scenario";
/** Characters that are kept: a tab has some five million for all that is. */
const MOST = 1_000_000;

export interface Draft {
  readonly file: string;
  readonly text: string;
}

/** Returns the draft saved when the page was left; undefined if there is none. */
export function keptDraft(key = KEY): Draft | undefined {
  try {
    const { file, text } = JSON.parse(sessionStorage.getItem(key) ?? "{}") as Partial<Draft>;
    return typeof file === "string" && typeof text === "string" ? { file, text } : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text. One that is too long, or that the browser does not take, is not kept. */
export function keepDraft({ file, text }: Draft, key = KEY): void {
  try {
    if (text.length > MOST) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify({ file, text }));
  } catch {
    // A browser that keeps nothing: the file can still be saved.
  }
}
