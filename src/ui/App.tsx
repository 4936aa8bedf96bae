import { Suspense, useDeferredValue } from "react";
import css from "./App.module.css";
import { Notices } from "./panels/cards/Notices.tsx";
import { Drawer } from "./panels/drawer/Drawer.tsx";
import { Tabs } from "./panels/frame/Tabs.tsx";
import { TopBar } from "./panels/frame/TopBar.tsx";
import { lastWorld } from "./store/last-world.ts";
import { useActions, useDialog, useFrameState } from "./store/page.ts";
import { useRoute } from "./store/route.ts";
import { viewOf } from "./views/views.ts";
import { lazyPart } from "./widgets/lazy-part.tsx";

const Timeline = lazyPart("The timeline", () => import("./panels/timeline/Timeline.tsx"));
const Dialogs = lazyPart("The dialog", () => import("./dialogs/Dialogs.tsx"));
const Bands = lazyPart(
  "What is to be known of this world",
  () => import("./panels/cards/Bands.tsx"),
);
const Band = lazyPart("What is happening", () => import("./panels/band/Band.tsx"));
const Inspector = lazyPart("The details", () => import("./panels/inspect/Inspector.tsx"));

export function App() {
  // A view is rendered in slices: the tab that was chosen is marked at once, and no task renders a view whole.
  const { view, selection } = useRoute();
  const { title, Component } = viewOf(useDeferredValue(view));
  const known = useFrameState(({ frame }) => frame !== undefined);
  return (
    <div className={css.app}>
      <button
        type="button"
        className={css.skip}
        onClick={() => document.getElementById("view")?.focus()}
      >
        Skip to the view
      </button>
      <TopBar />
      <section className={css.timeline} data-part="timeline" aria-label="Timeline">
        <Suspense>
          <Timeline />
        </Suspense>
      </section>
      <div className={css.band}>
        <Suspense>{known && <Band />}</Suspense>
      </div>
      <div className={css.middle}>
        <main className={css.centre}>
          <Tabs />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
          <section id="view" className={css.view} tabIndex={0} aria-label={title}>
            <Lost />
            <Said />
            <Suspense>{known ? <Component /> : <Starting />}</Suspense>
          </section>
        </main>
        <aside
          id="details"
          popover="auto"
          className={css.inspector}
          data-selected={selection && ""}
          aria-label="Details"
        >
          <Suspense>
            <Inspector />
          </Suspense>
        </aside>
      </div>
      <Drawer />
      <Notices />
      <OpenDialog />
    </div>
  );
}

/** Until the engine has answered: nothing on a first visit, where a block is there at once. */
function Starting() {
  return <p className="soft">{lastWorld() && "Bringing your chain back…"}</p>;
}

function OpenDialog() {
  const open = useDialog(({ name }) => name !== undefined);
  const { closeDialog } = useActions();
  return <Suspense>{open && <Dialogs onClose={closeDialog} />}</Suspense>;
}

/** What is to be known about this tab and its world. */
function Said() {
  const note = useFrameState(({ frame }) => frame?.player?.note);
  const any = useFrameState(
    ({ frame }) =>
      frame?.player?.kept?.role === "watching" || (frame?.player?.notices.length ?? 0) > 0,
  );
  return (
    <>
      {note && <p className={css.note}>{note}</p>}
      <Suspense>{any && <Bands />}</Suspense>
    </>
  );
}

/** The engine is gone: nothing on the page can help but a reload. A frame that failed is asked for again. */
function Lost() {
  const lost = useFrameState((state) => state.lost);
  const problem = useFrameState((state) => state.problem);
  if (lost === undefined) {
    return (
      problem !== undefined && (
        <p className={css.lost} role="alert">
          The page is out of date: <code>{problem}</code> Trying again…
        </p>
      )
    );
  }
  return (
    <div className={css.lost} role="alert">
      <p>
        The engine has stopped: <code>{lost}</code>
      </p>
      <button type="button" onClick={() => location.reload()}>
        Reload the page
      </button>
    </div>
  );
}
