import { FIRST_VIEW, goTo } from "../../store/route.ts";
import { VIEWS } from "../../views/views.ts";

/** The view's name in the address. */
export const SCENARIO = "scenario";

/** Closes the view of the scenario, and takes its tab away. */
export function closeScenario(): void {
  goTo({ view: FIRST_VIEW });
  const at = VIEWS.findIndex(({ name }) => name === SCENARIO);
  if (at >= 0) VIEWS.splice(at, 1);
}
