import { Suspense } from "react";
import { useNotices } from "../../store/page.ts";
import { lazyPart } from "../../widgets/lazy-part.tsx";

const NoticeCards = lazyPart("", () => import("./NoticeCards.tsx"));

/** Short sentences about what just happened; the same sentences are spoken to screen readers. */
export function Notices() {
  const any = useNotices(({ shown, offer }) => offer || shown.length > 0);
  const spoken = useNotices((notices) => notices.spoken);
  return (
    <>
      <p className="hidden" aria-live="polite">
        {spoken}
      </p>
      <Suspense>{any && <NoticeCards />}</Suspense>
    </>
  );
}
