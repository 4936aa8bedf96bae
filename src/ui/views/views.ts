/** The views: their names in the address, their titles on the tabs, and what draws them. */
import { type ComponentType, lazy } from "react";
import { FIRST_VIEW } from "../store/route.ts";
import { Network } from "./Network.tsx";

interface View {
  readonly name: string;
  readonly title: string;
  readonly Component: ComponentType;
  /** Fetched in idle time; undefined for what the page has anyway, or is too large to fetch unasked. */
  readonly preload?: () => Promise<unknown>;
}

type Load = () => Promise<{ default: ComponentType }>;
const lazyView = (name: string, title: string, load: Load): View => ({
  name,
  title,
  Component: lazy(load),
  preload: load,
});

const FIRST: View = { name: FIRST_VIEW, title: "Network", Component: Network };

export const VIEWS: readonly View[] = [
  FIRST,
  lazyView("evidence", "Evidence", () => import("./Evidence.tsx")),
  lazyView("upgrades", "Upgrades", () => import("./Upgrades.tsx")),
  lazyView("governance", "Governance", () => import("./Governance.tsx")),
  { name: "charts", title: "Charts", Component: lazy(() => import("./Charts.tsx")) },
];

/** The view of that name; an unknown name is the first one. */
export const viewOf = (name: string): View => VIEWS.find((view) => view.name === name) ?? FIRST;
