import { useEffect } from "react";
import type { Notice } from "../../store/notices.ts";
import { useActions, useNotices } from "../../store/page.ts";
import { Icon } from "../../widgets/Icon.tsx";
import css from "./NoticeCards.module.css";

const SHOWN_MS = 5000;

export default function NoticeCards() {
  const shown = useNotices((notices) => notices.shown);
  const offer = useNotices((notices) => notices.offer);
  return (
    <section className={css.notices} aria-label="Notices">
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

function Card({ notice: { id, text, tone } }: { notice: Notice }) {
  const { dismiss } = useActions();
  useEffect(() => {
    if (tone !== "info") return;
    const timer = setTimeout(() => dismiss(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [dismiss, id, tone]);
  return (
    <li className={css.notice} data-tone={tone}>
      <span role={tone === "error" ? "alert" : undefined}>{text}</span>
      <button type="button" data-plain="" aria-label="Dismiss" onClick={() => dismiss(id)}>
        <Icon name="close" size={14} />
      </button>
    </li>
  );
}
