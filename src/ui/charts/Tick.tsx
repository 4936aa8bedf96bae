import type { XAxisTickContentProps, YAxisTickContentProps } from "recharts";

/**
 * One tick's label as a single text element; Recharts' own measures the text to break it into
 * lines.
 */
export function Tick({
  x,
  y,
  textAnchor,
  verticalAnchor,
  payload,
  index,
  tickFormatter,
}: XAxisTickContentProps | YAxisTickContentProps) {
  return (
    <text
      x={x}
      y={y}
      dy={verticalAnchor === "start" ? "0.71em" : "0.355em"}
      textAnchor={textAnchor}
      fill="var(--soft)"
    >
      {tickFormatter?.(payload.value, index)}
    </text>
  );
}
