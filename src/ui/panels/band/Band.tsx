import { Suspense } from "react";
import type { FrameState } from "../../store/frame-store.ts";
import { useFrameState } from "../../store/page.ts";
import { goTo, useRoute } from "../../store/route.ts";
import { sidesOf } from "../../store/situation.ts";
import { viewOf } from "../../views/views.ts";
import { lazyPart } from "../../widgets/lazy-part.tsx";
import BeginBand from "./BeginBand.tsx";
import css from "./band.module.css";
import { usePageTitle } from "./page-title.ts";
import { StoryBand } from "./StoryBand.tsx";
import { StoryProgress } from "./StoryProgress.tsx";
import { toldStory } from "./told.ts";

const HaltBand = lazyPart("Why the chain stands still", () => import("./HaltBand.tsx"));
const SplitBand = lazyPart("The split", () => import("./SplitBand.tsx"));

/** One sentence at a time about what matters most, with what can be done about it. */
export default function Band() {
  usePageTitle();
  const said = useFrameState(mostImportant);
  const { view } = useRoute();
  if (viewOf(view).name !== view) return <NoSuchView name={view} />;
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

/** An address that names no view shows the first one. */
function NoSuchView({ name }: { name: string }) {
  const first = viewOf(name);
  return (
    <div className={css.band} role="alert">
      <p className={css.say}>
        There is no view “{name}” here. This is {first.title}.
      </p>
      <div className={css.actions}>
        <button type="button" onClick={() => goTo({ view: first.name })}>
          OK
        </button>
      </div>
    </div>
  );
}

/** A chain in two parts before one that stands still; a story that is over gives way to what is so now. */
function mostImportant({ frame, split }: FrameState): "split" | "halt" | "story" | "begin" {
  const told = toldStory(frame?.story);
  if ((frame?.forks.length ?? 0) > 0) return "split";
  if (frame?.chainStatus?.state === "halted") return "halt";
  if (told?.state === "running") return "story";
  if (split || (frame && sidesOf(frame.nodes) > 1)) return "split";
  return told ? "story" : "begin";
}
