import { type ReactNode, useCallback, useLayoutEffect, useRef } from "react";
import { useActions } from "../store/page.ts";
import css from "./Dialog.module.css";
import { Icon } from "./Icon.tsx";

/** Cycles the Tab focus among the elements between the two; the last one is the close button. */
function Turn({ to }: { readonly to: string }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/noNoninteractiveTabindex: it hands the focus on
    <span tabIndex={0} onFocus={({ target }) => focusIn(target.parentElement, to)} />
  );
}

const focusIn = (around: Element | null, selector: string): void =>
  around?.querySelector<HTMLElement>(selector)?.focus();

const CLOSE = "[aria-label=Close]";
const BODY = "section";

/**
 * Hides the siblings of an element from screen readers, except live regions, until the returned
 * function is called. No style depends on it; `inert` would restyle everything behind it.
 */
function hideBehind(cover: Element): () => void {
  const behind = [...(cover.parentElement?.children ?? [])].filter(
    (other) => other !== cover && !other.ariaLive && !other.ariaHidden,
  );
  for (const other of behind) other.ariaHidden = "true";
  return () => {
    for (const other of behind) other.ariaHidden = null;
  };
}

/**
 * Covers the page, traps the focus, closes on Escape and restores the focus. A popover, since the
 * browser's own modal dialog restyles, lays out and paints everything behind it when it opens and
 * closes.
 */
export function Modal({ children }: { readonly children: ReactNode }) {
  const { closeDialog } = useActions();
  const ref = useRef<HTMLDivElement>(null);
  // An effect after the layout would close it after it has left the page, which does not restore
  // the focus.
  useLayoutEffect(() => {
    const cover = ref.current;
    if (!cover) return;
    cover.showPopover();
    cover.focus();
    const showBehind = hideBehind(cover);
    // The focus is restored before it is removed.
    const closing = ({ newState }: Event & { readonly newState?: string }): void => {
      if (newState === "closed") showBehind();
    };
    cover.addEventListener("beforetoggle", closing);
    // Listens on the whole page: the focused element may be gone or disabled, and the browser
    // reports closing only a task later.
    const press = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      // Otherwise Escape would only clear a filled search field, and close what is beneath.
      event.preventDefault();
      closeDialog();
    };
    document.addEventListener("keydown", press);
    return () => {
      document.removeEventListener("keydown", press);
      cover.hidePopover();
      showBehind();
    };
  }, [closeDialog]);
  return (
    <div
      ref={ref}
      popover="auto"
      role="dialog"
      aria-modal="true"
      tabIndex={-1}
      className={css.cover}
      // Until its title is rendered.
      aria-label="Dialog"
      aria-labelledby="dialog-title"
      // Closed by the browser: nothing may leave the page until it has finished.
      onToggle={({ target, currentTarget, newState }) => {
        if (target === currentTarget && newState === "closed") closeDialog();
      }}
    >
      <Turn to={CLOSE} />
      {children}
      <Turn to={BODY} />
    </div>
  );
}

/** Closes this dialog if it is still open: when an answer arrives, another one may be. */
export function useCloseDialog(): () => void {
  const { closeDialog } = useActions();
  const open = useRef(false);
  useLayoutEffect(() => {
    open.current = true;
    return () => {
      open.current = false;
    };
  }, []);
  return useCallback(() => {
    if (open.current) closeDialog();
  }, [closeDialog]);
}

interface DialogProps {
  title: string;
  children: ReactNode;
  wide?: boolean;
}

/** A modal dialog's content. The first field gets the focus, or the title if there is none. */
export function Dialog({ title, children, wide = false }: DialogProps) {
  const { closeDialog } = useActions();
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const first = (selector: string) => ref.current?.querySelector<HTMLElement>(selector);
    // Of several radio buttons the selected one, as with Tab.
    const fields = ":is(input:not([type=radio]:not(:checked)), select, textarea)";
    (first(`${fields}:not(details *, [hidden])`) ?? first("h2"))?.focus();
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
