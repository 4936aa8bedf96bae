import { useActions, useFrameState } from "../../store/page.ts";
import type { InjectedFault } from "../../store/types.ts";
import { ControlButton } from "../../widgets/ControlButton.tsx";
import { count } from "../../widgets/format.ts";
import { faultLabel } from "../../widgets/states.ts";
import css from "./InjectedFaults.module.css";

/**
 * Planned faults and a running chaos, with a button that clears them. Acting faults are marked on
 * their nodes.
 */
export default function InjectedFaults() {
  const { act } = useActions();
  const injected = useFrameState(({ frame }) => frame?.faults);
  const planned = injected?.faults.filter((fault) => fault.planned) ?? [];
  const chaos = injected?.chaos;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={css.faults} tabIndex={0} aria-label="Planned faults">
      <ul>
        {chaos && (
          <li>
            Chaos of level {chaos.level}, up to height {count(chaos.to)}
          </li>
        )}
        {planned.map((fault, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal faults may be planned twice
          <li key={i}>
            {fault.node && `${fault.node}: `}
            {faultLabel(fault.kind)}, <span className="soft">{whenPlanned(fault)}</span>
          </li>
        ))}
      </ul>
      <ControlButton onClick={() => act({ fault: { clear: "all" } }, "All faults are cleared.")}>
        Clear all faults
      </ControlButton>
    </section>
  );
}

/** The heights of a planned fault. */
export const whenPlanned = ({ from, to }: Pick<InjectedFault, "from" | "to">): string =>
  to === 0
    ? `planned from height ${count(from)} until cleared`
    : `planned from height ${count(from)} to ${count(to)}`;
