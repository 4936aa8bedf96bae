import { type CSSProperties, useState } from "react";
import SavePicture from "../../pictures/SavePicture.tsx";
import { useFrameState } from "../../store/page.ts";
import { hrefTo, useRoute } from "../../store/route.ts";
import type { ProposalPeriod } from "../../store/types.ts";
import { count } from "../../widgets/format.ts";
import { useNames } from "../../widgets/use-names.ts";
import { type Axis, axisOf, ticksOf, xOf } from "./axis-layout.ts";
import css from "./ProposalAxis.module.css";
import { brief, nextOf, outcomeOf } from "./proposal-words.ts";
import type { Course } from "./use-governance.ts";

/** Number of lines that leaves space for a card below them. */
const FEW = 3;

const ENDS: Readonly<Record<string, string>> = { passed: "✓", dropped: "–", withdrawn: "–" };

/** Proposals on one axis of heights, a line each: deposit period, voting period, and outcome. */
export function ProposalAxis({ courses }: { courses: readonly Course[] }) {
  const height = useFrameState(({ frame }) => frame?.chain?.height ?? 0);
  const [asTable, setAsTable] = useState(false);
  const { selection } = useRoute();
  const chosen = selection?.kind === "proposal" ? Number(selection.id) : 0;
  const axis = axisOf(courses, height);
  return (
    <section
      className={`card ${css.axis}`}
      data-stays={(courses.length <= FEW && !asTable) || undefined}
      aria-label="Proposals in the course of time"
    >
      <header className={css.head}>
        <p className="small soft" role="status">
          {nextOf(courses) || "No proposal is in voting."}
        </p>
        <button
          type="button"
          data-control=""
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? "As a picture" : "As a table"}
        </button>
      </header>
      {asTable ? (
        <Twin courses={courses} />
      ) : (
        <>
          <ol className={css.lines}>
            {courses.map((course) => (
              <Line
                key={course.proposal.id}
                course={course}
                axis={axis}
                height={height}
                chosen={course.proposal.id === chosen}
              />
            ))}
          </ol>
          <Scale axis={axis} />
          <ul className={`small soft ${css.legend}`} aria-hidden="true">
            <li data-kind="deposit">deposit period</li>
            <li data-kind="voting">voting</li>
            <li data-kind="expedited">expedited voting</li>
            <li>✓ passed</li>
            <li>✕ rejected or failed</li>
            <li>– withdrawn, or deposit not reached</li>
          </ul>
          <SavePicture title="Proposals in the course of time" at="bottom" />
        </>
      )}
    </section>
  );
}

interface LineProps {
  course: Course;
  axis: Axis;
  height: number;
  chosen: boolean;
}

function Line({ course, axis, height, chosen }: LineProps) {
  const { proposal, periods, ended } = course;
  const { id, title, status } = proposal;
  const end = Math.max(...periods.map(({ to }) => to));
  return (
    <li className={css.line} data-chosen={chosen || undefined}>
      <a
        className={css.name}
        href={hrefTo({ selection: { kind: "proposal", id: String(id) } })}
        title={title}
        aria-current={chosen || undefined}
      >
        {id}. {title}
      </a>
      <span className={`small soft ${css.said}`}>{brief(course)}</span>
      <div className={css.lane} data-bar="" aria-hidden="true">
        {height >= axis.first && height <= axis.last && (
          <span className={css.now} style={{ left: `${xOf(axis, height)}%` }} />
        )}
        {periods.map((period) => (
          <Period key={period.kind} period={period} axis={axis} height={height} />
        ))}
        {ended > 0 && (
          <span className={css.end} data-status={status} style={{ left: `${xOf(axis, end)}%` }}>
            {ENDS[status] ?? "✕"}
          </span>
        )}
      </div>
    </li>
  );
}

/** A period of a proposal on the time axis, filled up to the current height. */
function Period({ period, axis, height }: { period: ProposalPeriod; axis: Axis; height: number }) {
  const { kind, from, to } = period;
  const [left, right] = [xOf(axis, from), xOf(axis, to)];
  const done = to > from ? Math.max(0, Math.min(1, (height - from) / (to - from))) : 1;
  return (
    <span
      className={css.period}
      data-kind={kind}
      data-beyond={to > axis.last || undefined}
      style={
        { left: `${left}%`, width: `${right - left}%`, "--done": `${done * 100}%` } as CSSProperties
      }
    />
  );
}

function Scale({ axis }: { axis: Axis }) {
  return (
    <div className={css.line} aria-hidden="true">
      <span className={`small soft ${css.name}`}>block</span>
      <div className={css.scale}>
        {ticksOf(axis).map((height) => (
          <span key={height} style={{ left: `${xOf(axis, height)}%` }}>
            {count(height)}
          </span>
        ))}
      </div>
    </div>
  );
}

function Twin({ courses }: { courses: readonly Course[] }) {
  const named = useNames();
  const during = (periods: readonly ProposalPeriod[], kind: string): string =>
    periods
      .filter((period) => period.kind === kind)
      .map(({ from, to }) => `${count(from)} – ${count(to)}`)
      .join(", ");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={css.table} aria-label="Proposals as a table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>Proposal</th>
            <th>Proposed by</th>
            <th>Deposit period</th>
            <th>Expedited voting</th>
            <th>Voting</th>
            <th>Result so far</th>
          </tr>
        </thead>
        <tbody>
          {courses.map((course) => (
            <tr key={course.proposal.id}>
              <td>
                <a
                  href={hrefTo({
                    selection: { kind: "proposal", id: String(course.proposal.id) },
                  })}
                >
                  {course.proposal.id}. {course.proposal.title}
                </a>
              </td>
              <td>{named(course.proposer)}</td>
              <td className={css.blocks}>{during(course.periods, "deposit")}</td>
              <td className={css.blocks}>{during(course.periods, "expedited")}</td>
              <td className={css.blocks}>{during(course.periods, "voting")}</td>
              <td>{outcomeOf(course) || brief(course)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
