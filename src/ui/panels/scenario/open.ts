import type { Page } from "../../store/page.ts";
import { showDocument } from "../../views/documents.ts";
import { scenarioOf } from "./document.ts";

/** Opens the actions of the world on screen in the scenario editor. */
export function recordWorld(page: Page): void {
  showDocument("scenario");
  void scenarioOf(page).record();
}
