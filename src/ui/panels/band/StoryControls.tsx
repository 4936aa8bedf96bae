import { useActions, useDialog, usePage } from "../../store/page.ts";
import { goTo } from "../../store/route.ts";
import type { Story } from "../../store/types.ts";
import { Icon } from "../../widgets/Icon.tsx";
import { SteerButton } from "../../widgets/SteerButton.tsx";
import css from "./StoryControls.module.css";
import { useTelling } from "./use-telling.ts";

/** The previous beat, a repetition, the next beat; switches for automatic playing and following. */
export function StoryControls({ story }: { story: Story }) {
  const { goToBeat, stopSteps, toggleAutoplay, openDialog } = useActions();
  const page = usePage();
  const follows = useDialog((state) => state.follows);
  const { next, back } = useTelling(story, follows, true);
  const { beat, beats, autoplay, state } = story;
  const running = state === "running";
  const last = beats.length - 1;
  return (
    <fieldset className={css.controls}>
      <legend className="hidden">Story controls</legend>
      <SteerButton disabled={back === undefined} onClick={() => back?.()} title="Previous step (←)">
        Back
      </SteerButton>
      <SteerButton onClick={() => goToBeat(beat, false)} title="Repeat this step">
        Again
      </SteerButton>
      {next && (
        <SteerButton data-primary="" onClick={next} title="Next step (→)">
          Next
        </SteerButton>
      )}
      {running && (
        <SteerButton
          aria-pressed={autoplay}
          onClick={toggleAutoplay}
          title="Plays by itself (Space)"
        >
          <Icon name={autoplay ? "pause" : "play"} size={14} />
          Autoplay{" "}
          <span aria-hidden="true" className={css.roomy}>
            {autoplay ? "on" : "off"}
          </span>
        </SteerButton>
      )}
      {running && (
        <SteerButton onClick={() => goToBeat(last, true)} title="Run all steps at once">
          <Icon name="leap" size={14} />
          <span className={css.roomy}>Skip to end</span>
        </SteerButton>
      )}
      <SteerButton onClick={stopSteps} title="Exit the story and keep its chain to play on">
        Leave
      </SteerButton>
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
