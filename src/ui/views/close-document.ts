import { FIRST_VIEW, goTo } from "../store/route.ts";
import { VIEWS } from "./views.ts";

/** Views that are opened on demand and can be closed, by their names in the address. */
export const DOCUMENTS = ["scenario", "compare", "lab"] as const;
export type DocumentName = (typeof DOCUMENTS)[number];

/** Closes such a view, and removes its tab. */
export function closeDocument(name: DocumentName): void {
  goTo({ view: FIRST_VIEW });
  const at = VIEWS.findIndex((view) => view.name === name);
  if (at >= 0) VIEWS.splice(at, 1);
}
