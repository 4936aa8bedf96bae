import { Suspense } from "react";
import type { FrameState } from "../../store/frame-store.ts";
import { useFrameState } from "../../store/page.ts";
import { useRoute } from "../../store/route.ts";
import { sidesOf } from "../../store/situation.ts";
import { viewOf } from "../../views/views.ts";
import { lazyPart } from "../../widgets/lazy-part.tsx";
import BeginBand from "./BeginBand.tsx";
import { ErrorBand, NoSuchView } from "./ErrorBand.tsx";
import { hasBadNotice, NoticeBand } from "./NoticeBand.tsx";
import { usePageTitle } from "./page-title.ts";
import { StoryBand } from "./StoryBand.tsx";
import { StoryProgress } from "./StoryProgress.tsx";
import { toldStory } from "./told.ts";
import { useNarration } from "./use-narration.ts";

const HaltBand = lazyPart("Why the chain stands still", () => import("./HaltBand.tsx"));
const SplitBand = lazyPart("The split", () => import("./SplitBand.tsx"));

/** One sentence at a time about what matters most, with what can be done about it. */
export default function Band() {
  usePageTitle();
  useNarration();
  const { view } = useRoute();
  const known = useFrameState(mostImportant);
  const noView = viewOf(view).name !== view && known !== "error";
  const said = noView ? "view" : known;
  return (
    <>
      {said !== "begin" && said !== "story" && <StoryProgress brief />}
      {said === "error" && <ErrorBand />}
      {said === "view" && <NoSuchView name={view} />}
      {said === "notice" && <NoticeBand />}
      <Suspense>
        {said === "split" && <SplitBand />}
        {said === "halt" && <HaltBand />}
      </Suspense>
      {said === "story" && <StoryBand />}
      {said === "begin" && <BeginBand />}
    </>
  );
}

type Said = "error" | "notice" | "split" | "halt" | "story" | "begin";

/**
 * What is wrong with the page or with what it keeps, then a chain in two parts, then one that stands still, then
 * a story; one that is over gives way to what is so now.
 */
function mostImportant({ frame, split, lost, problem }: FrameState): Said {
  if (lost !== undefined || problem !== undefined) return "error";
  if (frame === undefined) return "begin";
  const { player, story, forks, chainStatus, nodes } = frame;
  const told = toldStory(story);
  if (player?.note || hasBadNotice(frame)) return "notice";
  if (forks.length > 0) return "split";
  if (chainStatus?.state === "halted") return "halt";
  if (told?.state === "running") return "story";
  if (split || sidesOf(nodes) > 1) return "split";
  if (player?.kept?.role === "watching" || (player?.notices.length ?? 0) > 0) return "notice";
  return told ? "story" : "begin";
}
