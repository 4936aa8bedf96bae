import { Suspense, useDeferredValue } from "react";
import css from "./App.module.css";
import { Notices } from "./panels/cards/Notices.tsx";
import { DrawerRoom } from "./panels/drawer/DrawerRoom.tsx";
import { Tabs } from "./panels/frame/Tabs.tsx";
import { TopBar } from "./panels/frame/TopBar.tsx";
import { lastWorld } from "./store/last-world.ts";
import { useActions, useDialog, useFrameState, useIsAnswered } from "./store/page.ts";
import { useRoute } from "./store/route.ts";
import { useInSlices, useView } from "./views/use-view.ts";
import { lazyPart } from "./widgets/lazy-part.tsx";
import { useIsPainted } from "./widgets/use-is-painted.ts";

const Timeline = lazyPart("The timeline", () => import("./panels/timeline/Timeline.tsx"));
const Dialogs = lazyPart("The dialog", () => import("./dialogs/Dialogs.tsx"));
const Band = lazyPart("What is happening", () => import("./panels/band/Band.tsx"));
const Drawer = lazyPart("What happened", () => import("./panels/drawer/Drawer.tsx"));
const Embedded = lazyPart("The chain", () => import("./embed/Embedded.tsx"), false);
const Inspector = lazyPart("The details", () => import("./panels/inspect/Inspector.tsx"));
const Keys = lazyPart("", () => import("./keys.ts"));
const Presenter = lazyPart("The presenter", () => import("./panels/present/Presenter.tsx"));

export function App() {
  // Rendered in slices, since the presenter is a complete page.
  const presenting = useDeferredValue(useRoute().presenting);
  const answered = useIsAnswered();
  const { embedded } = document.documentElement.dataset;
  return (
    <>
      {/* One boundary for all three: the page stays until the presenter has been loaded. */}
      <Suspense>{embedded ? <Embedded /> : presenting ? <Presenter /> : <Page />}</Suspense>
      <Notices />
      <OpenDialog />
      <Suspense>{answered && !embedded && <Keys />}</Suspense>
    </>
  );
}

/** The frame of the page, then the view. After the presenter, each is rendered in its own task. */
function Page() {
  const { view, selection } = useRoute();
  const { title, Component } = useView(view);
  // Rendered in slices, after the first height: a slow processor shows a running chain before it
  // draws everything.
  const known = useInSlices(useFrameState(({ frame }) => frame !== undefined));
  const answered = useIsAnswered();
  const painted = useIsPainted();
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
        <Suspense>{answered && <Timeline />}</Suspense>
      </section>
      <section className={css.band} aria-label="Situation">
        <Suspense>{answered && <Band />}</Suspense>
      </section>
      <div className={css.middle}>
        <main className={css.centre}>
          <Tabs />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
          <section id="view" className={css.view} tabIndex={0} aria-label={title}>
            <Suspense>{known ? painted && <Component /> : <Starting />}</Suspense>
          </section>
        </main>
        <aside
          id="details"
          popover="auto"
          className={css.inspector}
          data-selected={selection && ""}
          aria-label="Details"
        >
          <Suspense>{answered && <Inspector />}</Suspense>
        </aside>
      </div>
      <Suspense fallback={<DrawerRoom />}>{answered ? <Drawer /> : <DrawerRoom />}</Suspense>
    </div>
  );
}

/** Shown until the engine has answered: nothing on a first visit, which has a block at once. */
function Starting() {
  return <p className="soft">{lastWorld() && "Bringing your chain back…"}</p>;
}

function OpenDialog() {
  const open = useDialog(({ name }) => name !== undefined);
  const { closeDialog } = useActions();
  return <Suspense>{open && <Dialogs onClose={closeDialog} />}</Suspense>;
}
