import { Suspense, useDeferredValue, useEffect } from "react";
import { SHARED } from "../../share/link.ts";
import { useAddress } from "../../share/use-address.ts";
import { useFrameState } from "../../store/page.ts";
import { useRoute } from "../../store/route.ts";
import { DOCUMENTS } from "../../views/close-document.ts";
import { viewOf } from "../../views/views.ts";
import { lazyPart } from "../../widgets/lazy-part.tsx";
import { HistoryBand } from "../past/HistoryBand.tsx";
import BeginBand from "./BeginBand.tsx";
import { ErrorBand, NoSuchView } from "./ErrorBand.tsx";
import { mostImportant } from "./most-important.ts";
import { NoticeBand } from "./NoticeBand.tsx";
import { usePageTitle } from "./page-title.ts";
import { StoryBand } from "./StoryBand.tsx";
import { StoryProgress } from "./StoryProgress.tsx";
import { useNarration } from "./use-narration.ts";

const HaltBand = lazyPart("Why the chain stands still", () => import("./HaltBand.tsx"));
const ImpossibleBand = lazyPart("Manual edits", () => import("./ImpossibleBand.tsx"));
const SplitBand = lazyPart("The split", () => import("./SplitBand.tsx"));

/** One sentence about the most important situation, with its actions. */
export default function Band() {
  usePageTitle();
  useNarration();
  useAddress();
  const { view, unread } = useRoute();
  const known = useFrameState(mostImportant);
  // The address of shared content names no view: the content is shown.
  const document = DOCUMENTS.find((name) => name === view && viewOf(view).name !== view);
  useEffect(() => {
    if (document === undefined) return;
    void import("../../views/documents.ts").then(({ showAddressed }) => showAddressed(document));
  }, [document]);
  const isView = viewOf(view).name === view;
  const noView =
    (isView ? unread !== undefined : document === undefined && view !== SHARED) &&
    known !== "error";
  // Rendered in slices, after the result of a key press is on screen.
  const past = useDeferredValue(useFrameState(({ travel }) => travel !== undefined));
  const kind = noView ? "view" : known;
  const impossible = useFrameState(({ frame }) => Boolean(frame?.tampered[0])) && (
    <Suspense>
      <ImpossibleBand />
    </Suspense>
  );
  if (past && kind !== "error") {
    // In the past, explain the situation at that height; live stories and notices wait.
    return (
      <>
        <HistoryBand />
        {impossible}
        <Suspense>
          {kind === "split" && <SplitBand />}
          {kind === "halt" && <HaltBand />}
        </Suspense>
      </>
    );
  }
  return (
    <>
      {impossible}
      {kind !== "begin" && kind !== "story" && <StoryProgress brief />}
      {kind === "error" && <ErrorBand />}
      {kind === "view" && <NoSuchView name={view} unread={unread} />}
      {kind === "notice" && <NoticeBand />}
      <Suspense>
        {kind === "split" && <SplitBand />}
        {kind === "halt" && <HaltBand />}
      </Suspense>
      {kind === "story" && <StoryBand />}
      {kind === "begin" && <BeginBand />}
    </>
  );
}
