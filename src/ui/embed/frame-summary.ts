import { playingStory, sentenceOf } from "../panels/band/playing-story.ts";
import { situationOf } from "../store/situation.ts";
import type { Frame } from "../store/types.ts";

/** Summary of a frame for an embedding page: small, and stable across versions. */
export function summaryOf(frame: Frame, liveHeight: number) {
  const { chain, player, validators, plan, chainStatus, tampered } = frame;
  const story = playingStory(frame.story);
  const beat = story?.beats[story.beat];
  const situation = situationOf(frame);
  return {
    chain_id: chain?.chainId ?? "",
    height: chain?.height ?? 0,
    /** Greater than `height` if a past height is shown. */
    live_height: liveHeight,
    time: chain?.time ?? "",
    app_hash: chain?.appHash ?? "",
    playing: Boolean(player?.playing || player?.busy),
    /** running | halted | split */
    state: situation === "halted" || situation === "split" ? situation : "running",
    /** True if a value was edited manually: no real chain can be in this state. */
    impossible: tampered.length > 0,
    because: chainStatus?.because ?? "",
    plan: plan?.name ? { name: plan.name, height: plan.height } : null,
    story:
      story && beat
        ? {
            title: story.title,
            state: story.state,
            beat: story.beat,
            beats: story.beats.length,
            sentence: sentenceOf(story, beat),
          }
        : null,
    validators: validators
      .slice(0, MOST_VALIDATORS)
      .map(({ name, power, bond, jailed, tombstoned }) => ({
        name,
        power,
        /** bonded | unbonding | unbonded | removed | jailed | tombstoned */
        state: tombstoned ? "tombstoned" : jailed ? "jailed" : bond,
      })),
  };
}

const MOST_VALIDATORS = 200;
