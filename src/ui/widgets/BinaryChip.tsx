import { useFrameState } from "../store/page.ts";
import css from "./BinaryChip.module.css";

/** The colour of a binary: by its index in the world's list. */
export const binaryColor = (index: number): string => `var(--bin-${Math.max(0, index) % 4})`;

export function BinaryChip({ name }: { name: string }) {
  const index = useFrameState(
    ({ frame }) => frame?.binaries.findIndex((b) => b.name === name) ?? -1,
  );
  return (
    <span className={css.chip} title={name} style={{ color: binaryColor(index) }}>
      {name}
    </span>
  );
}
