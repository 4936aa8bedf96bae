/**
 * Characters that are invisible or change the display of other text: control characters except line
 * breaks and tabs, marks that change the text direction, zero-width characters, lone surrogates.
 * Does not include joiners within emojis.
 */
export const UNSEEN =
  /(?![\t\n])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\ufe00-\ufe0f])(?!(?<=[\p{ExtPict}\p{EMod}]\ufe0f?)\u200d\p{ExtPict})\p{DI}/gu;

/** Replaces every such character by its code point: `⟨U+202E⟩`. */
export const visibleText = (text: string): string =>
  text.replace(UNSEEN, (found) => `⟨U+${hex(found.codePointAt(0) ?? 0).toUpperCase()}⟩`);

const hex = (code: number): string => code.toString(16).padStart(4, "0");
