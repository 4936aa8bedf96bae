import { useRef } from "react";
import { useFrameState } from "../../store/page.ts";
import type { NoReturn } from "../../store/types.ts";
import { count, percent } from "../../widgets/format.ts";
import { useSize } from "../../widgets/use-size.ts";
import css from "./lab.module.css";
import { BOTTOM, LEFT, noReturnLayout, TOP } from "./no-return-layout.ts";

const HEIGHT = 224;
const FLOOR = HEIGHT - BOTTOM;
const LEVELS = [1, 0.5, 0];
/** Characters of a command that fit below its point. */
const ROOM = 18;
/** Width of the text beside the cliff. */
const JUMP = 150;

interface NoReturnChartProps {
  answer: NoReturn;
  /** Shows a height. */
  goTo: (height: number) => void;
}

/** The share of failing futures, by command; each point links to its height. */
export function NoReturnChart({ answer, goTo }: NoReturnChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const { width } = useSize(place) ?? { width: 0 };
  return (
    <div ref={place} className={css.chart}>
      {width > 0 && <Drawn answer={answer} goTo={goTo} width={width} />}
    </div>
  );
}

function Drawn({ answer, goTo, width }: NoReturnChartProps & { width: number }) {
  const shown = useFrameState(({ frame }) => frame?.past?.shown);
  const { points, line, area, named } = noReturnLayout(answer, width, HEIGHT);
  const levelOf = (share: number): number => TOP + (1 - share) * (FLOOR - TOP);
  const [cliff, after] = [points[answer.cliff], points[answer.cliff + 1]];
  return (
    <>
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
        {LEVELS.map((level) => (
          <g key={level}>
            <path d={`M${LEFT} ${levelOf(level)}H${width}`} stroke="var(--line)" />
            <text x={LEFT - 8} y={levelOf(level) + 4} data-at="end">
              {level * 100} %
            </text>
          </g>
        ))}
        <path d={area} fill="var(--bad-wash)" />
        <path d={line} fill="none" stroke="var(--bad)" strokeWidth="2.6" strokeLinejoin="round" />
        {cliff && after && (
          <>
            <path
              d={`M${after.x - 8} ${cliff.y}V${after.y}m-4 0h8M${after.x - 12} ${cliff.y}h8`}
              fill="none"
              stroke="var(--ink)"
              strokeWidth="1.4"
            />
            <text
              x={after.x > JUMP + LEFT ? after.x - 18 : after.x + 12}
              y={(cliff.y + after.y) / 2 + 4}
              className={css.jump}
              data-at={after.x > JUMP + LEFT ? "end" : "start"}
            >
              {percent(cliff.share, 1)} → {percent(after.share, 1)}
            </text>
          </>
        )}
        {points.map(
          ({ x, height, command, side }, i) =>
            named.has(i) && (
              <g key={x}>
                <text
                  x={x}
                  y={FLOOR + 18}
                  data-at={side}
                  data-cliff={i === answer.cliff || undefined}
                >
                  {command.length > ROOM ? `${command.slice(0, ROOM - 1)}…` : command}
                </text>
                <text x={x} y={FLOOR + 34} data-at={side} className={css.height}>
                  at {count(height)}
                </text>
              </g>
            ),
        )}
      </svg>
      <ol className={css.points} aria-label="How often it ends so, by command">
        {points.map(({ x, y, height, command, share }, i) => {
          const next = command === "" ? "" : `: ${command}`;
          const text = `Block ${count(height)}${next}; ${percent(share, 1)} end so.`;
          return (
            <li key={x} style={{ left: x, top: y }}>
              <button
                type="button"
                className={css.point}
                data-cliff={i === answer.cliff || undefined}
                data-shown={shown === height || undefined}
                aria-label={text}
                title={text}
                onClick={() => goTo(height)}
              />
            </li>
          );
        })}
      </ol>
    </>
  );
}
