/**
 * Draws a part of the screen as SVG, from the boxes, borders, text lines and drawings that the
 * browser has laid out. The result needs neither the page's styles nor `foreignObject`, which image
 * viewers do not draw.
 */
import { ascentOf, fontOf, widthOf } from "./fonts.ts";
import { gradientOf } from "./gradient.ts";
import type { Drawn } from "./picture.ts";
import { plainColor } from "./plain-color.ts";
import { type Attributes, place, rounded, svgElement } from "./svg.ts";

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Selector of the controls, which are excluded from pictures. */
const CONTROLS = "[data-control], select, input, textarea, label:has(select)";

/**
 * An element with all of its content, including scrolled-out parts, in the size of that content.
 */
export function drawnElement(root: Element): Drawn {
  const content = svgElement("g", {}) as SVGGElement;
  drawElement(root, content, root);
  const probe = svgElement("svg", {});
  probe.append(content);
  root.append(probe);
  const { x, y, width, height } = content.getBBox();
  probe.remove();
  if (getComputedStyle(root).overflowX !== "visible")
    return { content, left: x, top: y, width, height };
  // `getBBox` includes content that inner elements clip: limit it to the visible box.
  const seen = root.getBoundingClientRect();
  const [left, top] = [Math.max(x, seen.left), Math.max(y, seen.top)];
  return {
    content,
    ...{ left, top },
    width: Math.min(x + width, seen.right) - left,
    height: Math.min(y + height, seen.bottom) - top,
  };
}

function drawElement(element: Element, into: SVGElement, root: Element): void {
  if (element.matches(CONTROLS) || !element.checkVisibility()) return;
  const style = getComputedStyle(element);
  // Content for screen readers only is hidden by a clip path.
  if (style.clipPath !== "none" || style.opacity === "0") return;
  let group = into;
  if (style.opacity !== "1") {
    group = svgElement("g", { opacity: style.opacity });
    into.append(group);
  }
  if (element instanceof SVGSVGElement) {
    group.append(drawnSvg(element));
    return;
  }
  const box = element.getBoundingClientRect();
  if (style.visibility === "visible" && element !== root) drawBox(style, box, group);
  if (style.overflowX !== "visible" && element !== root) group = clipped(group, box);
  drawPseudo(element, "::before", style, group);
  let texts: Text[] = [];
  for (const child of [...element.childNodes, undefined]) {
    if (child instanceof Text) texts.push(child);
    else {
      drawText(texts, style, group);
      texts = [];
      if (child instanceof Element) drawElement(child, group, root);
    }
  }
  drawPseudo(element, "::after", style, group);
}

let ids = 0;
const nextId = (): string => {
  ids += 1;
  return `p${ids}`;
};

/** A group clipped to a box. */
function clipped(into: SVGElement, { x, y, width, height }: Box): SVGElement {
  const id = nextId();
  const clip = svgElement("clipPath", { id });
  clip.append(svgElement("rect", { x, y, width, height }));
  const group = svgElement("g", { "clip-path": `url(#${id})` });
  into.append(clip, group);
  return group;
}

const px = (length: string): number => Number.parseFloat(length) || 0;

const SIDES = ["Top", "Right", "Bottom", "Left"] as const;

/** Draws background and borders. */
function drawBox(style: CSSStyleDeclaration, box: Box, into: SVGElement): void {
  const { x, y, width, height } = box;
  if (width <= 0 || height <= 0) return;
  const borders = SIDES.map((side) => ({
    width: style[`border${side}Style`] === "none" ? 0 : px(style[`border${side}Width`]),
    line: style[`border${side}Style`],
    color: style[`border${side}Color`],
  }));
  const radius = radiusOf(style.borderTopLeftRadius, box);
  const fills = [paintOf("fill", style.backgroundColor)];
  const gradient = gradientFill(style.backgroundImage, box, borders[0]?.width ?? 0, into);
  if (gradient) fills.push(gradient);
  for (const fill of fills) {
    if (fill["fill-opacity"] !== 0)
      into.append(svgElement("rect", { x, y, width, height, rx: radius, ...fill }));
  }
  const [first] = borders;
  if (first && borders.every((one) => JSON.stringify(one) === JSON.stringify(first))) {
    if (first.width === 0) return;
    const inset = first.width / 2;
    into.append(
      svgElement("rect", {
        ...{ x: x + inset, y: y + inset },
        ...{ width: Math.max(0, width - 2 * inset), height: Math.max(0, height - 2 * inset) },
        ...{ rx: Math.max(0, radius - inset), fill: "none" },
        ...strokeOf(first),
      }),
    );
    return;
  }
  for (const [i, border] of borders.entries()) {
    if (border.width === 0) continue;
    const half = border.width / 2;
    const [x1, y1, x2, y2] = [
      [x, y + half, x + width, y + half],
      [x + width - half, y, x + width - half, y + height],
      [x, y + height - half, x + width, y + height - half],
      [x + half, y, x + half, y + height],
    ][i] as [number, number, number, number];
    into.append(svgElement("line", { x1, y1, x2, y2, ...strokeOf(border) }));
  }
}

