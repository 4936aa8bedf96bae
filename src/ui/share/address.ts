/**
 * Query part of the address, after the view and the selection: `?world=…&height=…&drawer=…`, and
 * `&with=…&at=…` for a comparison. Links within the page omit it, and it is added to their targets;
 * an address that contains it is followed.
 */
import { type ClientError, CODE } from "../../client/client.ts";
import type { DrawerTab, Link } from "../store/dialog.ts";
import { DRAWER_TABS } from "../store/drawer-tabs.ts";
import type { FrameState } from "../store/frame-store.ts";
import type { Page } from "../store/page.ts";
import { FIRST_VIEW, hrefTo, read } from "../store/route.ts";
import { backToLive, liveHeight, travelTo } from "../store/travel.ts";
import type { DocumentName } from "../views/close-document.ts";
import { count, sentence } from "../widgets/format.ts";
import { isShared, readLink } from "./link.ts";

const LINKS: readonly Link[] = ["time", "command"];
/** The initial drawer tab, which the address omits. */
const FIRST_TAB: DrawerTab = "step";
const CLOSED = "closed";
const COMPARE: DocumentName = "compare";

/** A node plays one world for all clients. */
const hasWorlds = (): boolean => !document.documentElement.dataset.node;

/**
 * The world of each page when its address was last released: between the page and the presenter
 * nothing follows the address, and the world may change.
 */
const LEFT = new WeakMap<Page, string>();

/** The part of an address that is not on screen yet. */
interface Wanted {
  /** The world that is being opened; empty for the one on screen. */
  world: string;
  /** The height of a world that is not restored yet; 0 for the newest. */
  height: number;
}

const worldOf = ({ frames }: Page): string => frames.getState().frame?.player?.kept?.id ?? "";

/** Returns the query of the screen. `world` is empty until it is known. */
function queryOf({ dialog, frames }: Page, world: string, wantedHeight: number): string {
  const query = new URLSearchParams();
  const { drawer, compared } = dialog.getState();
  if (drawer !== FIRST_TAB) query.set("drawer", drawer ?? CLOSED);
  // Until the world on screen is known, the address names the requested one.
  const named = world || queryIn(location.hash).get("world");
  if (named && hasWorlds()) query.set("world", named);
  const height = addressed(frames.getState())?.height ?? wantedHeight;
  if (height > 0) query.set("height", String(height));
  if (compared !== undefined && read().view === COMPARE) {
    query.set("with", compared.other);
    if (compared.at) query.set("at", String(compared.at));
  }
  return query.size > 0 ? `?${query}` : "";
}

function showDrawer({ dialog }: Page, query: URLSearchParams): void {
  const named = query.get("drawer") ?? FIRST_TAB;
  const drawer = DRAWER_TABS.find(({ tab }) => tab === named)?.tab;
  if (drawer !== undefined || named === CLOSED) dialog.setState({ drawer });
}

function showComparison({ dialog }: Page, query: URLSearchParams): void {
  const other = query.get("with");
  if (other) dialog.setState({ compared: { other, at: linkIn(query) ?? heightIn(query, "at") } });
}

/**
 * Goes to the wanted height once its world is there. Returns true if the chain has no such block:
 * then the newest one is shown.
 */
function travelToWanted(page: Page, wanted: Wanted): boolean {
  const { frames, actions } = page;
  const { world, height } = wanted;
  if (height === 0 || !isThere(frames.getState())) return false;
  if (world !== "" && world !== worldOf(page)) return false;
  wanted.height = 0;
  const newest = liveHeight(frames.getState());
  if (height <= newest) {
    travelTo(page, height);
    return false;
  }
  const text = `The address names block ${count(height)}: the newest is ${count(newest)}.`;
  actions.notify(text, "error");
  backToLive(page);
  return true;
}

/**
 * Synchronizes the address with the screen from now on, and opens share links. Returns a function
 * that stops this.
 */
