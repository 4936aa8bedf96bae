/** The edited text, which this tab keeps across reloads. */
/** Key of the scenario; other texts have their own. */
const KEY = "chainlab scenario";
/** Maximum characters of a draft: a tab can store some five million in all. */
const MOST = 1_000_000;

export interface Draft {
  readonly file: string;
  readonly text: string;
}

/** Returns the draft saved when the page was left; undefined if there is none. */
export function loadDraft(key = KEY): Draft | undefined {
  try {
    const { file, text } = JSON.parse(sessionStorage.getItem(key) ?? "{}") as Partial<Draft>;
    return typeof file === "string" && typeof text === "string" ? { file, text } : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a text. One that is too long, or refused by the browser, is not stored. */
export function saveDraft({ file, text }: Draft, key = KEY): void {
  try {
    if (text.length > MOST) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify({ file, text }));
  } catch {
    // The browser stores nothing: the file can still be saved.
  }
}
