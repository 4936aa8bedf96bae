import { type ReactNode, useId } from "react";
import css from "./band.module.css";

interface SituationProps {
  headline: ReactNode;
  testId: string;
  tone?: "warn" | "bad";
  /** Explanation of the headline, on the same line. */
  why?: ReactNode;
  /** Actions next to the text. */
  beside?: ReactNode;
  children?: ReactNode;
}

/** A band that explains a situation of the chain: its headline, an explanation, and actions. */
export function Situation({ headline, testId, tone, why, beside, children }: SituationProps) {
  const id = useId();
  const title = <h2 id={id}>{headline}</h2>;
  return (
    <section className={css.band} data-tone={tone} aria-labelledby={id} data-testid={testId}>
      <div className={css.say}>
        {/* Beside the headline, so that the reason stays on that line. */}
        {why ? (
          <div className={css.headline}>
            {title}
            {why}
          </div>
        ) : (
          title
        )}
        {children}
      </div>
      {beside}
    </section>
  );
}
