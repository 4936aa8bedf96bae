import type { ProposalView, TallyView } from "../../store/types.ts";
import { percent } from "../../widgets/format.ts";
import { besides } from "./proposal-words.ts";
import css from "./Tally.module.css";

const OPTIONS = [
  ["yes", "yes"],
  ["no", "no"],
  ["veto", "no with veto"],
  ["abstain", "abstain"],
] as const;

interface Meter {
  readonly name: string;
  readonly share: number;
  readonly limit: number;
  readonly needs: (limit: string) => string;
}

/** Shares of the bonded stake, with the limits of the tally. */
export function Tally({ proposal }: { proposal: ProposalView }) {
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
        <li>of what is bonded</li>
      </ul>
      <ul className={`small ${css.meters}`}>
        {metersOf(tally).map(({ name, share, limit, needs }) => {
          const [value, mark] = besides(share, limit);
          return (
            <li key={name}>
              <span>{name}</span>
              <span className={css.meter} data-bar="" aria-hidden="true">
                <span style={{ width: `${share * 100}%` }} />
                <i style={{ left: `${limit * 100}%` }} />
              </span>
              <span className="soft">
                <b>{value}</b>, {needs(mark)}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const metersOf = (tally: TallyView): readonly Meter[] => [
  {
    name: "Turnout",
    share: tally.turnout,
    limit: tally.quorum,
    needs: (limit) => `quorum ${limit}`,
  },
  {
    name: "No with veto",
    share: tally.veto,
    limit: tally.vetoThreshold,
    needs: (limit) => `more than ${limit} rejects`,
  },
  {
    name: "Yes, excluding abstain",
    share: tally.yes,
    limit: tally.threshold,
    needs: (limit) => `more than ${limit} passes`,
  },
];
