import { useCallback, useMemo } from "react";
import { Line } from "recharts";
import { count, percent } from "../widgets/format.ts";
import type { Size } from "../widgets/use-size.ts";
import { lineOf, SHARES } from "./axis.ts";
import { type BlockPoint, blockPoints, extentOf } from "./block-series.ts";
import type { BlockWindowStore } from "./block-window.ts";
import { ChartCard } from "./ChartCard.tsx";
import { HeightChart } from "./HeightChart.tsx";
import { useTurn } from "./use-turn.ts";

const TITLE = "Participation";
const MARK = { at: 200 / 3, label: "more than 2/3", color: "var(--warn)" };

/** Share of the power that signed each block, against the two thirds that a block must exceed. */
export function ParticipationChart({ shown }: { shown: BlockWindowStore }) {
  const answer = useTurn(() => shown.getState().answer);
  const points = useMemo(() => blockPoints(answer), [answer]);
  const extent = extentOf(points, ({ signed }) => -signed);
  const chart = useCallback(
    (size: Size) => (
      <HeightChart
        {...{ title: TITLE, size, points }}
        axis={SHARES}
        tip={(share, point) => [signedText(share, point), "signed"]}
        mark={MARK}
      >
        <Line dataKey="signed" type="stepAfter" {...lineOf(points)} />
      </HeightChart>
    ),
    [points],
  );
  return (
    <ChartCard
      title={TITLE}
      summary={extent ? summary(-extent.mean, extent.extreme) : "Appears with the first blocks."}
      table={{
        columns: [
          { title: "Height", show: (height) => count(Number(height)) },
          { title: "Signed, power", show: (power) => count(Number(power)) },
          { title: "Of", show: (power) => count(Number(power)) },
          { title: "Signed, %", show: (share) => percent(Number(share), 100) },
        ],
        rows: () =>
          points.map(({ height, signedPower, totalPower, signed }) => {
            return [height, signedPower, totalPower, Number(signed.toFixed(2))];
          }),
        lastFirst: true,
      }}
      chart={chart}
    />
  );
}

const summary = (mean: number, least: BlockPoint): string =>
  least.signed === 100
    ? "Every block shown is signed by all of the power."
    : `${percent(mean, 100)} of the power on average; the least ${percent(least.signed, 100)}, at block ${count(least.height)}.`;

const signedText = (share: number, { signedPower, totalPower }: BlockPoint): string =>
  `${percent(share, 100)}: ${count(signedPower)} of ${count(totalPower)}`;
