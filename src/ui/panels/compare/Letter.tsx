import css from "./compare.module.css";

/** Marks one of two: sides are letters, no colours. */
export const Letter = ({ of }: { of: "A" | "B" }) => <span className={css.letter}>{of}</span>;
