import { useState } from "react";
import { haltSentence, threshold } from "../../store/halt.ts";
import { useActions, useFrameState } from "../../store/page.ts";
import type { ChainStatus, Remedy } from "../../store/types.ts";
import { ControlButton, useOnlyWatches } from "../../widgets/ControlButton.tsx";
import { WithHashes } from "../../widgets/Facts.tsx";
import { count, plural } from "../../widgets/format.ts";
import { PowerBar } from "../../widgets/PowerBar.tsx";
import { votingParts } from "../../widgets/power-parts.ts";
import { WhyButton } from "../../widgets/WhyButton.tsx";
import css from "./band.module.css";
import { isStoryRunning } from "./playing-story.ts";
import { Situation } from "./Situation.tsx";

const NAMED_UP_TO = 6;
const REASONS_AT_FIRST = 2;
const REMEDIES_AT_FIRST = 2;

/** Explains a halt: the missing nodes, with their own messages, and the remedies. */
export default function HaltBand() {
  const frame = useFrameState((world) => world.frame);
  if (frame?.chainStatus?.state !== "halted") return null;
  const { chainStatus } = frame;
  const next = (frame.chain?.height ?? 0) + 1;
  return (
    <Situation
      headline={haltSentence(frame)}
      testId="halt-card"
      tone="warn"
      why={
        <WhyButton kind="block" id={String(next)} of={`block ${count(next)} is missing`} inline />
      }
      beside={
        <div className={css.help}>
          <PowerBar parts={votingParts(frame)} />
          <p className="small soft">
            {count(chainStatus.votingPower)} of {count(chainStatus.totalPower)} power votes; a block
            needs {threshold(chainStatus.neededPower, chainStatus.totalPower)}.
          </p>
          <Remedies remedies={chainStatus.remedies} />
        </div>
      }
    >
      <p>{chainStatus.because}</p>
      <Reasons missing={chainStatus.missing} />
    </Situation>
  );
}

/** A line for each reason: a few at first, the others on request. */
function Reasons({ missing }: { missing: ChainStatus["missing"] }) {
  const [all, setAll] = useState(false);
  // With many, the first represents all: this leaves room for the view.
  const shown = all || missing.length <= REASONS_AT_FIRST ? missing : missing.slice(0, 1);
  return (
    <ul className={css.lines}>
      {shown.map((group) => (
        <li key={group.nodes.join()}>
          <Who nodes={group.nodes} />
          <code>
            <WithHashes text={group.reason} />
          </code>
        </li>
      ))}
      {shown.length < missing.length && (
        <li>
          <button type="button" data-link="" onClick={() => setAll(true)}>
            {plural(missing.length - shown.length, "more reason")}
          </button>
        </li>
      )}
    </ul>
  );
}

/** Every node of a group: a few at first, the others on request. */
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

/** Skipping an upgrade is the last resort, never the recommendation. */
const isGivingUp = ({ label }: Remedy): boolean => label.startsWith("Skip");

function Remedies({ remedies }: { remedies: readonly Remedy[] }) {
  const { act, openDialog } = useActions();
  const [all, setAll] = useState(false);
  const shown = all ? remedies : remedies.slice(0, REMEDIES_AT_FIRST);
  const watches = useOnlyWatches();
  const first = useFrameState(isStoryRunning) ? undefined : "";
  if (watches && remedies.length > 0) return null;
  if (remedies.length === 0) {
    return (
      <div className={css.remedies}>
        <p className="small">Under these rules nothing can restart this chain.</p>
        <ControlButton data-primary={first} onClick={() => openDialog("otherwise")}>
          Begin again under other rules…
        </ControlButton>
        <button type="button" onClick={() => openDialog("worlds")}>
          Open another world
        </button>
      </div>
    );
  }
  return (
    <div className={css.remedies}>
      {shown.map((remedy, i) => (
        <ControlButton
          key={remedy.label}
          data-primary={i === 0 && !isGivingUp(remedy) ? first : undefined}
          onClick={() => act(remedy.step, `Done: ${remedy.label}.`)}
        >
          {remedy.label}
        </ControlButton>
      ))}
      {shown.length < remedies.length && (
        <button type="button" onClick={() => setAll(true)}>
          {remedies.length - shown.length} more…
        </button>
      )}
    </div>
  );
}
