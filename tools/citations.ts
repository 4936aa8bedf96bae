/**
 * Citations of the rules: a comment says `rules/evidence 3.2`, and docs/rules/evidence.md has a rule of
 * that number.
 */

const CITATION = /\brules\/([a-z-]+)((?:,? (?:and )?\d+(?:\.\d+)*)+)/g;
/** A section sign that is not an RFC's, and words for notes that are kept elsewhere. */
const OLD =
  /(?:\b(?:facts|documents?) ?)?(?<!\bRFC \d+ )§|\b(?:evidence|upgrade|staking|slashing|gov|consensus) facts\b|\bfacts document|\(facts: [a-z]|\bworld model\b/gi;

/** The numbers of a document's headings and rules: `## 3. Title`, `**3.2 Name.** …`. */
export function ruleNumbers(markdown: string): ReadonlySet<string> {
  const lines = markdown.split("\n");
  return new Set(
    lines.flatMap((line) => {
      const number = /^(?:#+ |\*\*)(\d+(?:\.\d+)*)\b/.exec(line)?.[1];
      return number === undefined ? [] : [number];
    }),
  );
}

/** The citations of a file that lead nowhere, each with its line. */
export function danglingCitations(
  file: string,
  text: string,
  rules: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  return [...text.matchAll(CITATION)].flatMap(({ 1: name = "", 2: numbers = "", index }) =>
    (numbers.match(/\d+(?:\.\d+)*/g) ?? [])
      .filter((number) => !rules.get(name)?.has(number))
      .map((number) => `${file}:${lineAt(text, index)}  rules/${name} ${number}`),
  );
}

/** The citations of documents that are not in the repository, each with its line. */
export function oldCitations(file: string, text: string): string[] {
  return [...text.matchAll(OLD)].map(
    ({ 0: found, index }) => `${file}:${lineAt(text, index)}  ${found}`,
  );
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split("\n").length;
