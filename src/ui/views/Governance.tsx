import { useState } from "react";
import { everyone } from "../dialogs/form-text.ts";
import { type VoteOption, voteStep } from "../dialogs/proposal-step.ts";
import { useActions, useFrameState } from "../store/page.ts";
import { hrefTo } from "../store/route.ts";
import type { Node, ProposalView } from "../store/types.ts";
import { count, dayClock, duration, percent } from "../widgets/format.ts";
import { ListTools } from "../widgets/ListTools.tsx";
import { OnDemand } from "../widgets/OnDemand.tsx";
import { PausedNote } from "../widgets/PausedNote.tsx";
import { SteerButton } from "../widgets/SteerButton.tsx";
import { found, matches } from "../widgets/search.ts";
import { Ballots } from "./Ballots.tsx";
import css from "./Governance.module.css";

const NONE: readonly ProposalView[] = [];

/** Proposals, newest first, with their tally and the votes one can still cast. */
export default function Governance() {
  const { openDialog } = useActions();
  const proposals = useFrameState(({ frame }) => frame?.proposals ?? NONE);
  const voting = useFrameState(({ frame }) => frame?.chain?.votingSeconds ?? 0);
  const [query, setQuery] = useState("");
  const [status, setStatus] = useState("");
  const shown = proposals
    .filter((each) => (status === "" || each.status === status) && matches(wordsOf(each), query))
    .reverse();
  return (
    <div className={css.governance} data-part="proposals">
      <section className={`card ${css.intro}`}>
        <div>
          <h2>{proposals.length === 0 ? "Nothing has been proposed" : "Proposals"}</h2>
          <p className="soft">
            A proposal is voted on for {duration(voting)} of chain time; what it contains runs when
            it passes.
          </p>
        </div>
        <div className={css.verbs}>
          <SteerButton onClick={() => openDialog("text-proposal")}>Propose a text…</SteerButton>
          <SteerButton data-primary="" onClick={() => openDialog("upgrade")}>
            Propose an upgrade… <kbd>U</kbd>
          </SteerButton>
        </div>
      </section>
      {proposals.length > 1 && (
        <ListTools
          of="proposals"
          query={query}
          onQuery={setQuery}
          found={found(shown.length, proposals.length)}
          copied={() => shown.map(copiedProposal).join("\n")}
        >
          <select
            aria-label="Only those with this status"
            value={status}
            onChange={(event) => setStatus(event.target.value)}
          >
            <option value="">any status</option>
            {STATUSES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </ListTools>
      )}
      {shown.map((proposal) => (
        <Proposal key={proposal.id} proposal={proposal} />
      ))}
      {shown.length === 0 && proposals.length > 0 && (
        <p className="soft">No proposal is like that.</p>
      )}
    </div>
  );
}

const STATUSES = ["deposit", "voting", "passed", "rejected", "failed"];

/** What a proposal can be found by. */
const wordsOf = ({ id, title, status, planName, planHeight, messages }: ProposalView): string =>
  [id, title, status, planName, planHeight || "", ...messages].join(" ");

const copiedProposal = ({ id, title, status, planName, planHeight }: ProposalView): string =>
  [id, title, status, planName && `${planName} at ${planHeight}`].join("\t");

function Proposal({ proposal }: { proposal: ProposalView }) {
  const { status } = proposal;
  const genesis = useFrameState(({ frame }) => frame?.chain?.genesisTime ?? "");
  const voting = status === "voting";
  return (
    <article className="card" aria-label={`Proposal ${proposal.id}`}>
      <header className={css.head}>
        <h3>
          <a href={hrefTo({ selection: { kind: "proposal", id: String(proposal.id) } })}>
            {proposal.id}. {proposal.title}
          </a>
        </h3>
        <span className={css.status} data-status={status}>
          {status}
        </span>
      </header>
      <p className="soft small">
        {proposal.planName && `Plan ${proposal.planName} at height ${count(proposal.planHeight)}. `}
        {voting && (
          <time dateTime={proposal.votingEnd} title={proposal.votingEnd}>
            Voting ends at {dayClock(proposal.votingEnd, genesis)}.
          </time>
        )}
      </p>
      {proposal.failedReason && <p className={`quote ${css.failed}`}>{proposal.failedReason}</p>}
      <Tally proposal={proposal} />
      {voting && <Votes id={proposal.id} />}
      {status === "deposit" && <Deposit id={proposal.id} />}
      <OnDemand title={voting ? "Deposits and votes" : "Deposits"}>
        {() => <Ballots proposal={proposal} />}
      </OnDemand>
    </article>
  );
}

const OPTIONS = [
  ["yes", "yes"],
  ["no", "no"],
  ["veto", "no with veto"],
  ["abstain", "abstain"],
] as const;

/** Shares of what is bonded, and what the engine holds them against. */
function Tally({ proposal }: { proposal: ProposalView }) {
  const { tally } = proposal;
  if (!tally) return null;
  const total = Number(tally.bonded);
  const cast = OPTIONS.map(([key, label]) => ({ key, label, stake: Number(proposal[key]) }));
  return (
    <div className={css.tally}>
      <div className={css.bar} data-bar="" aria-hidden="true">
        {cast.map(({ key, stake }) => (
          <span
            key={key}
            data-option={key}
            style={{ width: `${(stake / Math.max(1, total)) * 100}%` }}
          />
        ))}
      </div>
      <ul className={css.legend}>
        {cast.map(({ key, label, stake }) => (
          <li key={key} data-option={key}>
            {label} <b>{percent(stake, total)}</b>
          </li>
        ))}
      </ul>
      <p className="small soft">
        Turnout {percent(tally.turnout, 1)} of the bonded stake, quorum {percent(tally.quorum, 1)} ·
        yes {percent(tally.yes, 1)} of the votes that do not abstain, more than{" "}
        {percent(tally.threshold, 1)} passes · veto {percent(tally.veto, 1)}, more than{" "}
        {percent(tally.vetoThreshold, 1)} rejects
      </p>
    </div>
  );
}

function Votes({ id }: { id: number }) {
  const { act, openDialog } = useActions();
  const voters = useFrameState(({ frame }) => frame?.nodes.filter(hasOwnKey).length ?? 0);
  const vote = (option: VoteOption, text: string) =>
    act(
      voteStep(id, option, "all"),
      ({ height }) => `${everyone(voters)} voted ${text} in block ${count(height)}.`,
    );
  return (
    <div className={css.votes}>
      <span className="soft small">All validators vote</span>
      <SteerButton onClick={() => vote("yes", "yes")}>Yes</SteerButton>
      <SteerButton onClick={() => vote("no", "no")}>No</SteerButton>
      <SteerButton onClick={() => vote("no_with_veto", "no with veto")}>No with veto</SteerButton>
      <SteerButton onClick={() => vote("abstain", "to abstain")}>Abstain</SteerButton>
      <SteerButton onClick={() => openDialog("proposal", String(id))}>
        One account: vote, deposit, withdraw…
      </SteerButton>
      <PausedNote>The chain is paused: a vote makes one block.</PausedNote>
    </div>
  );
}

function Deposit({ id }: { id: number }) {
  const { openDialog } = useActions();
  return (
    <div className={css.votes}>
      <SteerButton onClick={() => openDialog("proposal", String(id))}>
        One account: deposit, withdraw…
      </SteerButton>
    </div>
  );
}

const hasOwnKey = ({ name, validator }: Node): boolean => name === validator;
