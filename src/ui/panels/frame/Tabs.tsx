import { useEffect, useRef } from "react";
import { useActions, useFrameState } from "../../store/page.ts";
import { hrefTo, useRoute, VIEWS, type View } from "../../store/route.ts";
import css from "./Tabs.module.css";

const TITLES: Readonly<Record<View, string>> = {
  network: "Network",
  evidence: "Evidence",
  upgrades: "Upgrades",
  governance: "Governance",
  charts: "Charts",
};

/** The views as links, and the two things that people come here to do. */
export function Tabs() {
  const { openDialog } = useActions();
  const { view, selection } = useRoute();
  const evidence = useFrameState(({ frame }) => frame?.evidence.length ?? 0);
  const planned = useFrameState(({ frame }) => frame?.plan?.name ?? "");
  const tabs = useRef<HTMLElement>(null);
  // Where the row of tabs is wider than the screen; only that row is moved.
  useEffect(() => {
    const link = tabs.current?.querySelector<HTMLElement>(`[href*="/${view}"]`);
    tabs.current?.scrollTo({ left: (link?.offsetLeft ?? 0) - 40 });
  }, [view]);
  const badge: Partial<Record<View, string>> = {
    ...(evidence > 0 && { evidence: String(evidence) }),
    ...(planned && { upgrades: planned }),
  };
  return (
    <div className={css.row}>
      <nav ref={tabs} className={css.tabs} aria-label="Views">
        {VIEWS.map((each) => (
          <a
            key={each}
            href={hrefTo({ view: each, selection })}
            aria-current={each === view ? "page" : undefined}
          >
            {TITLES[each]}
            {badge[each] && <span className={css.badge}>{badge[each]}</span>}
          </a>
        ))}
      </nav>
      <div className={css.actions}>
        <button
          type="button"
          title="Make a validator double sign (D)"
          onClick={() => openDialog("double-sign", selection?.kind === "node" ? selection.id : "")}
        >
          Double sign…
        </button>
        <button type="button" title="Propose an upgrade (U)" onClick={() => openDialog("upgrade")}>
          Upgrade…
        </button>
      </div>
    </div>
  );
}
