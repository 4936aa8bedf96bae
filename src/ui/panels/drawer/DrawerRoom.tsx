import { lastWorld } from "../../store/last-world.ts";
import css from "./Drawer.module.css";

/** Empty state of the drawer, before the chain has made a decision. */
export const NoSteps = () => (
  <p className={css.empty}>Each check the chain makes will be listed here, with its result.</p>
);

/**
 * Reserves the drawer's space, with its initial text: nothing moves when it appears, and the
 * largest text of a first visit is painted with the page. A restored world has lines of its own.
 */
export const DrawerRoom = () => (
  <div className={css.drawer} data-open="">
    <div className={css.head} />
    <div>{lastWorld() === "" && <NoSteps />}</div>
  </div>
);
