/**
 * What the address says beside the view and what is selected: `?world=…&drawer=…` behind them. Links within the page
 * leave it out, and it is added to where they lead; an address that has it is followed.
 */
import type { DrawerTab } from "../store/dialog.ts";
import type { Page } from "../store/page.ts";
import { FIRST_VIEW, hrefTo } from "../store/route.ts";
import { isShared, readLink } from "./link.ts";

const DRAWER_TABS: readonly DrawerTab[] = ["step", "event", "log", "node", "api", "terminal"];
/** The drawer as it is at first, of which an address says nothing. */
const FIRST_TAB: DrawerTab = "step";
const CLOSED = "closed";

/** A node plays one world for all who look at it. */
const hasWorlds = (): boolean => !document.documentElement.dataset.node;

/** Keeps the address and what is on screen the same, from now on, and opens what a link holds. Returns what ends it. */
export function followAddress(page: Page): () => void {
  const { client, dialog, frames, actions } = page;
  const worldNow = (): string => frames.getState().frame?.player?.kept?.id ?? "";
  let world = worldNow();

  const queryNow = (): string => {
    const query = new URLSearchParams();
    const { drawer } = dialog.getState();
    if (drawer !== FIRST_TAB) query.set("drawer", drawer ?? CLOSED);
    if (world && hasWorlds()) query.set("world", world);
    return query.size > 0 ? `?${query}` : "";
  };
  /** Says in the address what is on screen: as a place of its own to come back to, or as the same place. */
  const write = (isPlace: boolean): void => {
    const hash = hrefTo({}) + queryNow();
    if (hash === location.hash || isShared(location.hash)) return;
    history[isPlace ? "pushState" : "replaceState"](history.state, "", hash);
  };

  const follow = (): void => {
    if (isShared(location.hash)) {
      openLink(page);
      return;
    }
    const at = location.hash.indexOf("?");
    const query = new URLSearchParams(at < 0 ? "" : location.hash.slice(at));
    if (at >= 0) {
      const named = query.get("drawer") ?? FIRST_TAB;
      const drawer = DRAWER_TABS.find((tab) => tab === named);
      if (drawer !== undefined || named === CLOSED) dialog.setState({ drawer });
    }
    if (world === "") return;
    const wanted = query.get("world") ?? "";
    if (wanted && wanted !== world && hasWorlds()) {
      client.lab.openWorld({ world: wanted }).catch(() => {
        actions.notify("The address names a world that this browser does not keep.", "error");
        write(false);
      });
    } else write(false);
  };

  const stops = [
    dialog.subscribe(({ drawer }, before) => {
      // What a story shows is no place of its own: the view that it goes to is.
      const told = frames.getState().frame?.story?.state === "running";
      if (drawer !== before.drawer) write(!told);
    }),
    frames.subscribe(() => {
      const shown = worldNow();
      if (shown === world || shown === "") return;
      const isFirst = world === "";
      world = shown;
      // An address that names another world is followed, not overwritten.
      if (isFirst) follow();
      else write(true);
    }),
  ];
  addEventListener("hashchange", follow);
  follow();
  return () => {
    removeEventListener("hashchange", follow);
    for (const stop of stops) stop();
  };
}

/** Shows what a link holds, before any of it runs. */
function openLink({ dialog }: Page): void {
  readLink(location.hash).then(
    (shared) => dialog.setState({ name: "shared", shared }),
    ({ message: problem }: Error) => dialog.setState({ name: "shared", shared: { problem } }),
  );
}

/** Takes a link out of the address, once what it holds was opened or is not wanted. */
export function leaveLink(): void {
  if (isShared(location.hash)) location.replace(hrefTo({ view: FIRST_VIEW, selection: undefined }));
}
