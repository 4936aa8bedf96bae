import { useEffect, useState } from "react";
import type { Notice } from "../../store/notices.ts";
import { useActions, useNotices, usePage } from "../../store/page.ts";
import { forgetUntrue } from "../../store/untrue-notices.ts";
import { Icon } from "../../widgets/Icon.tsx";
import { publishHeight } from "../../widgets/publish-height.ts";
import { WhyButton } from "../../widgets/WhyButton.tsx";
import css from "./NoticeCards.module.css";

const SHOWN_MS = 5000;
/** Long enough for a decision. */
const UNDO_MS = 15_000;

/**
 * Reserves space for elements above them at the bottom of a small screen, and for scrolling below
 * them otherwise.
 */
const room = publishHeight("--notices");

export default function NoticeCards() {
  const shown = useNotices((notices) => notices.shown);
  const offer = useNotices((notices) => notices.offer);
  const { frames, notices } = usePage();
  useEffect(
    () =>
      frames.subscribe(({ frame, travel }, before) => {
        // A past height is unrelated to current actions.
        if (frame && frame !== before.frame && !travel) forgetUntrue(notices, before.frame, frame);
      }),
    [frames, notices],
  );
  return (
    <section ref={room} className={css.notices} aria-label="Notices">
      <ul>
        {offer && (
          <li className={css.notice} data-tone="offer">
            <span>{offer.text}</span>
            <button type="button" onClick={offer.take}>
              {offer.label}
            </button>
          </li>
        )}
        {shown.map((notice) => (
          <Card key={notice.id} notice={notice} />
        ))}
      </ul>
    </section>
  );
}

function Card({ notice: { id, text, tone, undo, tx } }: { notice: Notice }) {
  const { dismiss, notify } = useActions();
  // It stays while the pointer or the focus is on it.
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const held = pointed || focused;
  useEffect(() => {
    if (tone !== "info" || held) return;
    const timer = setTimeout(() => dismiss(id), undo ? UNDO_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [dismiss, held, id, tone, undo]);
  const takeBack = async (): Promise<void> => {
    try {
      await undo?.take();
      dismiss(id);
    } catch (error) {
      notify((error as Error).message, "error");
    }
  };
  return (
    <li
      className={css.notice}
      data-tone={tone}
      data-undo={undo && ""}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <span role={tone === "error" ? "alert" : undefined}>{text}</span>
      {tx && <WhyButton kind="tx" id={tx} of="it was refused" inline />}
      {undo && (
        <button type="button" onClick={takeBack}>
          Undo {undo.byKey && <kbd>Z</kbd>}
        </button>
      )}
      <button type="button" data-plain="" aria-label="Dismiss" onClick={() => dismiss(id)}>
        <Icon name="close" size={14} />
      </button>
    </li>
  );
}
