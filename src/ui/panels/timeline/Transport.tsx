import { WATCHED } from "../../store/notices.ts";
import { useActions, useFrameState } from "../../store/page.ts";
import { ControlButton, useWatching } from "../../widgets/ControlButton.tsx";
import { count } from "../../widgets/format.ts";
import { Icon } from "../../widgets/Icon.tsx";
import css from "./Transport.module.css";

const SPEEDS = [1, 2, 5, 10, 50, 200] as const;

/**
 * Play, single blocks, speed; for a node's chain that this page only watches, who controls it
 * instead.
 */
export function Transport() {
  const watched = useFrameState(({ frame }) => frame?.player?.attached?.steers === false);
  return watched ? <Steering /> : <Controls />;
}

function Steering() {
  const steering = useFrameState(({ frame }) => frame?.player?.attached?.steering ?? 0);
  const watching = useFrameState(({ frame }) => frame?.player?.attached?.watching ?? 0);
  const speed = useFrameState(({ frame }) => frame?.player?.speed ?? 1);
  return (
    <p className={css.steering} data-testid="steering">
      {steering} in control · {watching} watching ·{" "}
      {speed > 0 ? blocksPerSecond(speed) : "full speed"}
    </p>
  );
}

const blocksPerSecond = (speed: number): string =>
  `${speed} ${speed === 1 ? "block/s" : "blocks/s"}`;

function Controls() {
  const { stepBlocks, play, pause } = useActions();
  const running = useFrameState(({ frame }) =>
    Boolean(frame?.player?.playing || frame?.player?.busy),
  );
  const isStoryRunning = useFrameState(({ frame }) => frame?.story?.state === "running");
  return (
    <fieldset className={css.transport}>
      <legend className="hidden">Run the chain</legend>
      <ControlButton
        data-primary=""
        className={css.play}
        // Does what the label says, even if a newer frame already differs.
        onClick={running ? pause : play}
        // Space pauses a story after its beat; this stops in the middle of it.
        title={`${running ? "Pause" : "Play"}${isStoryRunning ? "" : " (Space)"}`}
      >
        <Icon name={running ? "pause" : "play"} />
        {running ? "Pause" : "Play"}
      </ControlButton>
      <ControlButton onClick={() => stepBlocks(1)} aria-label="One block" title="One block (→)">
        <Icon name="step" />
      </ControlButton>
      <ControlButton
        onClick={() => stepBlocks(10)}
        aria-label="Ten blocks"
        title="Ten blocks (Shift →)"
      >
        <Icon name="leap" />
        10
      </ControlButton>
      <Speed />
      <Goal />
    </fieldset>
  );
}

/** Starts a run until a condition; while steps are running, cancels them. */
function Goal() {
  const { stopSteps, openDialog } = useActions();
  const busy = useFrameState(({ frame }) => frame?.player?.busy ?? false);
  return busy ? (
    <ControlButton className={css.goal} onClick={stopSteps}>
      <Icon name="stop" />
      Stop
    </ControlButton>
  ) : (
    <ControlButton
      className={css.goal}
      onClick={() => openDialog("run-until")}
      title="Run until something happens (R)"
    >
      Run until…
    </ControlButton>
  );
}

function Speed() {
  const { setSpeed } = useActions();
  const speed = useFrameState(({ frame }) => frame?.player?.speed ?? 1);
  const watching = useWatching();
  const rate = useFrameState(({ frame }) => Math.round(frame?.player?.rate ?? 0));
  return (
    <label className={css.speed}>
      <span className="hidden">Speed</span>
      <select
        value={String(speed)}
        disabled={watching}
        onChange={(event) => setSpeed(Number(event.target.value))}
        title={watching ? WATCHED : `Speed; lately ${count(rate)} blocks per second`}
      >
        {SPEEDS.map((each) => (
          <option key={each} value={String(each)}>
            {blocksPerSecond(each)}
          </option>
        ))}
        {!(SPEEDS as readonly number[]).includes(speed) && speed > 0 && (
          <option value={String(speed)}>{blocksPerSecond(speed)}</option>
        )}
        <option value="0">full speed</option>
      </select>
    </label>
  );
}
