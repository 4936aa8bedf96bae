import { BurnedChart } from "../charts/BurnedChart.tsx";
import css from "../charts/charts.module.css";
import { PowerChart } from "../charts/PowerChart.tsx";
import { useSamples } from "../charts/use-samples.ts";
import { useWorld } from "../store/frame-store.ts";

/** Numbers over time. */
export default function Charts() {
  const samples = useSamples();
  const nodes = useWorld(({ frame }) => frame?.nodes)?.map((node) => node.name) ?? [];
  const burned = useWorld(({ frame }) => frame?.chain?.burned ?? "0");
  const denom = useWorld(({ frame }) => frame?.chain?.denom ?? "");
  return (
    <div className={css.charts}>
      <PowerChart samples={samples} nodes={nodes} />
      <BurnedChart samples={samples} burned={burned} denom={denom} />
    </div>
  );
}
