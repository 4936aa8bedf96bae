import { type ReactNode, useCallback, useLayoutEffect, useRef } from "react";
import { useActions } from "../store/page.ts";
import css from "./Dialog.module.css";
import { Icon } from "./Icon.tsx";

/** Keeps the focus of Tab among what is between the two, where the last is the button that closes. */
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
 * Takes what stands beside an element out of what is read aloud, but for sentences that are spoken by themselves, until
 * the returned function is called. No style depends on it; `inert` would have all that lies behind styled anew.
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
 * Covers the page, keeps the focus, closes on Escape and gives the focus back. A popover, since the browser's own modal
 * dialog has all elements behind it styled, laid out and painted anew when it opens and when it closes.
 */
export function Modal({ children }: { readonly children: ReactNode }) {
  const { closeDialog } = useActions();
  const ref = useRef<HTMLDivElement>(null);
  // An effect after the layout would close it when it has left the page, which gives no focus back.
  useLayoutEffect(() => {
    const cover = ref.current;
    if (!cover) return;
    cover.showPopover();
    cover.focus();
    const showBehind = hideBehind(cover);
    // The focus goes back before it is gone.
    const closing = ({ newState }: Event & { readonly newState?: string }): void => {
      if (newState === "closed") showBehind();
    };
    cover.addEventListener("beforetoggle", closing);
    // Of the whole page: what had the focus may be gone or disabled, and the browser says only a task later that it closed it.
    const press = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      // A search field that is filled would only be emptied, and what lies beneath would be closed.
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
      // Until its title is there.
      aria-label="Dialog"
      aria-labelledby="dialog-title"
      // Closed by the browser: while it closes it, nothing may leave the page.
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

/** Closes the dialog that has it, as long as that is open: by the time of an answer another one may be. */
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
    // Of several radio buttons the one that is chosen, as Tab would.
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
