import { useEffect, useRef } from "react";
import { useActions, useFrameState } from "../../store/page.ts";
import { hrefTo, useRoute } from "../../store/route.ts";
import { VIEWS, viewOf } from "../../views/views.ts";
import { ControlButton } from "../../widgets/ControlButton.tsx";
import { Icon } from "../../widgets/Icon.tsx";
import css from "./Tabs.module.css";

/** The views as links, and the two main actions. */
export function Tabs() {
  const { openDialog } = useActions();
  const { view, selection } = useRoute();
  const current = viewOf(view).name;
  const evidence = useFrameState(({ frame }) => frame?.evidence.length ?? 0);
  const planned = useFrameState(({ frame }) => frame?.plan?.name ?? "");
  const tabs = useRef<HTMLElement>(null);
  // If the row of tabs is wider than the screen, scroll only that row.
  useEffect(() => {
    const link = tabs.current?.querySelector<HTMLElement>(`[href*="/${current}"]`);
    tabs.current?.scrollTo({ left: (link?.offsetLeft ?? 0) - 40 });
  }, [current]);
  const badge: Readonly<Record<string, string>> = {
    ...(evidence > 0 && { evidence: String(evidence) }),
    ...(planned && { upgrades: planned }),
  };
  return (
    <div className={css.row}>
      <nav ref={tabs} className={css.tabs} aria-label="Views">
        {VIEWS.map(({ name, title }, i) => (
          <a
            key={name}
            title={`${title} (${i + 1})`}
            aria-keyshortcuts={`${i + 1}`}
            href={hrefTo({ view: name, selection })}
            aria-current={name === current ? "page" : undefined}
          >
            {title}
            {badge[name] && <span className={css.badge}>{badge[name]}</span>}
          </a>
        ))}
      </nav>
      <div className={css.actions}>
        <ControlButton
          title="Make a validator double-sign (D)"
          onClick={() => openDialog("double-sign", selection?.kind === "node" ? selection.id : "")}
        >
          Double sign…
        </ControlButton>
        <ControlButton title="Propose an upgrade (U)" onClick={() => openDialog("upgrade")}>
          Upgrade…
        </ControlButton>
        <button
          type="button"
          data-plain=""
          className={css.side}
          popoverTarget="details"
          aria-label="Details"
        >
          <Icon name="details" />
        </button>
      </div>
    </div>
  );
}
