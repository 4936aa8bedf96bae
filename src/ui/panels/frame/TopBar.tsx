import { Suspense } from "react";
import { useActions, useFrameState } from "../../store/page.ts";
import { count, dayClock, percent } from "../../widgets/format.ts";
import { Icon } from "../../widgets/Icon.tsx";
import { lazyPart } from "../../widgets/lazy-part.tsx";
import { Transport } from "../timeline/Transport.tsx";
import css from "./TopBar.module.css";

const World = lazyPart("", () => import("./World.tsx"));

export function TopBar() {
  const kept = useFrameState(({ frame }) => frame?.player?.kept !== undefined);
  const { openDialog } = useActions();
  return (
    <header className={css.bar}>
      <h1 className={css.brand}>Chainlab</h1>
      <Suspense>{kept && <World />}</Suspense>
      <Place />
      <Status />
      <span className={css.space} />
      <Transport />
      <button
        type="button"
        data-plain=""
        className={css.help}
        aria-label="Keys and terms"
        title="Keys and terms (?)"
        onClick={() => openDialog("help")}
      >
        ?
      </button>
    </header>
  );
}

/** Where the chain is. */
function Place() {
  const id = useFrameState(({ frame }) => frame?.chain?.chainId ?? "");
  const height = useFrameState(({ frame }) => frame?.chain?.height ?? 0);
  const round = useFrameState(({ frame }) => frame?.chain?.round ?? 0);
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
        <div>
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

/** One pill: live, paused, or halted with how much power is there of how much is needed. */
function Status() {
  const restoring = useFrameState(({ frame }) => frame?.player?.restoring ?? 0);
  const halted = useFrameState(({ frame }) => frame?.chainStatus?.state === "halted");
  const playing = useFrameState(({ frame }) => frame?.player?.playing || frame?.player?.busy);
  const share = useFrameState(({ frame }) => {
    const { votingPower = 0, neededPower = 0, totalPower = 0 } = frame?.chainStatus ?? {};
    return `${percent(votingPower, totalPower)} of ${percent(neededPower, totalPower)}`;
  });
  const known = useFrameState(({ frame }) => frame !== undefined);
  const [state, label] = !known
    ? ["paused", "Starting"]
    : restoring > 0 && restoring < 1
      ? ["paused", `Restoring your chain · ${percent(restoring, 1)}`]
      : halted
        ? ["halted", `Halted · ${share}`]
        : playing
          ? ["live", "Live"]
          : ["paused", "Paused"];
  return (
    <span className={css.pill} data-state={state} data-testid="status">
      <Icon name={state === "halted" ? "stop" : state === "live" ? "disc" : "pause"} size={14} />
      {label}
    </span>
  );
}