const radiusOf = (radius: string, { width, height }: Box): number => {
  const most = Math.min(width, height) / 2;
  return Math.min(most, radius.includes("%") ? (px(radius) / 100) * 2 * most : px(radius));
};

function paintOf(name: "fill" | "stroke", computed: string): Attributes {
  const { color, opacity } = plainColor(computed);
  return { [name]: color, ...(opacity < 1 && { [`${name}-opacity`]: opacity }) };
}

interface Border {
  readonly width: number;
  readonly line: string;
  readonly color: string;
}

const strokeOf = ({ width, line, color }: Border): Attributes => ({
  ...paintOf("stroke", color),
  "stroke-width": width,
  ...(line === "dashed" && { "stroke-dasharray": `${3 * width} ${2 * width}` }),
  ...(line === "dotted" && { "stroke-dasharray": `${width} ${width}` }),
});

function gradientFill(
  image: string,
  { x, y, width, height }: Box,
  border: number,
  into: SVGElement,
): Attributes | undefined {
  // It covers the area inside the border.
  const gradient = gradientOf(image, width - 2 * border, height - 2 * border);
  if (gradient === undefined) return undefined;
  const { from, to, stops, repeats } = gradient;
  const id = nextId();
  const fill = svgElement("linearGradient", {
    id,
    gradientUnits: "userSpaceOnUse",
    ...{ x1: x + border + from.x, y1: y + border + from.y },
    ...{ x2: x + border + to.x, y2: y + border + to.y },
    spreadMethod: repeats ? "repeat" : "pad",
  });
  for (const { at, color } of stops) {
    const plain = plainColor(color);
    const offset = String(Math.round(at * 10_000) / 10_000);
    fill.append(
      svgElement("stop", { offset, "stop-color": plain.color, "stop-opacity": plain.opacity }),
    );
  }
  into.append(fill);
  return { fill: `url(#${id})` };
}

/** Draws the `::before` or `::after` content of an element. */
function drawPseudo(
  element: Element,
  which: "::before" | "::after",
  around: CSSStyleDeclaration,
  into: SVGElement,
): void {
  const style = getComputedStyle(element, which);
  if (style.content === "none" || style.content === "normal" || style.display === "none") return;
  const text = /^"(.*)"$/.exec(style.content)?.[1] ?? "";
  const box = pseudoBox(element, which, style, around, text);
  if (box === undefined) return;
  drawBox(style, box, into);
  if (text === "") return;
  const base = box.y + ascentOf(fontOf(fontIn(style))) * box.height;
  into.append(textElement(text, style, box.x, base, undefined));
}

