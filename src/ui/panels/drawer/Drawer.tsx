import { type RefObject, Suspense, useEffect, useRef } from "react";
import type { DrawerTab } from "../../store/dialog.ts";
import { DRAWER_TABS, foldDrawer } from "../../store/drawer-tabs.ts";
import { useDialog, useFrameState, usePage } from "../../store/page.ts";
import { Icon } from "../../widgets/Icon.tsx";
import { lazyPart } from "../../widgets/lazy-part.tsx";
import { publishHeight } from "../../widgets/publish-height.ts";
import css from "./Drawer.module.css";
import { NoSteps } from "./DrawerRoom.tsx";

const ActivityLines = lazyPart("These lines", () => import("./ActivityLines.tsx"));
const ApiPanel = lazyPart("The API panel", () => import("../api/ApiPanel.tsx"), false);
const Terminal = lazyPart("The terminal", () => import("../terminal/Terminal.tsx"), false);
const NodeLog = lazyPart("The log of one node", () => import("./NodeLog.tsx"));

/** Working tabs, which get as much room as a view. */
const WORK: readonly DrawerTab[] = ["api", "terminal"];

/**
 * Scrolls to a part once its neighbours are loaded: on a phone the drawer is below the view, and
 * grows with its tab.
 */
function InView({ of }: { of: RefObject<HTMLElement | null> }) {
  // Newer browsers answer a scroll with a promise, which is no cleanup of an effect.
  useEffect(() => {
    of.current?.scrollIntoView({ block: "nearest" });
  }, [of]);
  return null;
}

/** The drawer: activity as a log, newest at the bottom, and the terminal. */
export default function Drawer() {
  const { dialog } = usePage();
  const drawer = useDialog((state) => state.drawer);
  const folded = useDialog((state) => state.folded);
  const open = drawer !== undefined;
  // Announced from the page's first paint on.
  const first = useFrameState(({ activity }) => activity.step.length === 0);
  const tab = drawer ?? folded;
  const works = open && WORK.includes(tab);
  const section = useRef<HTMLElement>(null);
  // Notices are placed above it.
  useEffect(() => publishHeight("--drawer")(section.current), []);
  return (
    <section
      ref={section}
      className={css.drawer}
      data-part="drawer"
      data-open={open || undefined}
      data-work={works || undefined}
      aria-label="What happened"
    >
      <div className={css.head}>
        <div className={css.tabs}>
          {DRAWER_TABS.map(({ tab: id, title, key }) => (
            <button
              key={id}
              data-tab={id}
              type="button"
              data-plain=""
              title={`${title} (Shift ${key})`}
              aria-keyshortcuts={`Shift+${key}`}
              aria-pressed={tab === id}
              onClick={() => dialog.setState({ drawer: id })}
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
          title={`${open ? "Close" : "Open"} the drawer (Shift D)`}
          aria-keyshortcuts="Shift+D"
          onClick={() => foldDrawer(dialog)}
        >
          <Icon name={open ? "down" : "up"} />
        </button>
      </div>
      <div hidden={!open}>
        {open && (
          <Suspense fallback={tab === "step" && first && <NoSteps />}>
            <Opened tab={tab} />
            {works && <InView of={section} />}
          </Suspense>
        )}
      </div>
    </section>
  );
}

function Opened({ tab }: { tab: DrawerTab }) {
  switch (tab) {
    case "node":
      return <NodeLog />;
    case "api":
      return <ApiPanel />;
    case "terminal":
      return <Terminal />;
    default:
      return <ActivityLines kind={tab} />;
  }
}
