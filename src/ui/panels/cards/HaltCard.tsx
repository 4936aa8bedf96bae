import { useState } from "react";
import { useActions, useFrameState } from "../../store/page.ts";
import type { ChainStatus, Remedy } from "../../store/types.ts";
import { WithHashes } from "../../widgets/Facts.tsx";
import { count, percent } from "../../widgets/format.ts";
import { PowerBar } from "../../widgets/PowerBar.tsx";
import { votingParts } from "../../widgets/power-parts.ts";
import { SteerButton } from "../../widgets/SteerButton.tsx";
import css from "./HaltCard.module.css";

const NAMED_UP_TO = 6;
const REMEDIES_AT_FIRST = 3;

/** Why the chain has stopped: which nodes are missing and why, and what would bring them back. */
export default function HaltCard() {
  const chainStatus = useFrameState(({ frame }) => frame?.chainStatus);
  const height = useFrameState(({ frame }) => frame?.chain?.height ?? 0);
  if (chainStatus?.state !== "halted") return null;
  return (
    <section className={css.card} aria-labelledby="halt-title" data-testid="halt-card">
      <div className={css.why}>
        <h2 id="halt-title">Why has the chain stopped at {count(height)}?</h2>
        <p>{chainStatus.because}</p>
        <ul className={css.missing}>
          {chainStatus.missing.map((group) => (
            <li key={group.nodes.join()} className="quote">
              <Who nodes={group.nodes} />
              <WithHashes text={group.reason} />
            </li>
          ))}
        </ul>
      </div>
      <div className={css.help}>
        <Power chainStatus={chainStatus} />
        <Remedies remedies={chainStatus.remedies} />
      </div>
    </section>
  );
}

/** Every node of a group: a few at once, the others when they are asked for. */
function Who({ nodes }: { nodes: readonly string[] }) {
  const [all, setAll] = useState(nodes.length <= NAMED_UP_TO);
  return (
    <span className={css.who}>
      {(all ? nodes : nodes.slice(0, NAMED_UP_TO - 1)).join(" · ")}
      {!all && (
        <>
          {" "}
          <button type="button" data-link="" onClick={() => setAll(true)}>
            and {nodes.length - NAMED_UP_TO + 1} more
          </button>
        </>
      )}
    </span>
  );
}

function Power({ chainStatus }: { chainStatus: ChainStatus }) {
  const frame = useFrameState((world) => world.frame);
  return (
    <div className={css.power}>
      {frame && <PowerBar parts={votingParts(frame)} />}
      <p className="small soft">
        {count(chainStatus.votingPower)} of {count(chainStatus.totalPower)} power votes,{" "}
        {percent(chainStatus.votingPower, chainStatus.totalPower)}; at least{" "}
        {count(chainStatus.neededPower)}, {percent(chainStatus.neededPower, chainStatus.totalPower)}
        , must.
      </p>
    </div>
  );
}

function Remedies({ remedies }: { remedies: readonly Remedy[] }) {
  const { act } = useActions();
  const [all, setAll] = useState(false);
  const shown = all ? remedies : remedies.slice(0, REMEDIES_AT_FIRST);
  if (remedies.length === 0) return null;
  return (
    <div className={css.remedies}>
      {shown.map((remedy, i) => (
        <SteerButton
          key={remedy.label}
          data-primary={i === 0 ? "" : undefined}
          onClick={() => act(remedy.step, `Done: ${remedy.label}.`)}
        >
          {remedy.label}
        </SteerButton>
      ))}
      {shown.length < remedies.length && (
        <button type="button" onClick={() => setAll(true)}>
          {remedies.length - shown.length} more…
        </button>
      )}
    </div>
  );
}
