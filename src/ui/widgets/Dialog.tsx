import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useActions } from "../store/page.ts";
import css from "./Dialog.module.css";
import { Icon } from "./Icon.tsx";

/**
 * The browser's own modal dialog: it keeps the focus, closes on Escape and gives the focus back. It stays open while
 * one content takes the place of another, since all that lies behind it is styled anew when it opens or closes.
 */
export function Modal({ children }: { readonly children: ReactNode }) {
  const { closeDialog } = useActions();
  const ref = useRef<HTMLDialogElement>(null);
  // An effect after the layout would close it when it has left the page, which gives no focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={css.dialog}
      aria-labelledby="dialog-title"
      onKeyDown={(event) => {
        // A search field that is filled would only be emptied.
        if (event.key === "Escape" && (event.target as Element).matches("[type=search]"))
          closeDialog();
      }}
      onCancel={(event) => {
        event.preventDefault();
        closeDialog();
      }}
    >
      {children}
    </dialog>
  );
}

interface DialogProps {
  title: string;
  children: ReactNode;
  wide?: boolean;
}

/** What a modal dialog has in it. The first field has the focus, or the title where there is none. */
export function Dialog({ title, children, wide = false }: DialogProps) {
  const { closeDialog } = useActions();
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const first = (selector: string) => ref.current?.querySelector<HTMLElement>(selector);
    (first(":is(input, select, textarea):not(details *, [hidden])") ?? first("h2"))?.focus();
  }, []);
  return (
    <div ref={ref} className={css.card} data-wide={wide || undefined}>
      <h2 id="dialog-title" className={css.title} tabIndex={-1}>
        {title}
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={css.body} tabIndex={0} aria-labelledby="dialog-title">
        {children}
      </section>
      <button
        type="button"
        data-plain=""
        className={css.close}
        aria-label="Close"
        onClick={closeDialog}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
