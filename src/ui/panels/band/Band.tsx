import { Suspense } from "react";
import type { FrameState } from "../../store/frame-store.ts";
import { useFrameState } from "../../store/page.ts";
import { lazyPart } from "../../widgets/lazy-part.tsx";
import BeginBand from "./BeginBand.tsx";
import { StoryBand } from "./StoryBand.tsx";
import { StoryProgress } from "./StoryProgress.tsx";

const HaltBand = lazyPart("Why the chain stands still", () => import("./HaltBand.tsx"));
const SplitBand = lazyPart("The split", () => import("./SplitBand.tsx"));

/** One sentence at a time about what matters most, with what can be done about it. */
export default function Band() {
  const said = useFrameState(mostImportant);
  return (
    <>
      {said !== "begin" && said !== "story" && <StoryProgress brief />}
      <Suspense>
        {said === "split" && <SplitBand />}
        {said === "halt" && <HaltBand />}
      </Suspense>
      {said === "story" && <StoryBand />}
      {said === "begin" && <BeginBand />}
    </>
  );
}

/** A chain in two parts before one that stands still; a story that is over gives way to both. */
function mostImportant({ frame, split }: FrameState): "split" | "halt" | "story" | "begin" {
  const story = frame?.story;
  const told = story !== undefined && story.state !== "none" && story.steps.length > 0;
  if ((frame?.forks.length ?? 0) > 0) return "split";
  if (frame?.chainStatus?.state === "halted") return "halt";
  if (told && story.state === "running") return "story";
  if (split) return "split";
  return told ? "story" : "begin";
}
