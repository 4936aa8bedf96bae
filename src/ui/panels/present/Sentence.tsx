import { useFrameState } from "../../store/page.ts";
import { situationOf, situationPhrase } from "../../store/situation.ts";
import { liveHeight } from "../../store/travel.ts";
import type { Story } from "../../store/types.ts";
import { count } from "../../widgets/format.ts";
import { ErrorBand } from "../band/ErrorBand.tsx";
import HaltBand from "../band/HaltBand.tsx";
import { type BandKind, mostImportant } from "../band/most-important.ts";
import { NoticeBand } from "../band/NoticeBand.tsx";
import { ENDS, messageOf, playingStory, sentenceOf } from "../band/playing-story.ts";
import SplitBand from "../band/SplitBand.tsx";
import css from "./Presenter.module.css";

/** The sentence above the view: a story's, or the chain's situation. */
export function Sentence() {
  const kind = useFrameState(mostImportant);
  const story = useFrameState(({ frame }) => playingStory(frame?.story));
  const past = useFrameState(({ travel }) => travel !== undefined);
  const playing = useFrameState(({ frame }) => frame?.player?.playing ?? false);
  if (past && kind !== "error") return <Travelled />;
  // If the chain continues after a story, its last beat no longer describes the view.
  const isLeft = story?.state === "passed" && (playing || story.acted);
  if (!story || kind === "error" || isLeft) return <Situation kind={kind} />;
  return <StorySentence story={story} />;
}

/** The shown past block, and the chain's situation then. */
function Travelled() {
  const height = useFrameState(({ frame }) => frame?.chain?.height ?? 0);
  const newest = useFrameState(liveHeight);
  const phrase = useFrameState(({ frame }) => (frame ? situationPhrase(frame) : ""));
  return (
    <>
      <h2>
        Block {count(height)}{" "}
        <span className="soft">· the past; the chain is at {count(newest)}</span>
      </h2>
      {phrase && <p className={css.state}>{phrase}</p>}
    </>
  );
}

/**
 * The sentence of a story's beat, the reason of its failure, and the chain's problem if there is
 * one.
 */
function StorySentence({ story }: { story: Story }) {
  const kind = useFrameState(({ frame }) => frame && situationOf(frame));
  const phrase = useFrameState(({ frame }) => (frame ? situationPhrase(frame) : ""));
  const beat = story.beats[story.beat];
  if (!beat) return null;
  const message = messageOf(story, beat);
  return (
    <>
      <h2 data-testid="story-line">{sentenceOf(story, beat)}</h2>
      {message && <p className={css.message}>{message}</p>}
      {story.state === "passed" && <p className={css.state}>{ENDS.passed}</p>}
      {phrase && (
        <p className={css.state} data-state={kind} data-testid="status">
          {phrase}
        </p>
      )}
    </>
  );
}

/**
 * Without a story: the problem of the page or the chain with its actions, or the chain's progress.
 */
function Situation({ kind }: { kind: BandKind }) {
  const height = useFrameState(({ frame }) => frame?.chain?.height ?? 0);
  const playing = useFrameState(({ frame }) => frame?.player?.playing || frame?.player?.busy);
  if (kind === "error") return <ErrorBand />;
  if (kind === "notice") return <NoticeBand />;
  if (kind === "split") return <SplitBand />;
  if (kind === "halt") return <HaltBand />;
  return (
    <h2>
      Block {count(height)} <span className="soft">{playing ? "· Live" : "· Paused"}</span>
    </h2>
  );
}
