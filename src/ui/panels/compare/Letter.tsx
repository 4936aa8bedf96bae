import css from "./compare.module.css";

/** Marks one of two sides, by letter instead of colour. */
export const Letter = ({ of }: { of: "A" | "B" }) => <span className={css.letter}>{of}</span>;
