import { useActions, useDialog, usePage } from "../../store/page.ts";
import { goTo } from "../../store/route.ts";
import type { Story } from "../../store/types.ts";
import { ControlButton } from "../../widgets/ControlButton.tsx";
import { Icon } from "../../widgets/Icon.tsx";
import css from "./StoryControls.module.css";
import { usePlayback } from "./use-playback.ts";

/** The previous beat, a repetition, the next beat; switches for automatic playing and following. */
export function StoryControls({ story }: { story: Story }) {
  const { goToBeat, stopSteps, toggleAutoplay, openDialog } = useActions();
  const page = usePage();
  const follows = useDialog((state) => state.follows);
  const { next, back } = usePlayback(story, follows, true);
  const { beat, beats, autoplay, state } = story;
  const running = state === "running";
  const last = beats.length - 1;
  return (
    <fieldset className={css.controls}>
      <legend className="hidden">Story controls</legend>
      <ControlButton
        disabled={back === undefined}
        onClick={() => back?.()}
        title="Previous step (←)"
      >
        Back
      </ControlButton>
      <ControlButton onClick={() => goToBeat(beat, false)} title="Repeat this step">
        Again
      </ControlButton>
      {next && (
        <ControlButton data-primary="" onClick={next} title="Next step (→)">
          Next
        </ControlButton>
      )}
      {running && (
        <ControlButton
          aria-pressed={autoplay}
          onClick={toggleAutoplay}
          title="Plays by itself (Space)"
        >
          <Icon name={autoplay ? "pause" : "play"} size={14} />
          Autoplay{" "}
          <span aria-hidden="true" className={css.roomy}>
            {autoplay ? "on" : "off"}
          </span>
        </ControlButton>
      )}
      {running && (
        <ControlButton onClick={() => goToBeat(last, true)} title="Run all steps at once">
          <Icon name="leap" size={14} />
          <span className={css.roomy}>Skip to end</span>
        </ControlButton>
      )}
      <ControlButton onClick={stopSteps} title="Exit the story and keep its chain to play on">
        Leave
      </ControlButton>
      <button type="button" onClick={() => openDialog("stories")} title="All stories (S)">
        <Icon name="book" size={14} />
        <span className={css.roomy}>All stories…</span>
      </button>
      <button
        type="button"
        onClick={() => goTo({ presenting: true })}
        title="Only the sentence and the view, large (P)"
      >
        Present
      </button>
      {beats.some(({ view }) => view) && (
        <label className={css.follow}>
          <input
            type="checkbox"
            checked={follows}
            onChange={({ target }) => page.dialog.setState({ follows: target.checked })}
          />
          Follow the story
        </label>
      )}
    </fieldset>
  );
}
