import { useEffect } from "react";
import { useActions, useDialog, usePage } from "../../store/page.ts";
import { goTo, KINDS } from "../../store/route.ts";
import type { Beat, Story } from "../../store/types.ts";
import { SteerButton } from "../../widgets/SteerButton.tsx";
import css from "./StoryControls.module.css";

/** The keys of the story, which go before those of the page: not while a person types or moves something. */
const OWN_ARROWS =
  "input, textarea, select, [contenteditable], [role=slider], dialog, [role=application]";

const TABS: Readonly<Record<string, "step" | "event" | "log" | "node">> = {
  why: "step",
  events: "event",
  logs: "log",
  node_log: "node",
};

/** The beat before, this one again, the next one; whether it tells itself, and whether the page follows. */
export function StoryControls({ story }: { story: Story }) {
  const { goToBeat, stopSteps, togglePlay } = useActions();
  const page = usePage();
  const follows = useDialog((state) => state.follows);
  const { beat, beats, autoplay, state } = story;
  const running = state === "running";
  const last = beats.length - 1;
  const next = () => goToBeat(Math.min(beat + 1, last), beat === last);
  const back = () => goToBeat(beat - 1, true);
  useFollowing(story, follows);
  useArrows(running ? next : undefined, beat > 0 ? back : undefined);
  return (
    <fieldset className={css.controls}>
      <legend className="hidden">Tell the story</legend>
      <SteerButton disabled={beat === 0} onClick={back} title="Back to the beat before (←)">
        Back
      </SteerButton>
      <SteerButton onClick={() => goToBeat(beat, false)} title="Tell this beat again">
        Again
      </SteerButton>
      {running && (
        <SteerButton data-primary="" onClick={next} title="Next beat (→)">
          Next
        </SteerButton>
      )}
      {running && (
        <SteerButton aria-pressed={autoplay} onClick={togglePlay} title="It tells itself (Space)">
          Autoplay
        </SteerButton>
      )}
      {running && (
        <SteerButton onClick={() => goToBeat(last, true)} title="All of it at once">
          To the end
        </SteerButton>
      )}
      <SteerButton onClick={stopSteps} title="Leave the story: its chain is yours to play on">
        Leave
      </SteerButton>
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

/** Shows what the beat is about: its view, what is selected, the drawer's tab and the part that is framed. */
function useFollowing(story: Story, follows: boolean): void {
  const { dialog } = usePage();
  const beat: Beat | undefined = follows ? story.beats[story.beat] : undefined;
  const { view = "", drawer = "", highlight = "", selectionId: id = "" } = beat ?? {};
  const kind = KINDS.find((one) => one === beat?.selectionKind);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each beat shows again what it is about
  useEffect(() => {
    if (view) goTo({ view, ...(kind && id ? { selection: { kind, id } } : {}) });
    const tab = TABS[drawer];
    if (tab) dialog.setState({ drawer: tab });
  }, [story.beat, view, kind, id, drawer, dialog]);
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (highlight) dataset.highlight = highlight;
    return () => {
      delete dataset.highlight;
    };
  }, [highlight]);
}

function useArrows(next: (() => unknown) | undefined, back: (() => unknown) | undefined): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const act = { ArrowRight: next, ArrowLeft: back }[event.key];
      if (!act || document.querySelector("dialog[open]")) return;
      if ((event.target as Element).closest(OWN_ARROWS)) return;
      event.preventDefault();
      void act();
    };
    addEventListener("keydown", press, { capture: true });
    return () => removeEventListener("keydown", press, { capture: true });
  }, [next, back]);
}
