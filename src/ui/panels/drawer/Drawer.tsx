import { Suspense, useState } from "react";
import type { ActivityKind } from "../../store/frame-store.ts";
import { Icon } from "../../widgets/Icon.tsx";
import { lazyPart } from "../../widgets/lazy-part.tsx";
import css from "./Drawer.module.css";

const ActivityLines = lazyPart("These lines", () => import("./ActivityLines.tsx"));
const NodeLog = lazyPart("The log of one node", () => import("./NodeLog.tsx"));

const TABS = [
  ["step", "Steps (why)"],
  ["event", "Events"],
  ["log", "Logs"],
  ["node", "Log of one node"],
] as const;
type Tab = ActivityKind | "node";

/** What happened, newest at the bottom, as a log is read. */
export function Drawer() {
  const [tab, setTab] = useState<Tab>("step");
  const [open, setOpen] = useState(true);
  return (
    <section className={css.drawer} data-open={open || undefined} aria-label="What happened">
      <div className={css.head}>
        <div className={css.tabs}>
          {TABS.map(([id, title]) => (
            <button
              key={id}
              type="button"
              data-plain=""
              aria-pressed={tab === id}
              onClick={() => {
                setTab(id);
                setOpen(true);
              }}
            >
              {title}
            </button>
          ))}
        </div>
        <button
          type="button"
          data-plain=""
          className={css.fold}
          aria-expanded={open}
          aria-label={open ? "Close the drawer" : "Open the drawer"}
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? "down" : "up"} />
        </button>
      </div>
      <div hidden={!open}>
        {open && <Suspense>{tab === "node" ? <NodeLog /> : <ActivityLines kind={tab} />}</Suspense>}
      </div>
    </section>
  );
}
