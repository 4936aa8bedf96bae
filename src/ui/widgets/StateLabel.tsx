import type { Node, Validator } from "../store/types.ts";
import { Icon } from "./Icon.tsx";
import css from "./StateLabel.module.css";
import { NO_NODE, processState, type State, validatorState } from "./states.ts";

/**
 * A state as icon and label; its meaning is the tooltip, or is shown beside it when `meaning` is
 * set.
 */
export function StateLabel({ state, meaning = false }: { state: State; meaning?: boolean }) {
  return (
    <span className={css.state} data-tone={state.tone} title={meaning ? undefined : state.meaning}>
      <Icon name={state.icon} size={14} />
      <span>{state.label}</span>
      {meaning && <span className={css.meaning}>{state.meaning}</span>}
    </span>
  );
}

interface NodeStateProps {
  validator: Validator | undefined;
  node: Node | undefined;
  faults: string;
}

/**
 * State of the node's process and, if they exist, the validator's state on the chain and the node's
 * faults. Apart from these, a node that simply runs has no visible label.
 */
export function NodeState({ validator, node, faults }: NodeStateProps) {
  const status = validator && validatorState(validator);
  const quiet = (status !== undefined || faults !== "") && node?.process === "running";
  return (
    <span className={css.both} data-quiet={quiet || undefined}>
      <StateLabel state={node ? processState(node) : NO_NODE} />
      {status && <StateLabel state={status} />}
      {faults !== "" && (
        <span className={css.faults} title="Faults of the node">
          {faults}
        </span>
      )}
    </span>
  );
}