function pseudoBox(
  element: Element,
  which: "::before" | "::after",
  style: CSSStyleDeclaration,
  around: CSSStyleDeclaration,
  text: string,
): Box | undefined {
  const edges = (sides: readonly (typeof SIDES)[number][]): number =>
    style.boxSizing === "border-box"
      ? 0
      : sides.reduce(
          (sum, side) => sum + px(style[`padding${side}`]) + px(style[`border${side}Width`]),
          0,
        );
  const font = fontOf(fontIn(style));
  const width = (px(style.width) || widthOf(font, text)) + edges(["Left", "Right"]);
  const height = (px(style.height) || px(style.fontSize)) + edges(["Top", "Bottom"]);
  if (style.position === "absolute") {
    const holder = around.position === "static" ? (element as HTMLElement).offsetParent : element;
    if (!holder) return undefined;
    const { left, top } = holder.getBoundingClientRect();
    const [moveX = "0", moveY = "0"] = style.translate === "none" ? [] : style.translate.split(" ");
    const moved = (by: string, size: number): number =>
      by.endsWith("%") ? (px(by) / 100) * size : px(by);
    return {
      x: left + holder.clientLeft + px(style.left) + moved(moveX, width),
      y: top + holder.clientTop + px(style.top) + moved(moveY, height),
      ...{ width, height },
    };
  }
  const range = document.createRange();
  range.selectNodeContents(element);
  const rects = [...range.getClientRects()];
  const beside = which === "::before" ? rects[0] : rects.at(-1);
  if (beside === undefined) return undefined;
  if (style.display === "inline") {
    const x = which === "::before" ? beside.left - width : beside.right;
    return { x, y: beside.y, width, height: beside.height };
  }
  const base = beside.y + ascentOf(fontOf(fontIn(around))) * beside.height;
  const x =
    which === "::before"
      ? beside.left - px(style.marginRight) - width
      : beside.right + px(style.marginLeft);
  return { x, y: base - px(style.verticalAlign) - height, width, height };
}

const fontIn = (style: CSSStyleDeclaration) => ({
  "font-family": style.fontFamily,
  "font-size": style.fontSize,
  "font-weight": style.fontWeight,
  "font-style": style.fontStyle,
});

/** Draws consecutive texts with their line breaks on screen. */
function drawText(nodes: readonly Text[], style: CSSStyleDeclaration, into: SVGElement): void {
  if (style.visibility !== "visible" || nodes.every(({ data }) => data.trim() === "")) return;
  const font = fontOf(fontIn(style));
  for (const { text, rect } of linesOf(nodes, font)) {
    const base = rect.y + ascentOf(font) * rect.height;
    into.append(textElement(text, style, rect.x, base, rect.width));
  }
}

function textElement(
  text: string,
  style: CSSStyleDeclaration,
  x: number,
  y: number,
  width: number | undefined,
): SVGElement {
  const { fontStyle, letterSpacing, textDecorationLine: decoration } = style;
  const element = svgElement("text", {
    ...{ x, y, ...paintOf("fill", style.color) },
    ...{ "font-family": style.fontFamily, "font-size": style.fontSize },
    ...(style.fontWeight !== "400" && { "font-weight": style.fontWeight }),
    ...(fontStyle !== "normal" && { "font-style": fontStyle }),
    ...(letterSpacing !== "normal" && { "letter-spacing": letterSpacing }),
    ...(decoration !== "none" && { "text-decoration": decoration }),
    // If the font is missing, its replacement gets the same width.
    ...(width !== undefined && { textLength: width }),
  });
  element.textContent = text;
  return element;
}

interface Line {
  text: string;
  rect: Box;
}

/** The lines of a text as on screen: text behind an ellipsis is cut off. */
function linesOf(nodes: readonly Text[], font: string): Line[] {
  const lines: Line[] = [];
  const limit = limitOf(nodes[0]);
  const dots = limit === undefined ? 0 : widthOf(font, ELLIPSIS);
  for (const { segment, rect } of nodes.flatMap(lettersOf)) {
    // Collapsed white space has no box.
    if (rect === undefined || (rect.width === 0 && segment.trim() === "")) continue;
    const line = lines.at(-1);
    const letter = segment.replace(/\s/, " ");
    const goesOn = line && Math.abs(line.rect.y - rect.y) < 1;
    if (limit !== undefined && rect.right > limit + 0.5) {
      if (line) cutFor(line, dots, limit, font);
      break;
    }
    const { x, y, width, height } = rect;
    if (goesOn) {
      line.text += letter;
      line.rect = { ...line.rect, width: rect.right - line.rect.x };
    } else if (letter !== " ") lines.push({ text: letter, rect: { x, y, width, height } });
  }
  return lines.map(({ text, rect }) => {
    const shown = text.trimEnd();
    const width = shown === text ? rect.width : rect.width - widthOf(font, " ");
    return { text: shown, rect: { ...rect, width } };
  });
}

