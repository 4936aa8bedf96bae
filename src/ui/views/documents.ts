import { FIRST_VIEW, goTo } from "../store/route.ts";
import { lazyPart } from "../widgets/lazy-part.tsx";
import type { DocumentName } from "./close-document.ts";
import { VIEWS, type View } from "./views.ts";

const VIEW_OF: Readonly<Record<DocumentName, View>> = {
  scenario: {
    name: "scenario",
    title: "Scenario",
    Component: lazyPart("The scenario", () => import("./Scenario.tsx"), false),
  },
  compare: {
    name: "compare",
    title: "Compare",
    Component: lazyPart("The comparison", () => import("./Compare.tsx"), false),
  },
  lab: {
    name: "lab",
    title: "Lab",
    Component: lazyPart("The lab", () => import("./Lab.tsx"), false),
  },
};

/** Opens such a view, and adds its tab. */
export function showDocument(name: DocumentName): void {
  add(VIEW_OF[name]);
  goTo({ view: name });
}

/**
 * Opens the view named by an address, as on a reload: the page has drawn another view in its place.
 */
export function showAddressed(name: DocumentName): void {
  const view = VIEW_OF[name];
  if (VIEWS.includes(view)) return;
  add(view);
  const { href } = location;
  for (const address of [`#/${FIRST_VIEW}`, href]) {
    history.replaceState(history.state, "", address);
    dispatchEvent(new HashChangeEvent("hashchange"));
  }
}

function add(view: View): void {
  if (!VIEWS.includes(view)) VIEWS.push(view);
}
