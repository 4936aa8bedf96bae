import { type RefObject, Suspense, useEffect, useRef, useState } from "react";
import type { DrawerTab } from "../../store/dialog.ts";
import { useDialog, useFrameState, usePage } from "../../store/page.ts";
import { Icon } from "../../widgets/Icon.tsx";
import { lazyPart } from "../../widgets/lazy-part.tsx";
import { takesRoom } from "../../widgets/takes-room.ts";
import css from "./Drawer.module.css";
import { NoSteps } from "./DrawerRoom.tsx";

const ActivityLines = lazyPart("These lines", () => import("./ActivityLines.tsx"));
const ApiPanel = lazyPart("The API panel", () => import("../api/ApiPanel.tsx"), false);
const Terminal = lazyPart("The terminal", () => import("../terminal/Terminal.tsx"), false);
const NodeLog = lazyPart("The log of one node", () => import("./NodeLog.tsx"));

const TABS = [
  ["step", "Steps (why)"],
  ["event", "Events"],
  ["log", "Logs"],
  ["node", "Log of one node"],
  ["api", "API"],
  ["terminal", "Terminal"],
] as const;

/** Tabs in which a person works, with as much room as a view. */
const WORK: readonly DrawerTab[] = ["api", "terminal"];

/** Scrolls to a part once what stands beside this is loaded: on a phone the drawer is below the view, and grows with its tab. */
function InView({ of }: { of: RefObject<HTMLElement | null> }) {
  // Newer browsers answer a scroll with a promise, which is no cleanup of an effect.
  useEffect(() => {
    of.current?.scrollIntoView({ block: "nearest" });
  }, [of]);
  return null;
}

/** What happened, newest at the bottom, as a log is read, and where the chain is asked in words of its interfaces. */
export default function Drawer() {
  const { dialog } = usePage();
  const drawer = useDialog((state) => state.drawer);
  const show = (tab: DrawerTab | undefined): void => dialog.setState({ drawer: tab });
  // The tab that was closed is the one that is opened again.
  const [closed, setClosed] = useState<DrawerTab>("step");
  const open = drawer !== undefined;
  // It is said from the page's first paint on.
  const first = useFrameState(({ activity }) => activity.step.length === 0);
  const tab = drawer ?? closed;
  const works = open && WORK.includes(tab);
  const section = useRef<HTMLElement>(null);
  // Notices stand above it.
  useEffect(() => takesRoom("--drawer")(section.current), []);
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
          {TABS.map(([id, title]) => (
            <button
              key={id}
              data-tab={id}
              type="button"
              data-plain=""
              aria-pressed={tab === id}
              onClick={() => show(id)}
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
          onClick={() => {
            setClosed(tab);
            show(open ? undefined : closed);
          }}
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
