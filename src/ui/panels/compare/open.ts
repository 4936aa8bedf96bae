import type { Compared } from "../../store/dialog.ts";
import type { Page } from "../../store/page.ts";
import { showDocument } from "../../views/documents.ts";

/** Compares the world on screen with another one, or with another height of its own. */
export function compareWith(
  { dialog }: Pick<Page, "dialog">,
  compared: Compared | undefined,
): void {
  if (compared !== undefined) dialog.setState({ compared });
  showDocument("compare");
}
