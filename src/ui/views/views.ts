/** The views: their names in the address, their tab titles, and their components. */
import { type ComponentType, memo } from "react";
import { FIRST_VIEW } from "../store/route.ts";
import { lazyPart } from "../widgets/lazy-part.tsx";
import { Network } from "./Network.tsx";

export interface View {
  readonly name: string;
  readonly title: string;
  readonly Component: ComponentType;
}

const FIRST: View = { name: FIRST_VIEW, title: "Network", Component: memo(Network) };

export const VIEWS: View[] = [
  FIRST,
  {
    name: "evidence",
    title: "Evidence",
    Component: lazyPart("Evidence", () => import("./Evidence.tsx")),
  },
  {
    name: "upgrades",
    title: "Upgrades",
    Component: lazyPart("Upgrades", () => import("./Upgrades.tsx")),
  },
  {
    name: "governance",
    title: "Governance",
    Component: lazyPart("Governance", () => import("./Governance.tsx")),
  },
  { name: "state", title: "State", Component: lazyPart("State", () => import("./State.tsx")) },
  {
    name: "charts",
    title: "Charts",
    // Its library is too large to be fetched ahead.
    Component: lazyPart("Charts", () => import("./Charts.tsx"), false),
  },
];

/** The view of that name; an unknown name is the first one. */
export const viewOf = (name: string): View => VIEWS.find((view) => view.name === name) ?? FIRST;
