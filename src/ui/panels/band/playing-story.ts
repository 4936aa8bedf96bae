import type { FrameState } from "../../store/frame-store.ts";
import type { Beat, Story, StoryStep } from "../../store/types.ts";
import { plural } from "../../widgets/format.ts";

/** The story if one is playing, or has finished. */
export const playingStory = (story: Story | undefined): Story | undefined =>
  story !== undefined && story.state !== "none" && story.beats.length > 0 ? story : undefined;

/** Final message of a story, by its state. */
export const ENDS: Readonly<Record<string, string>> = {
  passed: "Done. All checks passed.",
  failed: "Stopped: a step or check failed.",
};

/** True while a story is running: then continuing it is the primary action. */
export const isStoryRunning = ({ frame, travel }: FrameState): boolean =>
  !travel && playingStory(frame?.story)?.state === "running";

const stepsOf = ({ steps }: Story, { first, end }: Beat): readonly StoryStep[] =>
  steps.slice(first, end);

/** Matches text that starts with a name, such as val-2, whose case is not changed. */
const NAME = /^[a-z]+[-_.\d]/;

/** Returns a beat's sentence, or a summary of its steps and the number of its checks. */
export function sentenceOf(story: Story, beat: Beat): string {
  if (beat.sentence) return beat.sentence;
  const steps = stepsOf(story, beat);
  const done = steps.flatMap(({ does }) => does || []);
  const checks = steps.length - done.length;
  const text = [...done, ...(checks > 0 ? [plural(checks, "check")] : [])].join(", then ");
  return text && `${NAME.test(text) ? text : `${text[0]?.toUpperCase()}${text.slice(1)}`}.`;
}

/** Reason why a beat failed; otherwise empty. */
export const messageOf = (story: Story, beat: Beat): string =>
  stepsOf(story, beat).find(({ state }) => state === "failed")?.message ?? "";

/** The completed checks of a beat. */
export const checksOf = (story: Story, beat: Beat): readonly StoryStep[] =>
  stepsOf(story, beat).filter(
    ({ verb, state }) => verb === "expect" && (state === "ok" || state === "failed"),
  );
