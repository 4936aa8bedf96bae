import type { Node } from "../store/types.ts";
import { Icon } from "./Icon.tsx";
import css from "./StateWord.module.css";
import { processState, type State, standingState } from "./words.ts";

/** A state as icon and word; its meaning is the tooltip, or stands beside it when `meaning` is set. */
export function StateWord({ state, meaning = false }: { state: State; meaning?: boolean }) {
  return (
    <span className={css.state} data-tone={state.tone} title={meaning ? undefined : state.meaning}>
      <Icon name={state.icon} size={14} />
      {state.word}
      {meaning && <span className={css.meaning}>{state.meaning}</span>}
    </span>
  );
}

/** What the machine does and, if there is something to say, what the chain thinks of the validator. */
export function NodeState({ node }: { node: Node }) {
  const standing = standingState(node);
  return (
    <span className={css.both}>
      <StateWord state={processState(node)} />
      {standing && <StateWord state={standing} />}
    </span>
  );
}
