/** Writes a document of rules as a page. */
import { META_POLICY } from "../../src/node/server/security-headers.mjs";
import { type Document, type Element, LEFT_OUT, type Piece, type Rule } from "./read.ts";

/** Files that a page loads from its own folder. */
export const STYLES = "rules.css";
export const THEME = "theme.js";

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

const htmlOf = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (typeof piece === "string" ? escaped(piece) : elementOf(piece))).join("");

function elementOf({ tag, pieces, href }: Element): string {
  const attribute = href === undefined ? "" : ` href="${escaped(href)}"`;
  const element = `<${tag}${attribute}>${htmlOf(pieces)}</${tag}>`;
  // A table that is too wide for a small screen scrolls by itself.
  return tag === "table" ? `<div class="wide" tabindex="0">${element}</div>` : element;
}

function ruleOf({ number, name, pieces }: Rule): string {
  if (number === "") return htmlOf(pieces);
  const head = `<a href="#${number}">${number}</a> ${escaped(name)}`;
  return `<section id="${number}"><h3>${head}</h3>${htmlOf(pieces)}</section>`;
}

/** The page of a document, with links to all the others. */
export function pageOf(document: Document, documents: readonly Document[]): string {
  const { name, title, sections } = document;
  const links = documents.map((other) => {
    const here = other === document ? ' aria-current="page"' : "";
    return `<a href="${other.name}.html"${here}>${escaped(shortTitle(other))}</a>`;
  });
  const body = sections.map(({ number, title: text, rules }) => {
    const id = number === "" ? "" : ` id="${number}"`;
    const head = text === "" ? "" : `<h2${id}>${number && `${number}. `}${escaped(text)}</h2>`;
    return head + rules.map(ruleOf).join("\n");
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(META_POLICY)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Chainlab</title>
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<script src="${THEME}"></script>
<link rel="stylesheet" href="${STYLES}">
</head>
<body data-document="${name}">
<header><a href="../">Chainlab</a><nav aria-label="Documents">${links.join("\n")}</nav></header>
<main>
<h1>${escaped(title)}</h1>
${body.join("\n")}
</main>
</body>
</html>
`;
}

/** `Evidence` of `Evidence rules`. */
const shortTitle = ({ name, title }: Document): string =>
  name === LEFT_OUT ? "Left out" : name === "index" ? "Overview" : title.replace(/ rules$/, "");
