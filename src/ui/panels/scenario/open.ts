/** The view of the scenario that is written: it is there once it was asked for, and goes when it is closed. */
import { FIRST_VIEW, goTo } from "../../store/route.ts";
import { VIEWS, type View } from "../../views/views.ts";
import { lazyPart } from "../../widgets/lazy-part.tsx";
import { SCENARIO } from "./close.ts";

const VIEW: View = {
  name: SCENARIO,
  title: "Scenario",
  Component: lazyPart("The scenario", () => import("../../views/Scenario.tsx"), false),
};

/** Shows the view, with its tab among the others. */
export function showScenario(): void {
  add();
  goTo({ view: VIEW.name });
}

/** Has an address that names it lead there, as on a reload: the page has drawn another view in its place. */
export function showAddressed(): void {
  if (VIEWS.includes(VIEW)) return;
  add();
  const { href } = location;
  for (const address of [`#/${FIRST_VIEW}`, href]) {
    history.replaceState(history.state, "", address);
    dispatchEvent(new HashChangeEvent("hashchange"));
  }
}

function add(): void {
  if (!VIEWS.includes(VIEW)) VIEWS.push(VIEW);
}