const ELLIPSIS = "…";

/** The letters of a text with their boxes. */
function lettersOf(node: Text): { segment: string; rect: DOMRect | undefined }[] {
  const range = document.createRange();
  let at = 0;
  return [...new Intl.Segmenter().segment(node.data)].map(({ segment }) => {
    range.setStart(node, at);
    at += segment.length;
    range.setEnd(node, at);
    return { segment, rect: range.getClientRects()[0] };
  });
}

/** The right edge at which an ellipsis replaces the rest of a text. */
function limitOf(node: Text | undefined): number | undefined {
  for (let element = node?.parentElement; element; element = element.parentElement) {
    const style = getComputedStyle(element);
    if (style.display.startsWith("inline") && style.display !== "inline-block") continue;
    if (style.textOverflow !== "ellipsis" || element.scrollWidth <= element.clientWidth)
      return undefined;
    const { left } = element.getBoundingClientRect();
    return left + element.clientLeft + element.clientWidth - px(style.paddingRight);
  }
  return undefined;
}

function cutFor(line: Line, dots: number, limit: number, font: string): void {
  while (line.text !== "" && line.rect.x + widthOf(font, line.text) + dots > limit)
    line.text = line.text.slice(0, -1);
  line.text += ELLIPSIS;
  line.rect = { ...line.rect, width: widthOf(font, line.text) };
}

/** Style properties that a standalone SVG needs inline, without the page's style sheets. */
const COLORS = ["fill", "stroke"] as const;
const ATTRIBUTES = [
  ...["fill-rule", "stroke-width", "stroke-dasharray", "stroke-dashoffset"],
  ...["stroke-linecap", "stroke-linejoin", "vector-effect"],
  ...["font-size", "font-family", "font-weight", "font-style", "letter-spacing"],
  ...["text-anchor", "dominant-baseline", "visibility"],
];
const OF_THE_PAGE = ["class", "style", "tabindex", "role", "data-name"];

/** A copy of a drawing with inline styles. */
function drawnSvg(shown: SVGSVGElement): SVGElement {
  const { x, y, width, height } = shown.getBoundingClientRect();
  const copy = shown.cloneNode(true) as SVGSVGElement;
  const [all, copied] = [shown, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  for (const [i, element] of (all ?? []).entries()) {
    const target = copied?.[i];
    if (target) writeStyles(element, target, element === shown);
  }
  for (const link of copy.querySelectorAll("a")) {
    const group = svgElement("g", {});
    group.append(...link.childNodes);
    for (const { name, value } of link.attributes)
      if (name !== "href") group.setAttribute(name, value);
    link.replaceWith(group);
  }
  copy.removeAttribute("aria-hidden");
  place(copy, { x, y, width, height, overflow: "visible" });
  return copy;
}

function writeStyles(element: Element, target: Element, isRoot: boolean): void {
  const style = getComputedStyle(element);
  if (style.display === "none" && element.tagName !== "title") {
    target.setAttribute("display", "none");
    return;
  }
  for (const name of COLORS) {
    const value = style.getPropertyValue(name);
    const isColor = value !== "none" && !value.startsWith("url(");
    const { color, opacity } = isColor ? plainColor(value) : { color: value, opacity: 1 };
    const seen = opacity * Number(style.getPropertyValue(`${name}-opacity`));
    target.setAttribute(name, color.replaceAll('"', ""));
    if (seen < 1) target.setAttribute(`${name}-opacity`, `${rounded(seen)}`);
    else target.removeAttribute(`${name}-opacity`);
  }
  const above = isRoot ? null : element.parentElement;
  const inherited = above && getComputedStyle(above);
  for (const name of ATTRIBUTES) {
    const value = style.getPropertyValue(name);
    if (inherited?.getPropertyValue(name) !== value || target.hasAttribute(name))
      target.setAttribute(name, value);
  }
  // Applies only to the element itself, not to its surroundings.
  target.setAttribute("opacity", style.opacity);
  if (style.opacity === "1") target.removeAttribute("opacity");
  for (const name of OF_THE_PAGE) target.removeAttribute(name);
}
