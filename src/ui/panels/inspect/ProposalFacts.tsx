import { useFrameState } from "../../store/page.ts";
import { CancelWindow } from "../../widgets/CancelWindow.tsx";
import { Fact, Facts, Moment } from "../../widgets/Facts.tsx";
import { amount, count } from "../../widgets/format.ts";
import { WhyButton } from "../../widgets/WhyButton.tsx";
import { depositFate, outcomeOf, statusText } from "../governance/proposal-words.ts";
import { useGovernance } from "../governance/use-governance.ts";
import css from "./inspect.module.css";

export function ProposalFacts({ id }: { id: number }) {
  const proposal = useFrameState(({ frame }) => frame?.proposals.find((each) => each.id === id));
  if (!proposal) return <GoneProposal id={id} />;
  return (
    <>
      <h3>{proposal.title}</h3>
      <Why id={id} />
      <Facts>
        <Fact name="status">{proposal.status}</Fact>
        {proposal.votingEnd && (
          <Fact name="voting ends">
            <Moment time={proposal.votingEnd} />
          </Fact>
        )}
        {proposal.planName && (
          <Fact name="plan">
            {proposal.planName} at {count(proposal.planHeight)}
          </Fact>
        )}
        <Fact name="yes">{amount(proposal.yes)}</Fact>
        <Fact name="no">{amount(proposal.no)}</Fact>
        <Fact name="no with veto">{amount(proposal.veto)}</Fact>
        <Fact name="abstain">{amount(proposal.abstain)}</Fact>
      </Facts>
      {proposal.advice && (
        <CancelWindow advice={proposal.advice} planHeight={proposal.planHeight} />
      )}
      {proposal.failedReason && <p className="quote">{proposal.failedReason}</p>}
      <ul className="mono soft">
        {proposal.messages.map((message) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </>
  );
}

const Why = ({ id }: { id: number }) => (
  <div className={css.actions}>
    <WhyButton kind="proposal" id={String(id)} of={`proposal ${id}`} />
  </div>
);

/** A proposal that is no longer in the state: its outcome from the notes of blocks. */
function GoneProposal({ id }: { id: number }) {
  const known = useGovernance();
  const denom = useFrameState(({ frame }) => frame?.chain?.denom ?? "");
  const course = known?.courses.find(({ proposal }) => proposal.id === id);
  if (!known) return null;
  if (!course) return <p className="soft">There is no proposal {id} on this chain.</p>;
  return (
    <>
      <h3>{course.proposal.title}</h3>
      <Why id={id} />
      <Facts>
        <Fact name="status">{statusText(course.proposal.status)}</Fact>
      </Facts>
      <p>{outcomeOf(course)}</p>
      <p>{depositFate(course, denom)}</p>
    </>
  );
}
