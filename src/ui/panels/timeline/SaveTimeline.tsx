import type { RefObject } from "react";
import type { Drawn } from "../../pictures/picture.ts";
import SavePicture from "../../pictures/SavePicture.tsx";
import type { TimelinePicture } from "./timeline-layout.ts";
import { marksIn, placeMarks } from "./timeline-marks.ts";
import { fontOf, HIGH, paintTimeline } from "./timeline-paint.ts";

interface SaveTimelineProps {
  /** Its last painted state. */
  painted: RefObject<TimelinePicture | undefined>;
  color: (token: string) => string;
}

/** The timeline's corner, which saves the visible blocks, repainted as a vector drawing. */
export default function SaveTimeline({ painted, color }: SaveTimelineProps) {
  const drawn = async (): Promise<Drawn | undefined> => {
    const picture = painted.current;
    if (picture === undefined) return undefined;
    const { Context } = await import("svgcanvas");
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
  };
  return <SavePicture title="Timeline" drawn={drawn} hovered />;
}
