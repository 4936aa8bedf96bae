import { usePage } from "../store/page.ts";
import type { ProposalView } from "../store/types.ts";
import { useAsked } from "../store/use-asked.ts";
import { Fact, Facts } from "../widgets/Facts.tsx";
import { amount, percent } from "../widgets/format.ts";
import { useNames } from "../widgets/use-names.ts";

interface Coin {
  readonly denom: string;
  readonly amount: string;
}
interface Answers {
  readonly proposer: string;
  readonly deposits: readonly { readonly depositor: string; readonly amount: readonly Coin[] }[];
  readonly votes: readonly { readonly voter: string; readonly options: readonly Choice[] }[];
}
interface Choice {
  readonly option: string;
  /** A decimal, of 1. */
  readonly weight: string;
}

const GOV = "chain.gov.v1.Query";

/** Who proposed it, who has deposited how much, and the votes of each account, while the chain has them. */
export function Ballots({ proposal }: { proposal: ProposalView }) {
  const { client } = usePage();
  const named = useNames();
  const { id, status, deposit, yes, no, abstain, veto } = proposal;
  const about = [id, status, deposit, yes, no, abstain, veto].join(" ");
  const { answer, problem } = useAsked(about, async (): Promise<Answers> => {
    const request = { proposal_id: String(id) };
    const [one, paid, cast] = await Promise.all([
      client.query<{ proposal: { proposer: string } }>(`${GOV}/Proposal`, request),
      client.query<Pick<Answers, "deposits">>(`${GOV}/Deposits`, request),
      client.query<Pick<Answers, "votes">>(`${GOV}/Votes`, request),
    ]);
    return { ...one.proposal, ...paid, ...cast };
  });
  if (!answer) return <p className="soft small">{problem}</p>;
  const { proposer, deposits, votes } = answer;
  return (
    <Facts>
      <Fact name="proposed by">{named(proposer)}</Fact>
      {deposits.map((one) => (
        <Fact key={one.depositor} name={`deposit of ${named(one.depositor)}`}>
          {one.amount.map((coin) => `${amount(coin.amount)} ${coin.denom}`).join(", ")}
        </Fact>
      ))}
      {votes.map(({ voter, options }) => (
        <Fact key={voter} name={`vote of ${named(voter)}`}>
          {voteText(options)}
        </Fact>
      ))}
    </Facts>
  );
}

const voteText = (options: readonly Choice[]): string =>
  options
    .map(({ option, weight }) => {
      const word = option.replace("VOTE_OPTION_", "").replaceAll("_", " ").toLowerCase();
      return options.length === 1 ? word : `${word} ${percent(Number(weight), 1)}`;
    })
    .join(", ");