export function followAddress(page: Page): () => void {
  const { client, dialog, frames, actions } = page;
  let world = worldOf(page);
  const wanted: Wanted = { world: "", height: 0 };
  /** True if the newest block was shown at the last stop at a height. */
  let wasLive = true;

  /**
   * Writes the current state to the address: as a new history entry, or replacing the current one.
   */
  const write = (isPlace: boolean): void => {
    const hash = hrefTo({}) + queryOf(page, world, wanted.height);
    if (hash === location.hash || isShared(location.hash)) return;
    history[isPlace ? "pushState" : "replaceState"](history.state, "", hash);
  };

  let soon: ReturnType<typeof setTimeout> | undefined;
  /** The same entry, a task later: the result of a key is on screen before the address changes. */
  const writeSoon = (): void => {
    clearTimeout(soon);
    soon = setTimeout(write, 0, false);
  };

  /** @param isNew true if the address has changed, so that the screen must follow it */
  const follow = (isNew: boolean): void => {
    if (isShared(location.hash)) {
      openLink(page);
      return;
    }
    const at = location.hash.indexOf("?");
    const query = queryIn(location.hash);
    if (at >= 0) {
      showDrawer(page, query);
      wanted.height = heightIn(query, "height");
      showComparison(page, query);
    }
    if (world === "") return;
    const named = query.get("world") ?? "";
    if (named && named !== world && hasWorlds()) {
      wanted.world = named;
      client.lab.openWorld({ world: named }).catch((error: ClientError) => {
        // The height belongs only to that world.
        wanted.height = 0;
        wanted.world = "";
        actions.notify(`The address names a world that ${unopenedText(error)}`, "error");
        write(false);
      });
    } else {
      wanted.world = "";
      // Before the address could be written, the user may have selected a height by key.
      if (isNew && at >= 0 && wanted.height === 0) backToLive(page);
      write(false);
      travelWhenThere();
    }
  };
  const travelWhenThere = (): void => {
    if (travelToWanted(page, wanted)) write(false);
  };

  const stops = [
    dialog.subscribe(({ drawer, compared }, before) => {
      if (compared !== before.compared) write(compared?.other !== before.compared?.other);
      // A running story creates no history entries of its own, but the view that it opens does.
      const playing = frames.getState().frame?.story?.state === "running";
      if (drawer !== before.drawer) write(!playing);
    }),
    frames.subscribe((state, stateBefore) => {
      travelWhenThere();
      const travel = addressed(state);
      const before = addressed(stateBefore);
      // Leaving the newest block, or returning to it, is a history entry; steps on the way are not.
      if (!travel?.moving && (before?.moving || travel?.height !== before?.height)) {
        if (!travel === wasLive) writeSoon();
        else write(true);
        wasLive = !travel;
      }
      const shown = worldOf(page);
      if (shown === world || shown === "") return;
      const isFirst = world === "";
      world = shown;
      // An address that names another world is followed, not overwritten.
      if (isFirst) follow(false);
      else write(true);
    }),
  ];
  const changed = (): void => follow(true);
  addEventListener("hashchange", changed);
  const left = LEFT.get(page);
  // It names the replaced world because nothing has removed it, not because the user wants that
  // world.
  if (left && left !== world && left === queryIn(location.hash).get("world")) write(true);
  else follow(false);
  return () => {
    LEFT.set(page, world);
    removeEventListener("hashchange", changed);
    clearTimeout(soon);
    for (const stop of stops) stop();
  };
}

/**
 * The past for the address: none once the newest block is requested, which may be drawn after the
 * page is left.
 */
const addressed = ({ travel }: FrameState): FrameState["travel"] =>
  travel?.toLive ? undefined : travel;

/** Returns the query parameters of an address's hash. */
function queryIn(hash: string): URLSearchParams {
  const at = hash.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : hash.slice(at));
}

/** The height in an address; 0 if there is no valid one. */
function heightIn(query: URLSearchParams, name: "height" | "at"): number {
  const height = Number(query.get(name) ?? 0);
  return Number.isSafeInteger(height) && height > 0 ? height : 0;
}

const linkIn = (query: URLSearchParams): Link | undefined =>
  LINKS.find((one) => one === query.get("at"));

const unopenedText = ({ code, message }: ClientError): string =>
  code === CODE.notFound ? "this browser does not keep." : `cannot be opened: ${sentence(message)}`;

/** True if the world on screen is still in the state in which it was left. */
const isThere = ({ frame }: FrameState): boolean =>
  frame?.chain !== undefined &&
  frame.player?.kept?.state !== "opening" &&
  !((frame.player?.restoring ?? 0) > 0 && (frame.player?.restoring ?? 0) < 1);

/** Shows the content of a link before any of it runs. */
function openLink({ dialog }: Page): void {
  readLink(location.hash).then(
    (shared) => dialog.setState({ name: "shared", shared }),
    ({ message: problem }: Error) => dialog.setState({ name: "shared", shared: { problem } }),
  );
}

/** Removes a link from the address, once its content was opened or declined. */
export function leaveLink(): void {
  if (isShared(location.hash)) location.replace(hrefTo({ view: FIRST_VIEW, selection: undefined }));
}
