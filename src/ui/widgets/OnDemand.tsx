import { type ReactNode, useState } from "react";
import css from "./OnDemand.module.css";

interface OnDemandProps {
  title: string;
  /** Rendered only when it is opened. */
  children: () => ReactNode;
}

/** A collapsible part with costly content, which is created when it is opened. */
export function OnDemand({ title, children }: OnDemandProps) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className={css.part}
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{title}</summary>
      {open && <div className={css.content}>{children()}</div>}
    </details>
  );
}
