import { type ButtonHTMLAttributes, useState } from "react";
import { WATCHED } from "../store/notices.ts";
import { useActions, useFrameState } from "../store/page.ts";

/** True if another tab plays the world, so that this one cannot change it. */
export const useWatching = (): boolean =>
  useFrameState(({ frame }) => frame?.player?.kept?.role === "watching");

interface ControlButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "onClick"> {
  /** Action; the button is busy until its promise resolves, which is when it is saved. */
  onClick: () => unknown;
}

/**
 * A button that changes the world: disabled while another tab plays it, and hidden for a node's
 * chain that this page only watches.
 */
export function ControlButton(props: ControlButtonProps) {
  return useOnlyWatches() ? null : <Shown {...props} />;
}

/** True if this page only watches a node's chain: its controls and their texts are hidden. */
export const useOnlyWatches = (): boolean =>
  useFrameState(({ frame }) => frame?.player?.attached?.steers === false);

function Shown({ onClick, disabled, title, ...rest }: ControlButtonProps) {
  const { inBranch } = useActions();
  const watching = useWatching();
  const [pending, setPending] = useState(0);
  const press = async (): Promise<void> => {
    setPending((n) => n + 1);
    await inBranch(onClick);
    setPending((n) => n - 1);
  };
  return (
    <button
      type="button"
      {...rest}
      aria-busy={pending > 0 || undefined}
      disabled={watching || disabled}
      title={watching ? WATCHED : title}
      onClick={press}
    />
  );
}
