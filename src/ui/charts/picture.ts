/** A chart as a picture that stands by itself: its colours are written out, its background is the page's. */
import { tokenValue } from "../widgets/token-value.ts";

const NAMESPACE = "http://www.w3.org/2000/svg";
/** What the styles of the page say of an element, and an image by itself must say. */
const WRITTEN = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "font-size",
  "font-family",
  "text-anchor",
] as const;
const HEAD = 28;

export interface Picture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** Pictures a chart that is on screen, with its title above it. */
export function pictureOf(chart: SVGSVGElement, title: string): Picture {
  const { width, height } = chart.getBoundingClientRect();
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const [shown, copied] = [chart, copy].map((root) => [...root.querySelectorAll("*")]);
  for (const [i, element] of (shown ?? []).entries()) {
    const style = getComputedStyle(element);
    const target = copied?.[i];
    for (const name of WRITTEN) target?.setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "style", "tabindex"]) target?.removeAttribute(name);
  }
  for (const name of ["class", "style", "tabindex", "role"]) copy.removeAttribute(name);
  place(copy, { y: HEAD, width, height });
  return frame(title, width, height + HEAD, copy);
}

/** A picture of what is drawn by hand, under its title. */
export function frame(title: string, width: number, height: number, content: SVGElement): Picture {
  const root = svgElement("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  const heading = svgElement("text", {
    ...{ x: 8, y: 18, fill: tokenValue("ink") },
    ...{ "font-size": 14, "font-weight": 600, "font-family": "system-ui, sans-serif" },
  });
  heading.textContent = title;
  root.append(svgElement("rect", { width, height, fill: tokenValue("surface") }), heading, content);
  return { svg: new XMLSerializer().serializeToString(root), width, height };
}

/** Where `frame` leaves room for its content. */
export const CONTENT_TOP = HEAD;

type Attributes = Readonly<Record<string, string | number>>;

function place(element: SVGElement, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, `${value}`);
}

export function svgElement(name: string, attributes: Attributes): SVGElement {
  const element = document.createElementNS(NAMESPACE, name) as SVGElement;
  place(element, attributes);
  return element;
}

/** The picture in pixels, two for each of the page's. */
export async function pngOf({ svg, width, height }: Picture): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image(width, height);
    image.src = url;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), {
      width: 2 * width,
      height: 2 * height,
    });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) =>
        blob ? resolve(blob) : reject(new Error("the picture is too large")),
      ),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}
