import { useEffect } from "react";
import { dismiss, type Notice, useNotices } from "../../store/notices.ts";
import { Icon } from "../../widgets/Icon.tsx";
import css from "./NoticeCards.module.css";

const SHOWN_MS = 8000;

export default function NoticeCards() {
  const shown = useNotices((notices) => notices.shown);
  return (
    <section className={css.notices} aria-label="Notices">
      <ul>
        {shown.map((notice) => (
          <Card key={notice.id} notice={notice} />
        ))}
      </ul>
    </section>
  );
}

function Card({ notice: { id, text, tone } }: { notice: Notice }) {
  useEffect(() => {
    if (tone !== "info") return;
    const timer = setTimeout(() => dismiss(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, tone]);
  return (
    <li className={css.notice} data-tone={tone}>
      <span role={tone === "error" ? "alert" : undefined}>{text}</span>
      <button type="button" data-plain="" aria-label="Dismiss" onClick={() => dismiss(id)}>
        <Icon name="close" size={14} />
      </button>
    </li>
  );
}
