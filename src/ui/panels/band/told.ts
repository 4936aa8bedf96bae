import type { Beat, Story, StoryStep } from "../../store/types.ts";

/** The story if one is told, or was told to its end. */
export const toldStory = (story: Story | undefined): Story | undefined =>
  story !== undefined && story.state !== "none" && story.beats.length > 0 ? story : undefined;

const stepsOf = ({ steps }: Story, { first, end }: Beat): readonly StoryStep[] =>
  steps.slice(first, end);

/** What is said of a beat: its sentence, or what it does if it has none. */
export const sentenceOf = ({ sentence, does }: Beat): string => sentence || does;

/** Why a beat failed; empty unless it did. */
export const messageOf = (story: Story, beat: Beat): string =>
  stepsOf(story, beat).find(({ state }) => state === "failed")?.message ?? "";

/** The checks of a beat that were made. */
export const checksOf = (story: Story, beat: Beat): readonly StoryStep[] =>
  stepsOf(story, beat).filter(
    ({ verb, state }) => verb === "expect" && (state === "ok" || state === "failed"),
  );
