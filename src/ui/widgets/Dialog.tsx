import { type ReactNode, useEffect, useRef } from "react";
import { closeDialog } from "../store/dialog.ts";
import css from "./Dialog.module.css";
import { Icon } from "./Icon.tsx";

interface DialogProps {
  title: string;
  children: ReactNode;
  wide?: boolean;
}

/** The browser's own modal dialog: it keeps the focus, closes on Escape and gives the focus back. */
export function Dialog({ title, children, wide = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={css.dialog}
      data-wide={wide || undefined}
      aria-labelledby="dialog-title"
      onClose={closeDialog}
    >
      <header className={css.head}>
        <h2 id="dialog-title">{title}</h2>
        <button type="button" data-plain="" aria-label="Close" onClick={closeDialog}>
          <Icon name="close" />
        </button>
      </header>
      <div className={css.body}>{children}</div>
    </dialog>
  );
}
