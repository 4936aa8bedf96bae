import { Context } from "svgcanvas";
import type { Drawn } from "../../pictures/picture.ts";
import type { TimelinePicture } from "./timeline-layout.ts";
import { marksIn, placeMarks } from "./timeline-marks.ts";
import { fontOf, HIGH, paintTimeline } from "./timeline-paint.ts";

/** The timeline, repainted as a vector drawing. */
export function timelineVector(picture: TimelinePicture, color: (token: string) => string): Drawn {
  const { span, width } = picture;
  const ctx = new Context({ width, height: HIGH });
  ctx.font = fontOf(color);
  const measure = (text: string): number => ctx.measureText(text).width;
  const shown = { ...picture, pointed: undefined };
  paintTimeline(ctx, shown, placeMarks(marksIn(shown), span, width, measure), color);
  const content = ctx.getSvg();
  // The library writes unknown attributes.
  for (const text of content.querySelectorAll("[text-decoration=undefined]"))
    text.removeAttribute("text-decoration");
  return { content, left: 0, top: 0, width, height: HIGH };
}
