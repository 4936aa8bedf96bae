import { visibleText } from "../../base/visible-text.ts";

/** Right-to-left letters, and the characters between them. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}](?:[^\p{L}\p{N}]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])*/gu;

/** A word that does not change the direction of its neighbours. */
const isolated = (word: string): string => `\u2068${word}\u2069`;

/**
 * Replaces invisible characters of a text by marks and isolates right-to-left parts, so that no
 * word changes another's direction.
 */
export const shownText = (text: string): string =>
  /^[ -~]*$/.test(text) ? text : visibleText(text).replace(RIGHT_TO_LEFT, isolated);

/** Attributes that are visible or read aloud. */
const SHOWN = ["title", "alt", "placeholder", "aria-label", "aria-description", "aria-valuetext"];

/** An element's properties with safe texts; the value of a field is unchanged. */
export function withShownTexts<P>(props: P): P {
  const input = props as Readonly<Record<string, unknown>>;
  let shown: Record<string, unknown> | undefined;
  const set = (key: string, value: unknown): void => {
    if (value === input[key]) return;
    shown ??= { ...input };
    shown[key] = value;
  };
  set("children", shownChildren(input.children));
  for (const key of SHOWN) {
    const value = input[key];
    if (typeof value === "string") set(key, shownText(value));
  }
  return (shown ?? props) as P;
}

/** The same list if nothing in it changes. */
function shownChildren(children: unknown): unknown {
  if (typeof children === "string") return shownText(children);
  if (!Array.isArray(children)) return children;
  const shown = children.map(shownChildren);
  return shown.some((child, index) => child !== children[index]) ? shown : children;
}
