import { type CSSProperties, useState } from "react";
import { ProposalAxis } from "../panels/governance/ProposalAxis.tsx";
import { ProposalCard } from "../panels/governance/ProposalCard.tsx";
import { outcomeOf, statusText } from "../panels/governance/proposal-words.ts";
import { type Course, useGovernance } from "../panels/governance/use-governance.ts";
import { useActions, useFrameState } from "../store/page.ts";
import { useRoute } from "../store/route.ts";
import { ControlButton } from "../widgets/ControlButton.tsx";
import { duration } from "../widgets/duration.ts";
import { count } from "../widgets/format.ts";
import { ListTools } from "../widgets/ListTools.tsx";
import { found, matches } from "../widgets/search.ts";
import { useNames } from "../widgets/use-names.ts";
import css from "./Governance.module.css";

const NONE: readonly Course[] = [];
/** Proposals per page, on one axis and with a card each. */
const ON_A_PAGE = 20;

/** Proposals on a time axis and individually, newest first. */
export default function Governance() {
  const known = useGovernance();
  const courses = known?.courses ?? NONE;
  const named = useNames();
  const { selection } = useRoute();
  const chosen = selection?.kind === "proposal" ? Number(selection.id) : 0;
  const [query, setQuery] = useState("");
  const [status, setStatus] = useState("");
  const shown = courses.filter(
    (each) =>
      (status === "" || each.proposal.status === status) && matches(courseText(each, named), query),
  );
  const [page, setPage] = usePageOf(shown, chosen);
  const onPage = shown.slice(page * ON_A_PAGE, (page + 1) * ON_A_PAGE);
  return (
    <div
      className={css.governance}
      data-part="proposals"
      style={{ "--lines": onPage.length } as CSSProperties}
    >
      <Intro none={known !== undefined && courses.length === 0} />
      {known?.problem && <p role="alert">{known.problem}</p>}
      {courses.length > 1 && (
        <ListTools
          of="proposals"
          query={query}
          onQuery={setQuery}
          found={found(shown.length, courses.length)}
          copied={() => shown.map(copiedProposal).join("\n")}
        >
          <select
            aria-label="Only those with this status"
            value={status}
            onChange={(event) => setStatus(event.target.value)}
          >
            <option value="">any status</option>
            {STATUSES.map((each) => (
              <option key={each} value={each}>
                {statusText(each)}
              </option>
            ))}
          </select>
        </ListTools>
      )}
      {shown.length > ON_A_PAGE && (
        <nav className={css.pages} aria-label="Pages of proposals">
          <button type="button" disabled={page === 0} onClick={() => setPage(page - 1)}>
            Newer
          </button>
          <span className="small soft">
            {count(page * ON_A_PAGE + 1)} to {count(page * ON_A_PAGE + onPage.length)} of{" "}
            {count(shown.length)}, newest first
          </span>
          <button
            type="button"
            disabled={(page + 1) * ON_A_PAGE >= shown.length}
            onClick={() => setPage(page + 1)}
          >
            Older
          </button>
        </nav>
      )}
      {onPage.length > 0 && <ProposalAxis courses={onPage} />}
      {onPage.map((course) => (
        <ProposalCard
          key={course.proposal.id}
          course={course}
          chosen={course.proposal.id === chosen}
        />
      ))}
      {shown.length === 0 && courses.length > 0 && (
        <p className="soft">No proposal is like that.</p>
      )}
    </div>
  );
}

const STATUSES = ["deposit", "voting", "passed", "rejected", "failed", "dropped", "withdrawn"];

function Intro({ none }: { none: boolean }) {
  const { openDialog } = useActions();
  const voting = useFrameState(({ frame }) => frame?.chain?.votingSeconds ?? 0);
  return (
    <section className={`card ${css.intro}`}>
      <div>
        <h2>{none ? "Nothing has been proposed" : "Proposals"}</h2>
        <p className="soft">
          Voting lasts {duration(voting)} of chain time. If a proposal passes, its messages are
          executed.
        </p>
      </div>
      <div className={css.verbs}>
        <ControlButton onClick={() => openDialog("text-proposal")}>Text proposal…</ControlButton>
        <ControlButton data-primary="" onClick={() => openDialog("upgrade")}>
          Propose an upgrade… <kbd>U</kbd>
        </ControlButton>
      </div>
    </section>
  );
}

/** The page of a list: that of the last selected proposal, unless another was opened since. */
function usePageOf(
  shown: readonly Course[],
  chosen: number,
): readonly [number, (page: number) => void] {
  const [turned, setTurned] = useState({ chosen: 0, page: 0 });
  const place = shown.findIndex(({ proposal }) => proposal.id === chosen);
  const last = Math.max(0, Math.ceil(shown.length / ON_A_PAGE) - 1);
  const page = turned.chosen === chosen || place < 0 ? turned.page : Math.floor(place / ON_A_PAGE);
  return [Math.min(page, last), (next) => setTurned({ chosen, page: next })];
}

/** Returns the searchable text of a proposal. */
function courseText(course: Course, named: (text: string) => string): string {
  const { id, title, status, planName, planHeight, messages } = course.proposal;
  const kind = course.expedited ? "expedited" : "";
  return [
    ...[id, title, statusText(status), planName, planHeight || "", ...messages],
    ...[kind, named(course.proposer), outcomeOf(course)],
  ].join(" ");
}

const copiedProposal = (course: Course): string => {
  const { id, title, status, planName, planHeight } = course.proposal;
  return [id, title, status, planName && `${planName} at ${planHeight}`, outcomeOf(course)].join(
    "\t",
  );
};
