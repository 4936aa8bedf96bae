import { Suspense, useLayoutEffect } from "react";
import app from "../../App.module.css";
import { useAddress } from "../../share/use-address.ts";
import { useActions, useDialog, useFrameState } from "../../store/page.ts";
import { goTo, useRoute } from "../../store/route.ts";
import type { Story } from "../../store/types.ts";
import { useView } from "../../views/use-view.ts";
import { ControlButton } from "../../widgets/ControlButton.tsx";
import { useIsPainted } from "../../widgets/use-is-painted.ts";
import { mostImportant } from "../band/most-important.ts";
import { usePageTitle } from "../band/page-title.ts";
import { playingStory } from "../band/playing-story.ts";
import { useNarration } from "../band/use-narration.ts";
import { usePlayback } from "../band/use-playback.ts";
import ActivityLines from "../drawer/ActivityLines.tsx";
import NodeLog from "../drawer/NodeLog.tsx";
import { Display } from "../frame/Display.tsx";
import Inspector from "../inspect/Inspector.tsx";
import HistoryBar from "../past/HistoryBar.tsx";
import Timeline from "../timeline/Timeline.tsx";
import css from "./Presenter.module.css";
import { Sentence } from "./Sentence.tsx";

/**
 * The page for an audience: one sentence, the view of its subject, the story's progress, and its
 * controls. The view renders in a separate task.
 */
export default function Presenter() {
  const { view, selection } = useRoute();
  const { title, Component } = useView(view);
  const known = useFrameState(({ frame }) => frame !== undefined);
  const kind = useFrameState(mostImportant);
  const story = useFrameState(({ frame }) => playingStory(frame?.story));
  const past = useFrameState(({ travel }) => travel !== undefined);
  const drawer = useDialog((state) => state.drawer);
  usePageTitle();
  useNarration();
  useAddress();
  const painted = useIsPainted();
  // Before the first layout: resizing afterwards would style and lay out everything twice.
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    dataset.presenting = "";
    return () => {
      delete dataset.presenting;
    };
  }, []);
  if (!known && kind !== "error") return null;
  const { highlight, selectionKind } = story?.beats[story.beat] ?? {};
  // The framed part is the sentence's subject; without one, the selection is.
  const detailed = (selection || selectionKind === "chain") && !highlight;
  return (
    <div className={css.presenter}>
      <header className={css.sentence}>
        <h1 className="hidden">Chainlab</h1>
        <Sentence />
      </header>
      {highlight === "timeline" && (
        <section className={css.timeline} data-part="timeline" aria-label="Timeline">
          <Timeline />
        </section>
      )}
      <div
        className={css.stage}
        data-lines={highlight === "drawer" || undefined}
        data-detailed={detailed || undefined}
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <main id="view" className={`${app.view} ${css.view}`} tabIndex={0} aria-label={title}>
          <Suspense>{known && painted && <Component />}</Suspense>
        </main>
        {detailed && (
          <aside className={css.details} aria-label="Details">
            <Inspector />
          </aside>
        )}
        {highlight === "drawer" && (
          <section className={css.lines} data-part="drawer" aria-label="What happened">
            {drawer === "node" ? (
              <NodeLog />
            ) : (
              <ActivityLines kind={drawer === "event" || drawer === "log" ? drawer : "step"} />
            )}
          </section>
        )}
      </div>
      <footer className={css.foot}>
        {story && <Progress story={story} />}
        <span className={css.space} />
        {past ? <HistoryBar /> : story ? <StoryWays story={story} /> : <ChainWays />}
        <Display />
        <button
          type="button"
          data-plain=""
          aria-label="Leave the presenter"
          onClick={() => goTo({ presenting: false })}
        >
          <kbd>Esc</kbd> Leave
        </button>
      </footer>
    </div>
  );
}

/** A mark for each beat: played, playing, pending. */
function Progress({ story }: { story: Story }) {
  const { beat, beats } = story;
  return (
    <div
      className={css.progress}
      role="progressbar"
      aria-label="Steps shown"
      aria-valuemin={0}
      aria-valuemax={beats.length}
      aria-valuenow={beat + 1}
    >
      <span className={css.marks} data-bar="">
        {beats.map(({ first }, index) => (
          <span
            key={first}
            data-told={index < beat || undefined}
            data-now={index === beat || undefined}
          />
        ))}
      </span>
      {beat + 1} of {beats.length}
    </div>
  );
}

function StoryWays({ story }: { story: Story }) {
  const { toggleAutoplay } = useActions();
  const { next, back } = usePlayback(story, true);
  const { autoplay } = story;
  return (
    <>
      <ControlButton data-plain="" disabled={!back} onClick={() => back?.()}>
        <kbd>←</kbd> Back
      </ControlButton>
      <ControlButton data-plain="" disabled={!next} onClick={() => next?.()}>
        <kbd>→</kbd> Next
      </ControlButton>
      {next && (
        <ControlButton data-plain="" aria-pressed={autoplay} onClick={toggleAutoplay}>
          <kbd>Space</kbd> Autoplay <span aria-hidden="true">{autoplay ? "on" : "off"}</span>
        </ControlButton>
      )}
    </>
  );
}

function ChainWays() {
  const { togglePlay, stepBlocks } = useActions();
  const playing = useFrameState(({ frame }) => frame?.player?.playing || frame?.player?.busy);
  return (
    <>
      <ControlButton data-plain="" onClick={() => stepBlocks(1)}>
        <kbd>→</kbd> One block
      </ControlButton>
      <ControlButton data-plain="" onClick={togglePlay}>
        <kbd>Space</kbd> {playing ? "Pause" : "Play"}
      </ControlButton>
    </>
  );
}
