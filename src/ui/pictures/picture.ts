/**
 * A standalone picture with inline colours, the page's background and an accessible description.
 */
import { tokenValue } from "../widgets/token-value.ts";
import { fontOf, widthOf } from "./fonts.ts";
import { plainColor } from "./plain-color.ts";
import { svgElement } from "./svg.ts";

/** A drawing with its origin and size. */
export interface Drawn {
  readonly content: SVGElement;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Picture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** Drawings stacked vertically. */
export function stacked(drawings: readonly Drawn[]): Drawn {
  const content = svgElement("g", {});
  let height = 0;
  for (const { content: one, left, top, ...size } of drawings) {
    if (height > 0) height += GAP;
    const group = svgElement("g", { transform: `translate(${-left} ${height - top})` });
    group.append(one);
    content.append(group);
    height += size.height;
  }
  const width = Math.max(0, ...drawings.map((drawing) => drawing.width));
  return { content, left: 0, top: 0, width, height };
}

const GAP = 8;

/** Margin around the content. */
const EDGE = 12;
/** Height of the two lines above it. */
const HEAD = 44;

/** The picture of a drawing, below its title and its block. */
export function framed(drawn: Drawn, title: string, about: string): Picture {
  const font = { "font-family": tokenValue("sans") };
  const bold = { ...font, "font-size": 14, "font-weight": 600 };
  const small = { ...font, "font-size": 12 };
  const text = Math.max(widthOf(fontOf(bold), title), widthOf(fontOf(small), about));
  const width = Math.ceil(Math.max(drawn.width, text)) + 2 * EDGE;
  const height = Math.ceil(drawn.height) + HEAD + EDGE;
  const root = svgElement("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  const name = svgElement("title", {});
  const [ink, soft] = ["ink", "soft"].map((token) => ({
    fill: plainColor(tokenValue(token)).color,
  }));
  const heading = svgElement("text", { x: EDGE, y: 18, ...ink, ...bold });
  const line = svgElement("text", { x: EDGE, y: 35, ...soft, ...small });
  name.textContent = `${title}, ${about}`;
  heading.textContent = title;
  line.textContent = about;
  const [x, y] = [EDGE - drawn.left, HEAD - drawn.top];
  const content = svgElement("g", { transform: `translate(${x} ${y})` });
  content.append(drawn.content);
  const ground = svgElement("rect", {
    width,
    height,
    fill: plainColor(tokenValue("surface")).color,
  });
  root.append(name, ground, heading, line, content);
  return { svg: new XMLSerializer().serializeToString(root), width, height };
}

/** The picture in pixels, two for each CSS pixel. */
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
