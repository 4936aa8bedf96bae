import { useEffect, useRef } from "react";
import { everyone } from "../../dialogs/form-text.ts";
import { type VoteOption, voteStep } from "../../dialogs/proposal-step.ts";
import { useActions, useFrameState } from "../../store/page.ts";
import { hrefTo } from "../../store/route.ts";
import type { Node } from "../../store/types.ts";
import { ControlButton, useOnlyWatches } from "../../widgets/ControlButton.tsx";
import { amount, count } from "../../widgets/format.ts";
import { Linked, useLinkTargets } from "../../widgets/Linked.tsx";
import { OnDemand } from "../../widgets/OnDemand.tsx";
import { PausedNote } from "../../widgets/PausedNote.tsx";
import { useNames } from "../../widgets/use-names.ts";
import { WhyButton } from "../../widgets/WhyButton.tsx";
import { Ballots } from "./Ballots.tsx";
import css from "./ProposalCard.module.css";
import {
  conversionOf,
  depositFate,
  endOf,
  outcomeOf,
  standingText,
  statusText,
} from "./proposal-words.ts";
import { Tally } from "./Tally.tsx";
import type { Course } from "./use-governance.ts";

interface ProposalCardProps {
  course: Course;
  chosen: boolean;
}

/** A proposal: its proposer, status and reason, its tally, and voting actions. */
export function ProposalCard({ course, chosen }: ProposalCardProps) {
  const { proposal, expedited, counts, standing } = course;
  const { id, title, status } = proposal;
  const genesis = useFrameState(({ frame }) => frame?.chain?.genesisTime ?? "");
  const height = useFrameState(({ frame }) => frame?.chain?.height ?? 0);
  const denom = useFrameState(({ frame }) => frame?.chain?.denom ?? "");
  const ref = useShown(chosen);
  const voting = status === "voting";
  const converted = conversionOf(counts);
  const earlier = counts.find(({ outcome }) => outcome === "converted");
  const outcome = [outcomeOf(course), depositFate(course, denom)].filter(Boolean).join(" ");
  return (
    <article
      ref={ref}
      className={`card ${css.proposal}`}
      aria-label={`Proposal ${id}`}
      data-chosen={chosen || undefined}
    >
      <header className={css.head}>
        <h3>
          <a href={hrefTo({ selection: { kind: "proposal", id: String(id) } })}>
            {id}. {title}
          </a>
        </h3>
        <span className={css.chips}>
          <WhyButton kind="proposal" id={String(id)} of={`proposal ${id}`} inline />
          {expedited && <span className={css.status}>expedited</span>}
          <span className={css.status} data-status={status}>
            {statusText(status)}
          </span>
        </span>
      </header>
      <Facts course={course} denom={denom} />
      {converted && <p>{converted}</p>}
      {outcome && <p className={css.outcome}>{outcome}</p>}
      {!outcome && <p>{endOf(course.periods, height, genesis)}</p>}
      {standing && <p>{standingText(standing)}</p>}
      <Tally proposal={proposal} />
      {voting && <Votes id={id} />}
      {status === "deposit" && <Deposit id={id} />}
      <OnDemand title={status === "deposit" ? "Deposits" : "Deposits and votes"}>
        {() => <Ballots course={course} denom={denom} />}
      </OnDemand>
      {earlier && (
        <OnDemand title="Votes on it as an expedited proposal">
          {() => <Ballots course={course} denom={denom} height={earlier.height} />}
        </OnDemand>
      )}
    </article>
  );
}

/** Scrolls to the selected card. */
function useShown(chosen: boolean) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (chosen) ref.current?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return ref;
}

/** Proposer, block, messages and deposit of a proposal. */
function Facts({ course, denom }: { course: Course; denom: string }) {
  const named = useNames();
  const known = useLinkTargets();
  const { proposal, proposer, periods, minimum } = course;
  const { planName, planHeight, deposit, messages } = proposal;
  const [first] = periods;
  return (
    <p className="soft small">
      Proposed by <Linked text={named(proposer)} targets={known} />
      {first && (
        <>
          {" in "}
          <a href={hrefTo({ selection: { kind: "block", id: String(first.from) } })}>
            block {count(first.from)}
          </a>
        </>
      )}
      {planName && `: plan ${planName} at height ${count(planHeight)}`}
      {!planName && messages.length === 0 && ": a text"}
      {!planName && messages.length > 0 && `: ${messages.map(shortType).join(", ")}`}
      {`. Deposit ${amount(deposit)} of ${amount(minimum)} ${denom}.`}
    </p>
  );
}

/** `MsgCancelUpgrade` of a type URL. */
const shortType = (url: string): string => url.slice(url.lastIndexOf(".") + 1);

function Votes({ id }: { id: number }) {
  const { act, openDialog } = useActions();
  const voters = useFrameState(({ frame }) => frame?.nodes.filter(hasOwnKey).length ?? 0);
  const watches = useOnlyWatches();
  const vote = (option: VoteOption, text: string) =>
    act(
      voteStep(id, option, "all"),
      ({ height }) => `${everyone(voters)} voted ${text} in block ${count(height)}.`,
    );
  if (watches) return null;
  return (
    <div className={css.votes}>
      <span className="soft small">All validators vote</span>
      <ControlButton onClick={() => vote("yes", "yes")}>Yes</ControlButton>
      <ControlButton onClick={() => vote("no", "no")}>No</ControlButton>
      <ControlButton onClick={() => vote("no_with_veto", "no with veto")}>
        No with veto
      </ControlButton>
      <ControlButton onClick={() => vote("abstain", "to abstain")}>Abstain</ControlButton>
      <ControlButton onClick={() => openDialog("proposal", String(id))}>
        One account: vote, deposit, withdraw…
      </ControlButton>
      <PausedNote does="block" />
    </div>
  );
}

function Deposit({ id }: { id: number }) {
  const { openDialog } = useActions();
  return (
    <div className={css.votes}>
      <ControlButton onClick={() => openDialog("proposal", String(id))}>
        One account: deposit, withdraw…
      </ControlButton>
    </div>
  );
}

const hasOwnKey = ({ name, validator }: Node): boolean => name === validator;
