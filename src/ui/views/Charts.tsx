import { BurnedChart } from "../charts/BurnedChart.tsx";
import css from "../charts/charts.module.css";
import { PowerChart } from "../charts/PowerChart.tsx";
import { useFrameState } from "../store/page.ts";

/** Numbers over time. */
export default function Charts() {
  const names = useFrameState(
    ({ frame }) => frame?.validators.map(({ name }) => name).join("\n") ?? "",
  );
  const burned = useFrameState(({ frame }) => frame?.chain?.burned ?? "0");
  const denom = useFrameState(({ frame }) => frame?.chain?.denom ?? "");
  return (
    <div className={css.charts}>
      <PowerChart validators={names.split("\n")} />
      <BurnedChart burned={burned} denom={denom} />
    </div>
  );
}
