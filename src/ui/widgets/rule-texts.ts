/** The rules of the chain as the build has them: docs/rules, read beside the page. */

/** A piece of a rule's text: letters, or an element with pieces of its own. */
export type RulePiece =
  | string
  | { readonly tag: string; readonly pieces: readonly RulePiece[]; readonly href?: string };

export interface RuleText {
  readonly title: string;
  readonly pieces: readonly RulePiece[];
  /** Link to it among the other rules, below the folder of the rules. */
  readonly href: string;
}

/** Rules by file and number, such as `evidence 5.5`. */
export type RuleTexts = Readonly<Record<string, RuleText>>;

/** The folder of the build that has them, and in it the page of what the model leaves out. */
export const RULES = "rules/";
export const LEFT_OUT = `${RULES}left-out.html`;

let read: Promise<RuleTexts> | undefined;

/** Fetches them once; what failed is tried again. */
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
