import { useId } from "react";
import { useStore } from "zustand";
import type { ExpressionCheck, OfferedExpression } from "../../../store/types.ts";
import { Icon } from "../../../widgets/Icon.tsx";
import css from "./follow.module.css";
import { type Following, MOST_EXPRESSIONS, problemText } from "./follow.ts";

interface ExpressionListProps {
  following: Following;
  /** Problems of the expressions and suggestions; absent until checked. */
  check: ExpressionCheck | undefined;
}

/** The watched expressions, each with its problem below it. */
export function ExpressionList({ following, check }: ExpressionListProps) {
  const expressions = useStore(following.store, (followed) => followed.expressions);
  const id = useId();
  return (
    <ol className={css.expressions} aria-label="Expressions">
      {expressions.map((expression, i) => {
        const wrong = check?.wrong.find((one) => one.expression === i)?.problem;
        const problemId = `${id}-${i}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what is written in
          <li key={i}>
            <input
              type="text"
              aria-label={`Expression ${i + 1}`}
              spellCheck={false}
              autoComplete="off"
              value={expression}
              aria-invalid={wrong !== undefined || undefined}
              aria-describedby={wrong && problemId}
              placeholder="{ tokens: val-0 }"
              onChange={({ target }) => following.write(i, target.value)}
            />
            <button
              type="button"
              data-plain=""
              aria-label={`Remove expression ${i + 1}`}
              onClick={() => following.remove(i)}
            >
              <Icon name="cross" size={14} />
            </button>
            {wrong && (
              <p id={problemId} className={`small ${css.wrong}`}>
                {problemText(wrong)}
              </p>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** Adds an expression, from the suggestions or typed manually. */
export function AddExpression({ following, check }: ExpressionListProps) {
  const { length } = useStore(following.store, (followed) => followed.expressions);
  const isFull = length >= MOST_EXPRESSIONS;
  return (
    <span className={css.add}>
      <Offered
        offered={check?.offered ?? []}
        disabled={isFull}
        add={(expression) => following.write(length, expression)}
      />
      <button type="button" disabled={isFull} onClick={() => following.write(length, "")}>
        Add by hand
      </button>
    </span>
  );
}

const KINDS = [
  ["chain", "Chain"],
  ["tokens", "Tokens of a validator"],
  ["node", "What a node is doing"],
  ["event", "Events of a block"],
] as const;

interface OfferedProps {
  offered: readonly OfferedExpression[];
  disabled: boolean;
  add: (expression: string) => void;
}

/** Expressions that can be watched in the file, grouped by subject. */
function Offered({ offered, disabled, add }: OfferedProps) {
  return (
    <select
      aria-label="Add an expression"
      value=""
      disabled={disabled || offered.length === 0}
      onChange={({ target }) => add(target.value)}
    >
      <option value="" disabled>
        Add…
      </option>
      {KINDS.map(([kind, title]) => (
        <optgroup key={kind} label={title}>
          {offered
            .filter((one) => one.kind === kind)
            .map(({ expression, name }) => (
              <option key={expression} value={expression}>
                {name || "running or halted"}
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  );
}
