/** Font metrics, measured on a canvas. */
let ctx: CanvasRenderingContext2D | null;

function measured(font: string, text: string): TextMetrics | undefined {
  ctx ??= document.createElement("canvas").getContext("2d");
  if (ctx) ctx.font = font;
  return ctx?.measureText(text);
}

export interface Font {
  readonly "font-family": string;
  readonly "font-size": string | number;
  readonly "font-weight"?: string | number;
  readonly "font-style"?: string;
}

/** A font in canvas format. */
export const fontOf = (font: Font): string => {
  const size = font["font-size"];
  const inPixels = typeof size === "number" ? `${size}px` : size;
  return `${font["font-style"] ?? ""} ${font["font-weight"] ?? 400} ${inPixels} ${font["font-family"]}`;
};

export const widthOf = (font: string, text: string): number => measured(font, text)?.width ?? 0;

/** The part of a line's height above its baseline. */
export function ascentOf(font: string): number {
  const { fontBoundingBoxAscent: above = 4, fontBoundingBoxDescent: below = 1 } =
    measured(font, "x") ?? {};
  return above / (above + below);
}
