/** The pictures on screen, each with its save function: the palette finds them by title. */
import { type RefObject, useEffect, useRef } from "react";
import { type Page, usePage } from "../store/page.ts";
import { count } from "../widgets/format.ts";
import { saveFile } from "../widgets/save-file.ts";
import { type Drawn, framed, pngOf } from "./picture.ts";

export interface OnScreen {
  readonly title: string;
  readonly drawn: () => Drawn | undefined;
}

interface Known extends OnScreen {
  readonly isSeen: () => boolean;
}

export type PictureKind = "svg" | "png";

const known = new Set<Known>();

/** Visible pictures: a part of a view may be hidden. */
export const picturesOnScreen = (): readonly OnScreen[] =>
  [...known].filter(({ isSeen }) => isSeen());

/**
 * Registers a picture while it can be drawn; returns a function that saves it.
 * @param inside an element beside or around the picture
 */
export function useOnScreen(
  title: string,
  drawn: (() => Drawn | undefined) | undefined,
  inside: RefObject<Element | null>,
): (kind: PictureKind) => void {
  const page = usePage();
  const newest = useRef(drawn);
  useEffect(() => {
    newest.current = drawn;
  });
  const isDrawn = drawn !== undefined;
  useEffect(() => {
    if (!isDrawn) return;
    const picture: Known = {
      title,
      drawn: () => newest.current?.(),
      isSeen: () => inside.current?.parentElement?.checkVisibility() ?? false,
    };
    known.add(picture);
    return () => {
      known.delete(picture);
    };
  }, [title, isDrawn, inside]);
  return (kind) => savePicture(page, { title, drawn: () => drawn?.() }, kind);
}

/** Saves a picture as it is on screen. */
export function savePicture(
  { frames, actions }: Page,
  { title, drawn }: OnScreen,
  kind: PictureKind,
): void {
  const found = drawn();
  if (found === undefined) return;
  const { chain, tampered = [] } = frames.getState().frame ?? {};
  const { chainId = "", height = 0 } = chain ?? {};
  const about = [
    `${chainId}, block ${count(height)}`,
    ...(tampered.length > 0 ? ["impossible: a value was changed by hand"] : []),
  ].join(" · ");
  const picture = framed(found, title, about);
  const name = `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}-${height}.${kind}`;
  if (kind === "svg") {
    saveFile(name, picture.svg, "image/svg+xml");
    return;
  }
  pngOf(picture).then(
    (blob) => saveFile(name, blob, "image/png"),
    (error: Error) => actions.notify(`The picture could not be made: ${error.message}`, "error"),
  );
}
