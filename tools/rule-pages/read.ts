/** Reads docs/rules, and what the model leaves out, into documents of numbered rules. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type MarkedToken, marked, type Token } from "marked";

/** A piece of a text: letters, or an element with pieces of its own. */
export type Piece = string | Element;

export interface Element {
  readonly tag: string;
  readonly pieces: readonly Piece[];
  /** Of a link: an address below the folder of the pages, or of another site. */
  readonly href?: string;
}

/** A rule, or what stands below a heading before the first one. */
export interface Rule {
  /** Such as `3.2`; empty of what is no rule. */
  readonly number: string;
  readonly name: string;
  readonly pieces: readonly Piece[];
}

interface Section {
  /** Such as `3`; empty if it has none. */
  readonly number: string;
  readonly title: string;
  readonly rules: readonly Rule[];
}

export interface Document {
  /** Of its file, such as `evidence`. */
  readonly name: string;
  readonly title: string;
  readonly sections: readonly Section[];
}

/** The document that says what the model leaves out. */
export const LEFT_OUT = "left-out";

/** The overview of the rules. */
export const INDEX = "index";

/** The documents below a root: the overview, the rules, what is left out. */
export function readDocuments(root: string): Document[] {
  const rules = join(root, "docs/rules");
  const names = readdirSync(rules)
    .filter((file) => file.endsWith(".md") && file !== "README.md")
    .map((file) => file.replace(".md", ""));
  const text = (file: string): string => readFileSync(join(root, "docs", file), "utf8");
  const index = text("rules/README.md");
  const inOrder = names.sort((a, b) => index.indexOf(`(${a}.md)`) - index.indexOf(`(${b}.md)`));
  return [
    readDocument(INDEX, index),
    ...inOrder.map((name) => readDocument(name, text(`rules/${name}.md`))),
    readDocument(LEFT_OUT, text(`${LEFT_OUT}.md`)),
  ];
}

/** A heading `## 3. Title`, and a rule that begins with `**3.2 Name.**`. */
const HEADING = /^(?:(\d+)\. )?(.*)$/s;
const RULE = /^(\d+\.\d+) (.*?)\.?$/s;

/** Reads one document. Throws an Error for what these documents do not have, such as pictures. */
export function readDocument(name: string, markdown: string): Document {
  let title = name;
  const sections: { number: string; title: string; rules: Open[] }[] = [];
  const open = (): Open[] => {
    if (sections.length === 0) sections.push({ number: "", title: "", rules: [] });
    return sections.at(-1)?.rules ?? [];
  };
  for (const token of marked.lexer(markdown) as MarkedToken[]) {
    if (token.type === "space") continue;
    if (token.type === "heading") {
      const [, number = "", text = ""] = HEADING.exec(token.text) ?? [];
      if (token.depth === 1) title = text;
      else sections.push({ number, title: text, rules: [] });
      continue;
    }
    const rules = open();
    const rule = token.type === "paragraph" ? ruleIn(token.tokens ?? []) : undefined;
    if (rule) rules.push(rule);
    else if (rules.length === 0) rules.push({ number: "", name: "", pieces: [blockOf(token)] });
    else rules.at(-1)?.pieces.push(blockOf(token));
  }
  return { name, title, sections };
}

interface Open extends Rule {
  readonly pieces: Piece[];
}

/** The rule that a paragraph begins; undefined for any other paragraph. */
function ruleIn([first, ...rest]: readonly Token[]): Open | undefined {
  const [, number, name] = (first?.type === "strong" && RULE.exec(first.text as string)) || [];
  if (number === undefined || name === undefined) return undefined;
  const [head, ...tail] = inline(rest);
  const pieces = [...(typeof head === "string" ? [head.trimStart()] : head ? [head] : []), ...tail];
  return { number, name: name.replaceAll("`", ""), pieces: [{ tag: "p", pieces }] };
}

function blockOf(token: MarkedToken): Element {
  switch (token.type) {
    case "paragraph":
      return { tag: "p", pieces: inline(token.tokens) };
    case "list": {
      const items = token.items.map((item) => ({
        tag: "li",
        pieces: inline(item.tokens.flatMap((part) => ("tokens" in part && part.tokens) || [part])),
      }));
      return { tag: token.ordered ? "ol" : "ul", pieces: items };
    }
    case "table": {
      const row = (tag: string, cells: readonly { tokens: Token[] }[]): Element => ({
        tag: "tr",
        pieces: cells.map((cell) => ({ tag, pieces: inline(cell.tokens) })),
      });
      return {
        tag: "table",
        pieces: [
          { tag: "thead", pieces: [row("th", token.header)] },
          { tag: "tbody", pieces: token.rows.map((cells) => row("td", cells)) },
        ],
      };
    }
    case "code":
      return { tag: "pre", pieces: [token.text] };
    default:
      throw new Error(`a rule has a ${token.type}: ${token.raw}`);
  }
}

const inline = (tokens: readonly Token[]): Piece[] =>
  (tokens as readonly MarkedToken[]).flatMap((token): readonly Piece[] => {
    switch (token.type) {
      case "text":
        return token.tokens ? inline(token.tokens) : [unescaped(token.text)];
      case "escape":
        return [token.text];
      case "strong":
      case "em":
        return [{ tag: token.type, pieces: inline(token.tokens) }];
      case "codespan":
        return citedIn(token.text);
      case "link":
        return linked(token.href, inline(token.tokens));
      case "br":
        return [" "];
      default:
        throw new Error(`a rule has a ${token.type}: ${token.raw}`);
    }
  });

/** Text of a lexer of another version may come with entities. */
const unescaped = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

/** `rules/evidence 4.2` leads to that rule. */
function citedIn(code: string): readonly Piece[] {
  const [, name, number = ""] = /^rules\/([a-z-]+)(?:\s+(\d+(?:\.\d+)?))?$/.exec(code) ?? [];
  const text: Element = { tag: "code", pieces: [code] };
  if (name === undefined) return [text];
  return [{ tag: "a", pieces: [text], href: addressOf(name, number) }];
}

/** Returns the address of a rule, relative to the folder of the pages. */
export const addressOf = (name: string, number: string): string =>
  `${name}.html${number && `#${number}`}`;

/** A link to another of these documents or to another site; one to a file of the repository is only its words. */
function linked(href: string, pieces: readonly Piece[]): readonly Piece[] {
  if (/^https:/.test(href)) return [{ tag: "a", pieces, href }];
  const [, path = "", anchor = ""] = /^([^#]*)(#.*)?$/.exec(href) ?? [];
  const name = path.split("/").at(-1)?.replace(".md", "") ?? "";
  const known = /^(\.\.\/)?(left-out|(rules\/)?[a-z]+|(rules\/)?README)\.md$/.test(path);
  if (!known) return pieces;
  return [{ tag: "a", pieces, href: `${name === "README" ? INDEX : name}.html${anchor}` }];
}
