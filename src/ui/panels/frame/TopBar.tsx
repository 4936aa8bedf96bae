import { Suspense, useDeferredValue } from "react";
import { useFrameState, useIsAnswered } from "../../store/page.ts";
import { isDecided, situationOf, situationPhrase } from "../../store/situation.ts";
import { count, dayClock, percent } from "../../widgets/format.ts";
import { Icon, type IconName } from "../../widgets/Icon.tsx";
import { lazyPart } from "../../widgets/lazy-part.tsx";
import { Transport } from "../timeline/Transport.tsx";
import css from "./TopBar.module.css";

const World = lazyPart("", () => import("./World.tsx"));
const PastBar = lazyPart("", () => import("../past/HistoryBar.tsx"));
const Corner = lazyPart("", () => import("./Corner.tsx"));

const ICONS: Readonly<Record<string, IconName>> = { live: "disc", paused: "pause", split: "twice" };

export function TopBar() {
  const isSaved = useFrameState(({ frame }) => frame?.player?.kept !== undefined);
  const answered = useIsAnswered();
  // Rendered in slices, after the result of a key press is on screen.
  const past = useDeferredValue(useFrameState(({ travel }) => travel !== undefined));
  return (
    <header className={css.bar}>
      <h1 className={css.brand}>Chainlab</h1>
      <Suspense>{isSaved && <World />}</Suspense>
      <Position />
      {past ? (
        <Suspense>
          <PastBar />
        </Suspense>
      ) : (
        <>
          <Status />
          <span className={css.space} />
          <Transport />
        </>
      )}
      <Suspense fallback={<Room />}>{answered ? <Corner /> : <Room />}</Suspense>
    </header>
  );
}

/** Placeholder of the corner while it loads. */
const Room = () => <span className={css.corner} />;

/** The chain's id, height, round and clock. */
function Position() {
  const id = useFrameState(({ frame }) => frame?.chain?.chainId ?? "");
  const height = useFrameState(({ frame }) => frame?.chain?.height ?? 0);
  // A decided block has no pending round.
  const round = useFrameState(
    ({ frame }) => (frame && !isDecided(frame) && frame.chain?.round) || 0,
  );
  const time = useFrameState(({ frame }) => frame?.chain?.clock ?? "");
  const genesis = useFrameState(({ frame }) => frame?.chain?.genesisTime ?? "");
  return (
    <dl className={css.place}>
      <div className={css.wide}>
        <dt className="hidden">chain</dt>
        <dd>{id}</dd>
      </div>
      <div>
        <dt>height</dt>
        <dd data-testid="height">{count(height)}</dd>
      </div>
      {round > 0 && (
        <div className={css.round}>
          <dt>round</dt>
          <dd>{count(round)}</dd>
        </div>
      )}
      <div className={css.wide}>
        <dt className={css.clock}>clock</dt>
        <dd className={css.time} title={`The simulated clock (UTC): ${time}`}>
          {dayClock(time, genesis)}
        </dd>
      </div>
    </dl>
  );
}

/** A pill with the chain's state and problem. */
function Status() {
  const restoring = useFrameState(({ frame }) => frame?.player?.restoring ?? 0);
  const kind = useFrameState(({ frame }) => frame && situationOf(frame));
  const phrase = useFrameState(({ frame }) => (frame ? situationPhrase(frame) : ""));
  const playing = useFrameState(({ frame }) => frame?.player?.playing || frame?.player?.busy);
  const waits = useFrameState(({ frame }) => frame?.player?.formOpen ?? false);
  const [state, label] =
    kind === undefined
      ? ["paused", "Starting"]
      : restoring > 0 && restoring < 1
        ? ["paused", `Restoring your chain · ${percent(restoring, 1)}`]
        : kind === "halted" || kind === "split"
          ? [kind, phrase]
          : [
              playing && !waits ? "live" : "paused",
              [!playing ? "Paused" : waits ? "Waits for a form" : "Live", phrase]
                .filter(Boolean)
                .join(" · "),
            ];
  return (
    <span className={css.pill} data-state={state} data-testid="status">
      <Icon name={ICONS[state] ?? "stop"} size={14} />
      {label}
    </span>
  );
}
