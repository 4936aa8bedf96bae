import { type KeyboardEvent, useRef, useState } from "react";
import { drawnElement } from "./drawn.ts";
import { type Draw, type PictureKind, useOnScreen } from "./on-screen.ts";
import type { Drawn } from "./picture.ts";
import css from "./SavePicture.module.css";

interface SavePictureProps {
  title: string;
  /** Draws the picture; by default the element that contains the corner, or that precedes it. */
  drawn?: Draw;
  after?: boolean;
  /** Position of the corner; the top by default. */
  at?: "bottom" | "above";
  /** True to omit it on devices without hover: the palette has the action. */
  hovered?: boolean;
}

const KINDS: readonly PictureKind[] = ["svg", "png"];

/**
 * The corner that saves a picture. It is visible while the pointer is over the picture, or the
 * focus is in it.
 */
export default function SavePicture({ title, drawn, after, at, hovered }: SavePictureProps) {
  const corner = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const asItStands = (): Drawn | undefined => {
    const { parentElement, previousElementSibling } = corner.current ?? {};
    const element = after ? previousElementSibling : parentElement;
    return element ? drawnElement(element) : undefined;
  };
  const save = useOnScreen(title, drawn ?? asItStands, corner);
  const close = (): void => {
    corner.current?.querySelector("button")?.focus();
    setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !open) return;
    // It closes this, not the selection.
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what it contains has the focus
    <div
      ref={corner}
      className={css.corner}
      data-control=""
      data-at={at}
      data-open={open || undefined}
      data-hovered={hovered || undefined}
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <button
        type="button"
        aria-expanded={open}
        aria-label={`Save as a picture: ${title}`}
        title="Save as a picture"
        onClick={() => setOpen(!open)}
      >
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <path d="M8 2v8m-3.5-3L8 10.5 11.5 7M3 13.5h10" />
        </svg>
      </button>
      {open &&
        KINDS.map((kind) => (
          <button
            key={kind}
            type="button"
            aria-label={`${title} as ${kind.toUpperCase()}`}
            onClick={() => {
              save(kind);
              close();
            }}
          >
            {kind.toUpperCase()}
          </button>
        ))}
    </div>
  );
}
