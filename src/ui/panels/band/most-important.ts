import type { FrameState } from "../../store/frame-store.ts";
import { sidesOf } from "../../store/situation.ts";
import { hasBadNotice } from "./NoticeBand.tsx";
import { playingStory } from "./playing-story.ts";

export type BandKind = "error" | "notice" | "split" | "halt" | "story" | "begin";

/**
 * Order: errors of the page and of its storage, a split chain, a halted chain, then a running
 * story. A finished story is replaced by the current situation.
 */
export function mostImportant({ frame, split, lost, problem, travel }: FrameState): BandKind {
  if (lost !== undefined || problem !== undefined) return "error";
  if (frame === undefined) return "begin";
  const { player, story, forks, chainStatus, nodes } = frame;
  const playing = playingStory(story);
  if (!travel && (player?.note || hasBadNotice(frame))) return "notice";
  if (forks.length > 0) return "split";
  if (chainStatus?.state === "halted") return "halt";
  if (playing?.state === "running") return "story";
  if (split || sidesOf(nodes) > 1) return "split";
  if (player?.kept?.role === "watching" || (player?.notices.length ?? 0) > 0) return "notice";
  return playing ? "story" : "begin";
}
