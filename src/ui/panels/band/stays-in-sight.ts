import { publishHeight } from "../../widgets/publish-height.ts";

/**
 * A ref for a story's text, which stays visible on a small screen: scroll targets are placed below
 * it.
 */
export const staysInSight = publishHeight("--told");
