import { type ReactNode, useEffect, useRef } from "react";
import css from "./ApiPanel.module.css";

interface RequestPaneProps {
  label: string;
  title: string;
  onLeave: () => void;
  children: ReactNode;
}

/** The pane of a request; its heading gets the focus when the request is opened. */
export function RequestPane({ label, title, onLeave, children }: RequestPaneProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={css.request} tabIndex={0} aria-label={label}>
      <button type="button" className={css.back} onClick={onLeave}>
        All endpoints
      </button>
      <h3 ref={heading} tabIndex={-1}>
        {title}
      </h3>
      {children}
    </section>
  );
}
