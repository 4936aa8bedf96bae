import { threshold } from "../store/halt.ts";
import { useFrameState } from "../store/page.ts";
import { binaryColor } from "./BinaryChip.tsx";
import { percent } from "./format.ts";
import css from "./PowerBar.module.css";

export interface PowerPart {
  readonly label: string;
  readonly power: number;
  /** Index of a binary; undefined is drawn hatched: power that does not vote. */
  readonly binary: number | undefined;
}

/** Parts of the total voting power side by side, with the threshold that must be exceeded. */
export function PowerBar({ parts }: { parts: readonly PowerPart[] }) {
  const total = useFrameState(({ frame }) => frame?.chainStatus?.totalPower ?? 0);
  const needed = useFrameState(({ frame }) => frame?.chainStatus?.neededPower ?? 0);
  const shares = parts.map((part) => `${part.label} ${percent(part.power, total)}`).join(", ");
  return (
    <div
      className={css.bar}
      data-bar=""
      role="img"
      aria-label={`${shares}; needs ${threshold(needed, total)}`}
    >
      {parts.map((part) => (
        <span
          key={part.label}
          className={part.binary === undefined ? css.absent : css.part}
          style={{
            width: `${(part.power / Math.max(1, total)) * 100}%`,
            ...(part.binary !== undefined && { background: binaryColor(part.binary) }),
          }}
        />
      ))}
      <span className={css.line} style={{ left: `${(needed / Math.max(1, total)) * 100}%` }} />
    </div>
  );
}
