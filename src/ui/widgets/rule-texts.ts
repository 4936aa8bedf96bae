/** The rules of the chain from docs/rules, as parsed by the build. */

/** A piece of a rule's text: plain text, or an element with its own pieces. */
export type RulePiece =
  | string
  | { readonly tag: string; readonly pieces: readonly RulePiece[]; readonly href?: string };

export interface RuleText {
  readonly title: string;
  readonly pieces: readonly RulePiece[];
  /** Its link, relative to the folder of the rules. */
  readonly href: string;
}

/** Rules by file and number, such as `evidence 5.5`. */
export type RuleTexts = Readonly<Record<string, RuleText>>;

/** The folder of the rules in the build, and the page of the model's omissions. */
export const RULES = "rules/";
export const LEFT_OUT_URL = `${RULES}left-out.html`;

let read: Promise<RuleTexts> | undefined;

/** Fetches them once; a failure is retried. */
export function readRules(): Promise<RuleTexts> {
  read ??= fetch(`${RULES}rules.json`)
    .then((answer) => {
      if (!answer.ok) throw new Error(`The rules could not be loaded: ${answer.status}.`);
      return answer.json() as Promise<RuleTexts>;
    })
    .catch((error) => {
      read = undefined;
      throw error;
    });
  return read;
}
