/** The pictures on screen, each with its save function: the palette finds them by title. */
import { type RefObject, useEffect, useRef } from "react";
import { errorText } from "../../base/error-text.ts";
import { type Page, usePage } from "../store/page.ts";
import { count } from "../widgets/format.ts";
import { saveFile } from "../widgets/save-file.ts";
import { type Drawn, framed, pngOf } from "./picture.ts";

/** Draws a picture; it may first load what it needs. */
export type Draw = () => Drawn | undefined | Promise<Drawn | undefined>;

export interface OnScreen {
  readonly title: string;
  readonly drawn: Draw;
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
  drawn: Draw | undefined,
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
  return (kind) => void savePicture(page, { title, drawn: () => drawn?.() }, kind);
}

/** Saves a picture as it is on screen. */
export async function savePicture(
  { frames, actions }: Page,
  { title, drawn }: OnScreen,
  kind: PictureKind,
): Promise<void> {
  const { chain, tampered = [] } = frames.getState().frame ?? {};
  const { chainId = "", height = 0 } = chain ?? {};
  const about = [
    `${chainId}, block ${count(height)}`,
    ...(tampered.length > 0 ? ["impossible: a value was changed by hand"] : []),
  ].join(" · ");
  const name = `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}-${height}.${kind}`;
  try {
    const found = await drawn();
    if (found === undefined) return;
    const picture = framed(found, title, about);
    if (kind === "svg") saveFile(name, picture.svg, "image/svg+xml");
    else saveFile(name, await pngOf(picture), "image/png");
  } catch (error) {
    actions.notify(`The picture could not be made: ${errorText(error)}`, "error");
  }
}
