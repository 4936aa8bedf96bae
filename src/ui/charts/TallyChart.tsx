import { useCallback, useEffect, useMemo, useState } from "react";
import { Area } from "recharts";
import { useFrameState, usePage } from "../store/page.ts";
import type { ProposalView, TallyHistory } from "../store/types.ts";
import { amount, count, percent } from "../widgets/format.ts";
import type { Size } from "../widgets/use-size.ts";
import { SHARES } from "./axis.ts";
import { ChartCard } from "./ChartCard.tsx";
import css from "./charts.module.css";
import { HeightChart } from "./HeightChart.tsx";
import { OPTIONS, tallyPoints } from "./tally-series.ts";
import { useTurn } from "./use-turn.ts";

const TITLE = "Tally of a proposal";
const NONE: readonly ProposalView[] = [];
const AREAS = OPTIONS.map(({ key, label, color }) => (
  <Area
    key={key}
    dataKey={key}
    name={label}
    stackId="votes"
    type="stepAfter"
    stroke={color}
    fill={color}
    fillOpacity={0.28}
    isAnimationActive={false}
  />
));

/** Votes on a proposal over time, as shares of the bonded stake, against the quorum. */
export function TallyChart() {
  const { frames } = usePage();
  const { proposals: all = NONE, chain } = useTurn(() => frames.getState().frame) ?? {};
  const voted = all.filter(({ votingStart }) => votingStart !== "");
  const [chosen, setChosen] = useState(0);
  const proposal = voted.find(({ id }) => id === chosen) ?? voted.at(-1);
  const history = useTally(proposal);
  // The newest height only while voting is open.
  const newest = history?.last === 0 ? (chain?.height ?? 0) : 0;
  const points = useMemo(() => (history ? tallyPoints(history, newest) : []), [history, newest]);
  const quorum = (proposal?.tally?.quorum ?? 0) * 100;
  const chart = useCallback(
    (size: Size) => (
      <HeightChart
        {...{ title: TITLE, size, points }}
        axis={SHARES}
        tip={(share) => percent(share, 100)}
        mark={{ at: quorum, label: "quorum", color: "var(--ink)" }}
      >
        {AREAS}
      </HeightChart>
    ),
    [points, quorum],
  );
  return (
    <ChartCard
      wide
      empty={!proposal}
      title={TITLE}
      summary={proposal ? summary(proposal, history) : "No proposal has reached a vote."}
      table={{
        columns: [
          { title: "Height", show: (height) => count(Number(height)) },
          ...OPTIONS.map(({ label }) => ({ title: label, show: shownAmount })),
          { title: "Bonded", show: shownAmount },
        ],
        rows: () =>
          (history?.points ?? []).map(({ height, yes, no, abstain, veto, bonded }) => {
            return [height, yes, no, veto, abstain, bonded];
          }),
        lastFirst: true,
      }}
      legend={proposal ? OPTIONS.map(({ label, color }) => ({ name: label, color })) : []}
      chart={chart}
    >
      {voted.length > 1 && (
        <label className={css.choice}>
          <span className="hidden">Proposal</span>
          <select value={proposal?.id} onChange={(event) => setChosen(Number(event.target.value))}>
            {voted.toReversed().map(({ id, title }) => (
              <option key={id} value={id}>
                {id}. {title}
              </option>
            ))}
          </select>
        </label>
      )}
    </ChartCard>
  );
}

const shownAmount = (value: number | string): string => amount(String(value));

function summary({ id, title, status }: ProposalView, history: TallyHistory | undefined): string {
  const { first = 0, last = 0 } = history ?? {};
  const name = `${id}. ${title}: `;
  if (first === 0) return `${name}${status}.`;
  return last === 0
    ? `${name}voting since block ${count(first)}. Shares of what is bonded.`
    : `${name}${status}, voted on from block ${count(first)} to ${count(last)}. Shares of what is bonded.`;
}

/** The tally's history, queried again when the tally or the outcome has changed. */
function useTally(proposal: ProposalView | undefined): TallyHistory | undefined {
  const world = useFrameState(({ frame }) => frame?.world);
  const at = useFrameState((state) => state.at);
  const { client } = usePage();
  const [known, setKnown] = useState<{ readonly id: number; readonly history: TallyHistory }>();
  const { id = 0, status, yes, no, abstain, veto } = proposal ?? {};
  const about = [world, at, id, status, yes, no, abstain, veto].join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: `about` says when the answer is stale
  useEffect(() => {
    if (id === 0 || at === undefined) return;
    let current = true;
    client.lab.getTallyHistory({ proposal: id }).then(
      (history) => current && setKnown({ id, history }),
      () => current && setKnown(undefined),
    );
    return () => {
      current = false;
    };
  }, [about]);
  return known?.id === id ? known.history : undefined;
}
