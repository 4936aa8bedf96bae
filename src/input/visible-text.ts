/**
 * Characters that are not shown, or that change how other text is shown: control characters but
 * line breaks and tabs, marks that turn the direction of writing, zero-width characters, halves of
 * surrogate pairs. Characters that join several into one emoji are excluded.
 */
export const UNSEEN =
  /(?![\t\n])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\ufe00-\ufe0f])(?!(?<=[\p{ExtPict}\p{EMod}]\ufe0f?)\u200d\p{ExtPict})\p{DI}/gu;

/** Text with a mark in place of every such character, by the usual name of its code: `⟨U+202E⟩`. */
export const visibleText = (text: string): string =>
  text.replace(UNSEEN, (found) => `⟨U+${hex(found.codePointAt(0) ?? 0).toUpperCase()}⟩`);

const hex = (code: number): string => code.toString(16).padStart(4, "0");
