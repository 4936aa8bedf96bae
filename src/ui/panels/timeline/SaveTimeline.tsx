import type { RefObject } from "react";
import type { Drawn } from "../../pictures/picture.ts";
import SavePicture from "../../pictures/SavePicture.tsx";
import type { TimelinePicture } from "./timeline-layout.ts";

interface SaveTimelineProps {
  /** Its last painted state. */
  painted: RefObject<TimelinePicture | undefined>;
  color: (token: string) => string;
}

/** The timeline's corner, which saves the visible blocks. */
export default function SaveTimeline({ painted, color }: SaveTimelineProps) {
  const drawn = async (): Promise<Drawn | undefined> => {
    const picture = painted.current;
    if (picture === undefined) return undefined;
    return (await import("./timeline-vector.ts")).timelineVector(picture, color);
  };
  return <SavePicture title="Timeline" drawn={drawn} hovered />;
}
