import { useMemo, useState } from "react";
import { BlockWindowBar } from "../charts/BlockWindowBar.tsx";
import { BurnedChart } from "../charts/BurnedChart.tsx";
import { createBlockWindow } from "../charts/block-window.ts";
import css from "../charts/charts.module.css";
import { HeatMap } from "../charts/HeatMap.tsx";
import { IntervalChart } from "../charts/IntervalChart.tsx";
import { ParticipationChart } from "../charts/ParticipationChart.tsx";
import { PowerChart } from "../charts/PowerChart.tsx";
import { TallyChart } from "../charts/TallyChart.tsx";
import { useParticipation } from "../charts/use-participation.ts";
import { useFrameState } from "../store/page.ts";

/** Charts over time: of the complete chain, and of single blocks. */
export default function Charts() {
  // Charts of the complete history mark the shown height, so they use the live validators.
  const names = useFrameState(
    ({ frame, travel }) =>
      (travel?.live.frame ?? frame)?.validators.map(({ name }) => name).join("\n") ?? "",
  );
  const validators = useMemo(() => names.split("\n"), [names]);
  const [shown] = useState(createBlockWindow);
  useParticipation(shown);
  return (
    <div className={css.charts}>
      <PowerChart validators={validators} />
      <BurnedChart />
      <BlockWindowBar shown={shown} />
      <HeatMap shown={shown} />
      <ParticipationChart shown={shown} />
      <IntervalChart shown={shown} />
      <TallyChart />
    </div>
  );
}
