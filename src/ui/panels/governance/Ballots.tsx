import type { BallotView } from "../../store/types.ts";
import { useQuery } from "../../store/use-query.ts";
import { amount, count, percent } from "../../widgets/format.ts";
import { Linked, useLinkTargets } from "../../widgets/Linked.tsx";
import { useNames } from "../../widgets/use-names.ts";
import css from "./Ballots.module.css";
import type { Course } from "./use-governance.ts";

interface BallotsProps {
  course: Course;
  denom: string;
  /** Height of an earlier tally; 0 for the last one, or for now. */
  height?: number;
}

/** Deposits by account, and the vote of each account with its power. */
export function Ballots({ course, denom, height = 0 }: BallotsProps) {
  const named = useNames();
  const known = useLinkTargets();
  const { proposal, ended } = course;
  const { id, deposit, yes, no, abstain, veto } = proposal;
  const about = [id, ended, height, deposit, yes, no, abstain, veto].join(" ");
  const { answer, problem } = useQuery(about, (lab) => lab.getBallots({ proposal: id, height }));
  if (!answer) return <p className="soft small">{problem}</p>;
  const { deposits, votes } = answer;
  const who = (address: string) => <Linked text={named(address)} targets={known} />;
  return (
    <div className={css.ballots}>
      {height === 0 && deposits.length > 0 && (
        <Table title={`Deposits of proposal ${id}`} columns={["Deposit of", denom, "Became"]}>
          {deposits.map(({ depositor, amount: input, returned, lost }) => (
            <tr key={depositor}>
              <th scope="row">{who(depositor)}</th>
              <td className="number">{amount(input)}</td>
              <td>{fate(returned, lost)}</td>
            </tr>
          ))}
        </Table>
      )}
      {votes.length > 0 && (
        <Table
          title={`Votes on proposal ${id}`}
          columns={["Vote of", "Vote", "Own stake", "Inherited"]}
        >
          {votes.map(({ voter, own, inherited, ...vote }) => (
            <tr key={voter}>
              <th scope="row">{who(voter)}</th>
              <td>{voteText(vote)}</td>
              <td className="number">{amount(own)}</td>
              <td className="number">{amount(inherited)}</td>
            </tr>
          ))}
        </Table>
      )}
      {votes.length === 0 && <p className="soft small">No vote has been cast.</p>}
      {height > 0 && votes.length > 0 && (
        <p className="soft small">Counted in block {count(height)}, and deleted then.</p>
      )}
    </div>
  );
}

interface TableProps {
  title: string;
  columns: readonly string[];
  children: React.ReactNode;
}

function Table({ title, columns, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={css.table} aria-label={title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column, i) => (
              <th
                key={column}
                scope="col"
                className={i === 0 || IN_WORDS.has(column) ? "" : "number"}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

const IN_WORDS: ReadonlySet<string> = new Set(["Became", "Vote"]);

function fate(returned: string, lost: string): string {
  if (returned === "0" && lost === "0") return "held";
  if (lost === "0") return "refunded";
  return returned === "0" ? "burned" : `${amount(lost)} lost, the rest refunded`;
}

const OPTIONS = [
  ["yes", "yes"],
  ["no", "no"],
  ["veto", "no with veto"],
  ["abstain", "abstain"],
] as const;

type Weights = Pick<BallotView, (typeof OPTIONS)[number][0]>;

const voteText = (weights: Weights): string =>
  OPTIONS.filter(([option]) => weights[option] > 0)
    .map(([option, word]) =>
      weights[option] === 1 ? word : `${word} ${percent(weights[option], 1)}`,
    )
    .join(", ");
